"""The children of this process, counted as it is asked after every match."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from arena.process.bot import count_children

MANY = 1024  # their ids of four digits or more are longer than the 4096 bytes of one read
FORKS = """
import os, subprocess
from arena.process.bot import count_children
sleeper = subprocess.Popen(["sleep", "3600"])
print(count_children(), flush=True)
child = os.fork()
if child == 0:
    print(count_children(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
sleeper.kill()
"""


@pytest.mark.slow
def test_counts_all_children_however_many() -> None:
    """More of them than one read holds are counted, and so are those that have ended."""
    before = count_children()
    pids = [os.posix_spawn("/bin/true", ["true"], {}) for _ in range(MANY)]
    try:
        assert count_children() == before + MANY
    finally:
        for pid in pids:
            os.waitpid(pid, 0)
    assert count_children() == before


def test_a_fork_counts_its_own() -> None:
    """A process that was forked has its own children, and not those of its parent."""
    done = subprocess.run([sys.executable, "-c", FORKS], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "0"]


# prints the id of a bot, its orphan's, and that of an orphan in a session of its own, twice; then
# how many of the orphans are found for each bot, and for one that is not there
ORPHANS = """
import subprocess, sys
from arena.process.bot import anybody, become_subreaper, orphans
become_subreaper()
start = "sleep 3600 >/dev/null & echo $!; setsid sleep 3600 >/dev/null & echo $!"
bot = f"({start}); echo $$; exec sleep 3600"
bots, left = [], []
for _ in range(2):
    process = subprocess.Popen(["sh", "-c", bot], stdout=-1, start_new_session=True)
    own, alone, pid = (int(process.stdout.readline()) for _ in range(3))
    bots.append(pid)
    left.append((own, alone))
both = frozenset(bots)
for number in (0, 1):
    # `setsid` may not have come to its session yet
    while {left[1 - number][0]} & (found := orphans(bots[number], both, anybody)) or (
        len(found & {alone for _, alone in left}) < 2
    ):
        pass
    print(left[number][0] in found, left[1 - number][0] in found)
for pid in (*bots, *sum(left, ())):
    subprocess.run(["kill", "-9", str(pid)])
"""


def test_orphans_of_one_bot() -> None:
    """Who is in the session of another bot is that one's; of others nobody knows whose they are."""
    done = subprocess.run(
        [sys.executable, "-c", ORPHANS], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines() == ["True False", "True False"]
