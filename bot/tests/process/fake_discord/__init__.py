"""A small Discord on this machine: REST v10 and the gateway, as far as the bot uses them.

Fields and order follow Discord's public documentation; what the bot does not read is left out. Unknown routes are
answered with 404 and noted, so that a test can see them.
"""

from __future__ import annotations
