"""Marks: unmistakable, readable again, and sure of whom they mean before they call anyone dead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from arena.machine.owner import (
    Mark,
    is_dead,
    mark_in_name,
    name_part,
    own_mark,
    parse_mark,
)

marks = st.builds(
    Mark,
    st.integers(1, 2**22),
    st.integers(0, 2**62),
    st.integers(0, 2**32 - 1).map("{:08x}".format),
)


@given(marks)
def test_text_round_trips(mark: Mark) -> None:
    """A mark is the same after it was written and read, as a text and in a name."""
    assert parse_mark(str(mark)) == mark
    assert mark_in_name(f".building-{str(mark).replace(':', '.')}-a_b9") == mark


def test_own_mark_is_of_this_process() -> None:
    """The mark names this process with its start as /proc tells it, and it is not dead."""
    start = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    mark = own_mark()
    assert (mark.pid, str(mark.start)) == (os.getpid(), start)
    assert not is_dead(mark)
    assert mark_in_name(f"arena-x-{name_part()}-abc") == mark


def test_ended_and_zombie_processes_are_dead() -> None:
    """A process is dead once it has ended, though nobody has waited for it yet."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert process.stdin is not None
    start = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[19]
    mark = own_mark()._replace(pid=process.pid, start=int(start))
    assert not is_dead(mark)
    process.stdin.close()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert is_dead(mark)
    process.wait()
    assert is_dead(mark)


def test_nothing_is_said_of_other_worlds() -> None:
    """What was marked in another boot or process namespace does not count as dead."""
    world = f"{(int(own_mark().world, 16) + 1) % 2**32:08x}"
    assert not is_dead(Mark(2**22, 1, world))
