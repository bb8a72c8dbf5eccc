"""Control groups of the kernel, one a bot: what the kernel does with a whole tree at one word.

The one door to ``/sys/fs/cgroup``. ``home.py`` finds where groups may be made, ``group.py`` is the
group of one bot in version 2, ``version_1.py`` what limits it where that has no controllers,
``remains.py`` sweeps what dead runs left. The launcher has bots born in them. Where groups
cannot be had, everything works as it does without.
"""

from __future__ import annotations

from arena.sandbox.cgroups.group import Group, take_group
from arena.sandbox.cgroups.home import Home, find_home, own_group, use_own_group
from arena.sandbox.cgroups.remains import dead_groups, remove_group, sweep_groups

__all__ = [
    "Group",
    "Home",
    "dead_groups",
    "find_home",
    "own_group",
    "remove_group",
    "use_own_group",
    "sweep_groups",
    "take_group",
]
