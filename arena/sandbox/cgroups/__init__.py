"""Control groups of the kernel, one a bot: what the kernel does with a whole tree at one word.

The one door to ``/sys/fs/cgroup``. ``home.py`` finds where groups may be made, ``group.py`` is the
group of one bot in version 2, ``version_1.py`` what limits it where that has no controllers,
``remains.py`` sweeps what dead runs left. The launcher has bots born in them. Where groups
cannot be had, everything works as it does without.
"""
