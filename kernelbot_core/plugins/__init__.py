"""Plugins: found by entry point, loaded in a fixed order, shown as one frozen registry.

Everything comes through the entry-point group ``kernelbot``, the built-ins too. Nothing a foreign distribution does can
take the host down or replace something that is already there: it is set aside, and says why in :attr:`Registry.broken`.

``KERNELBOT_DISABLE_PLUGINS=a,b`` leaves plugins out, ``KERNELBOT_TRACE_PLUGINS=1`` prints every hook call.
"""

from __future__ import annotations

from kernelbot_core.plugins._loader import DISABLE, Broken, Found, PluginManager
from kernelbot_core.plugins._registry import Plugin, Registry, load_registry, plugin_registered, registry, use_registry

__all__ = [
    "DISABLE", "Broken", "Found", "Plugin", "PluginManager", "Registry", "load_registry", "plugin_registered",
    "registry", "use_registry",
]  # fmt: skip
