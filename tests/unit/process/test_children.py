"""The children of a launcher: bots, and what they leave behind."""

from __future__ import annotations

import pytest
from support.ran import PYTHON, printed

# prints for bots of a launcher, each with an orphan in its session and one in a session of its own,
# if the former is found for it and for the other; then how many strays there are, and are left
ORPHANS = """
import os
from arena.process import launcher
from arena.sandbox.interface import Launch
start = "sleep 3600 >/dev/null & echo $!; setsid sleep 3600 >/dev/null & echo $!"
words = "/bin/sh", "-c", f"({start}); exec sleep 3600"
bots, left = [], []
for _ in range(2):
    bot = launcher.fork_program(Launch(words, dict(os.environ), "/"))
    left.append([int(bot.stdout.readline()) for _ in range(2)])
    bots.append(bot.pid)
both = frozenset(bots)
for number in (0, 1):
    # `setsid` may not have come to its session yet
    while {left[1 - number][0]} & (found := launcher.orphans(bots[number], both)) or (
        len(found & {alone for _, alone in left}) < 2
    ):
        pass
    print(left[number][0] in found, left[1 - number][0] in found)
print(sorted(launcher.strays(both)) == sorted(sum(left, [])))
launcher.end_strays(both)
print(sorted(launcher.strays()) == sorted(bots))
"""


def test_orphan_belongs_to_bot_of_its_session() -> None:
    """An orphan in a bot's session is that bot's; any other is nobody's; sweeps spare the bots.

    All of them end by a sweep that spares the bots.
    """
    assert printed(PYTHON, "-c", ORPHANS).splitlines() == [
        "True False",
        "True False",
        "True",
        "True",
    ]


MANY = 1024  # their ids of four digits or more are longer than the 4096 bytes of one read
COUNTED = """
import os, sys, time
from arena.process import launcher
from arena.sandbox.interface import Launch
many = int(sys.argv[1])
code = f"for n in $(seq {many}); do (/bin/true &); done; echo; exec sleep 3600"
bot = launcher.fork_program(Launch(("/bin/sh", "-c", code), dict(os.environ), "/"))
bot.stdout.readline()
print(launcher._here().count(), flush=True)
if os.fork() == 0:
    print(launcher._here(), [*launcher.strays()], flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.slow
def test_launcher_counts_all_children() -> None:
    """A launcher with more children than one read holds counts all; its fork counts none."""
    assert printed(PYTHON, "-c", COUNTED, MANY).splitlines() == [str(1 + MANY), "None []"]
