"""Cores for workers: all runs of a user share them evenly, and nobody else has a say in it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arena_users import ORDINARY, as_user

from arena.sandbox import claims
from arena.sandbox.claims import Claim, take_core
from arena.workers.local import _idlest_first

SIXTEEN = range(16)

# takes a core of two, says which, and waits
HOLDER = """
import sys
from arena.sandbox import claims
claims.PLACES = (sys.argv[1],)
taken = claims.take_core((0, 1))
print(taken[0], flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place() -> Iterator[Path]:
    """Have claims lie where all users may make a folder, and not where those of this machine do."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, pytest.MonkeyPatch.context() as patch:
        os.chmod(folder, 0o1777)
        patch.setattr(claims, "PLACES", (folder,))
        yield Path(folder)


def run(workers: int, busy: Counter[int] | None = None) -> tuple[list[int], list[Claim]]:
    """Return the cores that the workers of a run get, and what holds them."""
    cores = _idlest_first(SIXTEEN, busy or Counter())
    found = [taken for _ in range(workers) if (taken := take_core(cores)) is not None]
    return [core for core, _ in found], [claim for _, claim in found]


def release(held: list[Claim]) -> None:
    for claim in held:
        claim.close()


def test_two_runs_meet_on_no_core() -> None:
    """Two runs of four workers each use eight of sixteen cores; what the first gives up is free."""
    (one, held), (other, more) = run(4), run(4)
    assert one == [0, 1, 2, 3]
    assert len({*one, *other}) == 8
    release(held)
    third, last = run(4)
    assert not {*third} & {*other}
    release(more + last)


def test_more_workers_than_cores() -> None:
    """They share evenly: 4, 16 and 30 workers are three on each core, and one more on two."""
    taken: Counter[int] = Counter()
    held = []
    for workers in (4, 16, 30):
        cores, claimed = run(workers)
        taken.update(cores)
        held += claimed
    assert Counter(taken.values()) == {3: 14, 4: 2}
    release(held)


def test_the_idlest_cores_come_first() -> None:
    """What other users compute is avoided, as far as there are other cores that nobody claimed."""
    cores, held = run(4, Counter(dict.fromkeys(range(12), 1)))
    assert sorted(cores) == [12, 13, 14, 15]
    more, rest = run(13, Counter({15: 3}))
    assert Counter(Counter(cores + more).values()) == {1: 15, 2: 1}
    assert 15 not in more  # it is claimed, and what others compute there comes to that
    release(held + rest)


def test_a_killed_holder_holds_nothing(place: Path) -> None:
    """The kernel lets go of a claim when its process is killed, and not before."""
    words = [sys.executable, "-c", HOLDER, str(place)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"0\n"
        first, other = take_core((0,)), take_core((0, 1))
        holder.kill()
    again = take_core((1, 0))
    taken = [one for one in (first, other, again) if one is not None]
    assert [core for core, _ in taken] == [0, 1, 0]
    release([claim for _, claim in taken])


@pytest.mark.parametrize("how", ["a file", "somebody's", "no place"])
def test_without_a_folder_for_claims(
    how: str, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers are kept on no core, also where somebody has taken the folder's name."""
    uid = os.geteuid()
    folder = place / (f"{claims.NAME}-{uid}" if uid else claims.NAME)
    if how == "a file":
        folder.touch()
    elif how == "no place":
        monkeypatch.setattr(claims, "PLACES", ())
    elif uid:
        pytest.skip("only root can make a folder of somebody else's")
    else:
        folder.mkdir(0o777)
        os.chown(folder, ORDINARY, ORDINARY)
    assert take_core((0, 1)) is None


def test_users_claim_beside_one_another(place: Path) -> None:
    """An ordinary user can claim cores, and takes none from another user by it."""
    taken = take_core((0, 1))
    assert taken is not None
    with taken[1]:
        done = as_user("user", "-c", HOLDER, str(place))
    assert done.stdout == f"{taken[0] if os.geteuid() == 0 else 1}\n", done.stderr
