"""The coordinator of a cluster: every match counts once, whatever hosts and the network do."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from support.cluster_world import FakeHost, World, coordinator, jobs, played_record, schedule

from arena.cluster.signs import Doing
from arena.cluster.terms import ChunkAnswer
from arena.packed.match import pack
from arena.values.errors import Lack, UnableSeat, Void, WorkerError
from arena.values.model import MatchResult
from arena.values.tables import MatchRow
from arena.workers.local import Lost

Run = Callable[..., list[MatchRow | Lost]]


@pytest.fixture
def run() -> Iterator[Run]:
    """Return what plays so many matches in a world, and returns all results."""
    worlds: list[World] = []

    def played(world: World, count: int = 40) -> list[MatchRow | Lost]:
        worlds.append(world)
        left = iter(schedule(count))
        with coordinator(world) as cluster:
            results = cluster.run(lambda _: next(left, None), jobs())
            return [one for together in results for one in together]

    yield played
    assert all(world.closed for world in worlds)


def numbers(results: list[MatchRow | Lost]) -> list[int]:
    return sorted(one.number for one in results)


def all_played(results: list[MatchRow | Lost], count: int = 40) -> bool:
    """Return whether each match was played, once."""
    return numbers(results) == list(range(count)) and all(
        isinstance(one, MatchRow) for one in results
    )


@pytest.mark.slow
def test_chunks_are_longer_where_there_are_many_hosts(run: Run) -> None:
    """So that all of them together end at most some 100 chunks a second."""
    world = World(*(f"host{number}" for number in range(100)))
    run(world, 4000)
    assert max(len(chunk) for chunk in world.chunks) == 10  # 100 / 100 s


def test_matches_that_may_have_ended_hosts_are_sent_alone(run: Run) -> None:
    """The one that did is reported with all attempts that it had; the others are played."""
    world = World("alpha", "beta")
    for host in world.hosts.values():
        host.deadly = frozenset({30})
    results = run(world)
    assert numbers(results) == list(range(40))
    [lost] = [one for one in results if isinstance(one, Lost)]
    assert (lost.number, lost.void.tries) == (30, 3)
    assert (schedule(40)[30],) in world.chunks


def test_a_lost_scheduler_ends_the_run(run: Run) -> None:
    """What was under way is not known any more; the same command goes on."""
    world = World("alpha")
    world.at(5, world.lose_scheduler)
    with pytest.raises(WorkerError, match="same command"):
        run(world)


def first_changed(**changed: Any) -> Callable[[ChunkAnswer], ChunkAnswer]:
    """Return what changes fields of the first match of an answer."""

    def change(answer: ChunkAnswer) -> ChunkAnswer:
        first, *rest = answer.results
        assert isinstance(first, MatchRow)
        return answer._replace(results=(first._replace(**changed), *rest))

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda answer: answer._replace(results=answer.results[1:]),
        first_changed(data=b"{}"),
        first_changed(data=pack(MatchResult(0, played_record(jobs()(schedule(9)[8])))).data),
    ],
    ids=["missing", "no record", "another match"],
)
def test_a_wrong_record_is_void_and_its_host_gets_no_more(
    run: Run, change: Callable[[ChunkAnswer], ChunkAnswer], caplog: pytest.LogCaptureFixture
) -> None:
    """It is said once, also of other processes of that machine; every match comes back once."""
    world = World("alpha", "beta")
    world["alpha"].changes = change
    late = FakeHost("alpha")
    world.at(5, lambda: world.hosts.update({"tls://alpha:2": late}))
    results = run(world)
    assert numbers(results) == list(range(40))
    void = [one for one in results if isinstance(one, Lost)]
    assert void
    assert all("alpha" in one.void.reason for one in void)
    assert {one.number for one in void} <= set(world["alpha"].played)
    [error] = [r for r in caplog.records if r.levelno == logging.ERROR]
    assert "alpha" in error.getMessage()
    assert len(world["alpha"].played) <= 4  # those that it had by then
    assert late.played == []


def test_the_row_is_made_from_the_record(run: Run) -> None:
    """What a host would store beside it is not looked at."""
    world = World("alpha")
    honest = [one for one in run(world) if isinstance(one, MatchRow)]
    world = World("alpha")
    world["alpha"].changes = first_changed(
        id="x", ranks=(9, 9), entrants=(), answers=(0, 0), charged_us=(0,), moves_hash=0, hash=b""
    )
    assert sorted(run(world)) == sorted(honest)


def test_chunks_for_hosts_that_have_gone_are_taken_back(run: Run) -> None:
    """While one is refused, chunks name the others; when those are gone, newcomers play."""
    world = World("alpha", "beta")
    world["alpha"].changes = lambda answer: answer._replace(results=(), refusal="no compiler")
    world.at(6, lambda: world.kill("beta"))
    world.at(9, lambda: world.hosts.update({"tls://gamma:1": FakeHost("gamma")}))
    assert all_played(run(world, 80), 80)
    assert world["gamma"].played


def all_lost(host: FakeHost, void: Void) -> None:
    """Have a host say of each match that it was lost like this."""

    def change(answer: ChunkAnswer) -> ChunkAnswer:
        lost = [Lost(number, void) for number in host.played[-len(answer.results) :]]
        return answer._replace(results=tuple(lost))

    host.changes = change


def test_a_machine_that_lacks_something_rests(run: Run) -> None:
    """Its matches go to others, and no attempt counts."""
    world = World("alpha", "beta")
    all_lost(world["alpha"], Void("no room", Lack.MEMORY))
    assert all_played(run(world))
    assert len(world["alpha"].played) < len(world["beta"].played)


def test_no_host_can_say_that_somebody_is_unable(run: Run) -> None:
    """Who asks is never played there: it is an attempt like any other."""
    world = World("alpha")
    all_lost(world["alpha"], Void("429", unable=UnableSeat("ash", "429", False)))
    results = run(world)
    assert {one.void.unable for one in results if isinstance(one, Lost)} == {None}


def test_matches_are_given_out_only_after_they_were_taken_back(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match is never raced: when it is submitted again, its first task is cancelled."""
    world = World("alpha", "beta")
    world["alpha"].takes = 10_000
    submit = World.submit

    def checked(self: World, function: Any, *words: Any, **options: Any) -> Any:
        if function.__name__ == "play":
            again = {match.number for match in words[2]}
            for task in self.submitted:
                if again & {match.number for match in task.words[2]}:
                    assert task.done.cancelled() or task.done.exception() is not None
        return submit(self, function, *words, **options)

    monkeypatch.setattr(World, "submit", checked)
    assert all_played(run(world))


@pytest.mark.slow
def test_numbers_that_move_are_never_taken_back(run: Run) -> None:
    """A match of 200 slow decisions beside quick ones is played once, by the host that began it."""
    world = World("alpha", "beta")
    world["alpha"].takes = 200 * 59
    world["alpha"].moves = lambda steps: Doing(f"decision {steps // 59}")
    assert all_played(run(world))
    assert world.now > 1000 + 200 * 59
    assert len(world.submitted) == len({task.words[2] for task in world.submitted})
    assert len(world["alpha"].played) == 1


def test_a_run_with_silent_hosts_alone_ends(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """A line a minute names them, and after ten minutes the run ends."""
    world = World("alpha")
    world["alpha"].takes = 10_000
    with pytest.raises(WorkerError, match=r"alpha.*no sign of it"):
        run(world)
    assert 1000 + 660 < world.now < 1000 + 700
    lines = [line for line in caplog.messages if "waiting for" in line]
    assert 9 <= len(lines) <= 11
    assert all("alpha" in line for line in lines)


def test_chunks_grow_from_one_match(run: Run) -> None:
    """Nobody knows at first how long a match takes; 0.35 s of play are one chunk."""
    world = World("alpha")
    run(world)  # a match takes 0.1 s there
    sizes = [len(chunk) for chunk in world.chunks]
    assert sizes[:2] == [1, 1]
    assert max(sizes) == 3
    assert all(after <= 2 * before for before, after in pairwise(sizes))
