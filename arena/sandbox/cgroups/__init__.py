"""Control groups of the kernel, one a bot: what the kernel does with a whole tree at one word.

The one door to ``/sys/fs/cgroup``. ``own_group.py`` finds where groups may be made, ``group.py`` is
the group of one bot, ``remains.py`` sweeps what dead runs left. The launcher has bots born in them.
Where groups of version 2 cannot be had, everything works as it does without.
"""
