"""Marks: unmistakable, readable again, and sure of whom they mean before they call anyone dead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.machine.owner import (
    VARIABLE,
    Mark,
    is_dead,
    mark_in_name,
    name_part,
    own_mark,
    parse_mark,
)
from arena.sandbox.environment import clean_environment

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


@pytest.mark.parametrize(
    "text", ["", "1", "1:2", "0:2:0badcafe", "1:2:0BADCAFE", "1:2:0badcaf", "1:2:0badcafe ", "x"]
)
def test_other_texts_are_none(text: str) -> None:
    """What is not written exactly as a mark is no mark."""
    assert parse_mark(text) is None


@pytest.mark.parametrize(
    "name", ["arena-probe-x7", "1.2.0badcafe-x", "a-1.2.0badcafe", "a-1.2.0badcafe-", "a-1.2.3-x"]
)
def test_other_names_have_none(name: str) -> None:
    """A name without a whole mark in it has none."""
    assert mark_in_name(name) is None


def test_own_mark_is_of_this_process() -> None:
    """The mark names this process with its start as /proc tells it, and it is not dead."""
    start = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    mark = own_mark()
    assert (mark.pid, str(mark.start)) == (os.getpid(), start)
    assert not is_dead(mark)
    assert mark_in_name(f"arena-x-{name_part()}-abc") == mark


def test_programs_of_strangers_bear_the_mark() -> None:
    """The clean environment has the mark of the process that starts the program."""
    assert parse_mark(clean_environment()[VARIABLE]) == own_mark()


def test_a_forked_child_has_a_mark_of_its_own() -> None:
    """A child that is forked after its parent was marked does not bear the parent's mark."""
    code = (
        "import os\n"
        "from arena.machine.owner import own_mark\n"
        "own_mark()\n"
        "pid = os.fork()\n"
        "if pid:\n"
        "    os.waitpid(pid, 0)\n"
        "    print(pid)\n"
        "else:\n"
        "    print(own_mark().pid, flush=True)\n"
        "    os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    child, told = done.stdout.split()
    assert child == told


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


def test_a_pid_given_again_is_another_process() -> None:
    """The same number with another start is a process that is gone."""
    mark = own_mark()
    assert is_dead(mark._replace(start=mark.start + 1))


def test_nothing_is_said_of_other_worlds() -> None:
    """What was marked in another boot or process namespace does not count as dead."""
    world = f"{(int(own_mark().world, 16) + 1) % 2**32:08x}"
    assert not is_dead(Mark(2**22, 1, world))
