"""Whether a user of the pool can reach what every process of a job is made of."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from kernelbot_core import Availability

ENTER, READ = 0o001, 0o005


def places(bwrap: str) -> list[str]:
    """The program, the interpreter's folders and our own package, by their names and by what these lead to."""
    core = importlib.util.find_spec("kernelbot_core")
    found = [bwrap, sys.prefix, sys.base_prefix, *(core.submodule_search_locations or [] if core else [])]
    return list(dict.fromkeys([*map(os.path.abspath, found), *map(os.path.realpath, found)]))


def unreachable(asked: Iterable[str]) -> Availability | None:
    """The first place that somebody who neither owns it nor is in its group cannot reach; None when all can be.

    In the mode ``drop`` bubblewrap itself runs as that somebody, so that it cannot open up what is closed, as it can
    where root mounts.

    :param asked: Files and folders, absolute.
    """
    for place in map(Path, asked):
        shut = next((one for one in (*reversed(place.parents), place) if not _open(one, place)), None)
        if shut is None:
            continue
        why = f"{place} is not reached: {shut} is closed to others, and root that may not mount becomes one of them"
        if shut == place:
            return Availability(ok=False, why=why, fix=f"chmod -R go+rX {shlex.quote(str(place))}")
        fix = "move it to a folder that others may enter, such as /opt (an environment: make it anew of a Python there)"
        return Availability(ok=False, why=why, fix=fix)
    return None


def _open(one: Path, place: Path) -> bool:
    wanted = READ if one == place else ENTER
    return one.stat().st_mode & wanted == wanted
