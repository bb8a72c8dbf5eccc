"""Users for root's bots: nobody else can hold them, and dead processes do not make them useless."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arena_users import ORDINARY, as_user
from support.needs import working
from support.piped import Piped

from arena.isolation.probes import probe
from arena.sandbox import LEVELS, claims, slots
from arena.sandbox.slots import lives, take_slot
from arena.values.errors import Lack, lack_of

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives bots users of their own")

# is told user ids; has a dead child under each of them, until it is told no more: then it takes
# note of their ends, as the first process of a container may not
KEEPER = """
import os, sys
for word in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        os.setresgid(int(word), int(word), int(word))
        os.setresuid(int(word), int(word), int(word))
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
print("dead", flush=True)
sys.stdin.read()
for word in sys.argv[1:]:
    os.wait()
"""


# one that may read nothing tries to get in
STRANGER = """
import os, sys
for attempt in (os.listdir, os.chdir, lambda place: open(place + "/61000-0", "w"), os.rmdir):
    try:
        attempt(sys.argv[1])
    except PermissionError:
        continue
    print(attempt)
"""


@contextlib.contextmanager
def dead_under(users: range | list[int]) -> Iterator[None]:
    """Have a dead process under each of some users, until the block ends."""
    process = Piped((sys.executable, "-c", KEEPER, *users), cwd="/")
    try:
        assert process.stdout.readline()
        yield
    finally:
        process.communicate("")


def free_users(count: int) -> range:
    """Return so many successive users that nobody held a moment ago."""
    for first in range(slots.LAST_UID - count, slots.FIRST_UID, -count):
        held = [claims.take_claim(uid) for uid in range(first, first + count)]
        for claim in held:
            if claim is not None:
                claim.close()
        if None not in held:
            return range(first, first + count)
    raise AssertionError("all are taken")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> range:
    """Leave three users that are free, none of which we had before."""
    users = free_users(3)
    monkeypatch.setattr(slots, "_returned", [])
    monkeypatch.setattr(slots, "FIRST_UID", users[0])
    monkeypatch.setattr(slots, "LAST_UID", users[-1])
    return users


# dead processes


@pytest.mark.parametrize("level", LEVELS)
def test_dead_processes_block_no_level(level: str, few: range) -> None:
    """A level that works does so as well where every slot has a zombie of somebody else's."""
    working(level)
    with dead_under(few):
        assert all(map(lives, few))
        assert probe(level) is None


def test_a_slot_with_dead_processes_is_the_last_choice(few: range) -> None:
    """What is dead counts against what a user may have, so a user without is taken first."""
    with dead_under([few[0], few[2]]):
        clean = take_slot()
        assert clean.uid == few[1]
        others = [take_slot(), take_slot()]
        assert {slot.uid for slot in others} == {few[0], few[2]}
        with pytest.raises(OSError, match="taken") as none:
            take_slot()
        assert lack_of(none.value) is Lack.SLOTS
        for slot in (clean, *others):
            slot.close()
            assert slot.empty
        take_slot().close()


# who holds a user


def test_a_stranger_cannot_enter() -> None:
    """The folder of claims is closed to every other user."""
    done = as_user("user", "-c", STRANGER, claims._folder())
    assert (done.stdout, done.stderr) == ("", "")


# where claims lie


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Return two places for the folder of claims instead of the machine's."""
    one, two = tmp_path / "one", tmp_path / "two"
    for place in (one, two):
        place.mkdir(mode=0o755)
    monkeypatch.setattr(claims, "PLACES", (str(one), str(two)))
    return one, two


@pytest.mark.parametrize("how", ["somebody's", "open", "a link", "a file"])
def test_a_folder_that_somebody_else_made(places: tuple[Path, Path], how: str) -> None:
    """A folder of that name that others can enter is refused, by its name; it is not gone round.

    Two arenas that used different folders would give the same user to two bots.
    """
    folder = places[0] / claims.NAME
    if how == "a link":
        (places[1] / "real").mkdir(mode=0o700)
        folder.symlink_to(places[1] / "real")
    elif how == "a file":
        folder.touch(0o700)
    else:
        folder.mkdir(mode=0o700)
        if how == "open":
            folder.chmod(0o755)
        else:
            os.chown(folder, ORDINARY, ORDINARY)
    with pytest.raises(PermissionError, match="have it removed") as refused:
        take_slot()
    assert str(folder) in str(refused.value)
    assert lack_of(refused.value) is None
