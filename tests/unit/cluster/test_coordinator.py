"""The coordinator of a cluster: every match counts once, whatever hosts and the network do."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise
from typing import Any

import pytest
from support.cluster_world import BOTS, FakeHost, Inline, World, coordinator, jobs, schedule
from support.finished import entrants

from arena.cluster.recheckers import Item
from arena.cluster.terms import ChunkAnswer
from arena.values.errors import Lack, WorkerError
from arena.values.model import Match
from arena.workers.local import Lost, Played

anything: Any = None
Run = Callable[..., list[Played | Lost]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Return what plays so many matches in a world, and returns all results."""
    worlds: list[World] = []

    def played(world: World, count: int = 40) -> list[Played | Lost]:
        worlds.append(world)
        left = iter(schedule(count))
        with coordinator(monkeypatch, world) as cluster:
            results = cluster.run(lambda _: next(left, None), jobs())
            return [one for together in results for one in together]

    yield played
    assert all(world.closed for world in worlds)


def numbers(results: list[Played | Lost]) -> list[int]:
    return sorted(
        one.packed.number if isinstance(one, Played) else one.match.number for one in results
    )


def all_played(results: list[Played | Lost], count: int = 40) -> bool:
    """Return whether each match was played, once."""
    return numbers(results) == list(range(count)) and all(
        isinstance(one, Played) for one in results
    )


def test_hosts_share_the_matches(run: Run) -> None:
    """Every match comes back once, and each host has played some of them."""
    world = World("alpha", "beta")
    assert all_played(run(world))
    assert world["alpha"].played
    assert world["beta"].played
    assert sorted(world["alpha"].played + world["beta"].played) == list(range(40))


def test_the_host_and_its_level_stand_in_what_counts(run: Run) -> None:
    """Tables are made from what the record says, and the record names who played."""
    (result,) = run(World("alpha"), 1)
    assert isinstance(result, Played)
    assert b'"host":"alpha"' in result.packed.data
    assert b'"sandbox":"landlock"' in result.packed.data


def test_terms_and_bots_are_sent_once(run: Run) -> None:
    """Each bot under its hash, whatever chunks need it."""
    world = World("alpha", "beta")
    assert all_played(run(world))
    bots = {f"arena-bot-{one.bot.hash}": one for one in entrants(BOTS)}
    terms = world.carried.keys() - bots.keys()
    assert len(terms) == 1
    for key, one in bots.items():
        assert world.carried[key] == f"{one.name} {one.bot.hash}".encode()


def test_chunks_grow_from_one_match(run: Run) -> None:
    """Nobody knows at first how long a match takes; 0.35 s of play are one chunk."""
    world = World("alpha")
    run(world)  # a match takes 0.1 s there
    sizes = [len(chunk) for chunk in world.chunks]
    assert sizes[:2] == [1, 1]
    assert max(sizes) == 3
    assert all(after <= 2 * before for before, after in pairwise(sizes))


def test_chunks_are_longer_where_there_are_many_hosts(run: Run) -> None:
    """So that all of them together end at most some 100 chunks a second."""
    world = World(*(f"host{number}" for number in range(100)))
    run(world, 4000)
    assert max(len(chunk) for chunk in world.chunks) == 10  # 100 / 100 s


def test_with_very_many_hosts_a_chunk_is_for_some_of_them(run: Run) -> None:
    """Dask compares all that may play a chunk; each host is among those of some chunks."""
    world = World(*(f"host{number}" for number in range(600)))
    assert all_played(run(world, 3000), 3000)
    assert all(len(task.workers or ()) == 20 for task in world.submitted)
    assert all(host.played for host in world.hosts.values())


def test_a_large_cluster_is_asked_seldom_who_is_there(run: Run) -> None:
    """As seldom as hosts themselves say that they are: every n/200 s."""
    world = World(*(f"host{number}" for number in range(2000)))
    for host in world.hosts.values():
        host.says, host.fits = {}, False  # which ends the run after 10 s
    with pytest.raises(WorkerError, match="may play"):
        run(world)
    assert world.asked <= 3


def test_matches_that_may_have_ended_hosts_are_sent_alone(run: Run) -> None:
    """The one that did is reported with all attempts that it had; the others are played."""
    world = World("alpha", "beta")
    for host in world.hosts.values():
        host.deadly = frozenset({30})
    results = run(world)
    assert numbers(results) == list(range(40))
    [lost] = [one for one in results if isinstance(one, Lost)]
    assert (lost.match.number, lost.tries) == (30, 3)
    assert (schedule(40)[30],) in world.chunks


def test_a_lost_scheduler_ends_the_run(run: Run) -> None:
    """What was under way is not known any more; the same command goes on."""
    world = World("alpha")
    world.at(5, world.lose_scheduler)
    with pytest.raises(WorkerError, match="same command"):
        run(world)


def test_a_client_without_connection_ends_the_run(run: Run) -> None:
    """Also where nothing was under way."""
    world = World()
    world.at(3, lambda: setattr(world, "status", "connecting"))
    with pytest.raises(WorkerError, match="same command"):
        run(world)


def first_changed(**changed: Any) -> Callable[[ChunkAnswer], ChunkAnswer]:
    """Return what changes fields of the first match of an answer."""

    def change(answer: ChunkAnswer) -> ChunkAnswer:
        first, *rest = answer.results
        assert isinstance(first, Played)
        return answer._replace(results=(Played(first.packed._replace(**changed)), *rest))

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda answer: answer._replace(results=(answer.results[0], *answer.results)),
        lambda answer: answer._replace(results=answer.results[1:]),
        lambda answer: answer._replace(results=(None, *answer.results[1:])),
        lambda answer: answer._replace(level="none"),
        first_changed(ranks=(9, 9)),
        first_changed(data=b"{}"),
        first_changed(data=None),
        first_changed(number=[1]),
    ],
    ids=[
        *("twice", "missing", "nothing", "other level", "other ranks", "other game", "no record"),
        "no number",
    ],
)
def test_what_is_wrong_is_played_elsewhere(
    run: Run, change: Callable[[ChunkAnswer], ChunkAnswer], caplog: pytest.LogCaptureFixture
) -> None:
    """It is said loudly, the host gets no more matches, and every match still counts once."""
    world = World("alpha", "beta")
    world["alpha"].changes = change
    results = run(world)
    assert numbers(results) == list(range(40))
    assert [r for r in caplog.records if r.levelno == logging.ERROR and "alpha" in r.getMessage()]
    assert len(world["alpha"].played) <= 4  # those that it had by then


def test_a_recheck_that_ended_blames_nobody(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match is void, as after any death of a process, and its host plays on."""

    class Deadly(Inline):
        def give(self, items: Sequence[Item], then: Callable[..., None]) -> None:
            if any(match.number == 7 for match, _ in items):
                then(items, BrokenProcessPool("somebody killed it"))
            else:
                super().give(items, then)

    monkeypatch.setattr("support.cluster_world.Inline", Deadly)
    world = World("alpha")
    results = run(world)
    assert numbers(results) == list(range(40))
    [lost] = [one for one in results if isinstance(one, Lost)]
    assert lost.match.number == 7
    assert world["alpha"].played[-1] == 39


def test_a_distrusted_machine_comes_back_in_vain(run: Run) -> None:
    """Another process of that machine, or the same one at another port, gets nothing."""
    world = World("alpha", "beta")
    world["alpha"].changes = first_changed(ranks=(9, 9))
    late = FakeHost("alpha")
    world.at(5, lambda: world.hosts.update({"tls://alpha:2": late}))
    assert all_played(run(world, 80), 80)
    assert late.played == []


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ({"arena": "0.0.9", "python": "3.11"}, ("0.0.9", "alpha")),
        ({}, ("arena cluster worker",)),
    ],
)
def test_hosts_that_do_not_fit_are_named(
    run: Run, caplog: pytest.LogCaptureFixture, says: dict[str, Any], words: tuple[str, ...]
) -> None:
    """A line says which and why; the others play."""
    world = World("alpha", "beta")
    world["alpha"].says = says
    world["alpha"].fits = False
    assert all_played(run(world))
    [line] = [line for line in caplog.messages if "plays nothing" in line]
    assert all(word in line for word in words)


def test_with_all_hosts_refused_the_run_ends(run: Run) -> None:
    """It says why, instead of waiting for ever."""
    world = World("alpha")
    world["alpha"].says["isolates"] = False
    world["alpha"].fits = False
    with pytest.raises(WorkerError, match="must be isolated"):
        run(world)


def test_a_host_that_refuses_gets_no_more(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """A machine without a compiler, say: what it had is played by others."""
    world = World("alpha", "beta")
    world["alpha"].changes = lambda answer: answer._replace(results=(), refusal="no compiler")
    assert all_played(run(world))
    assert len(world["alpha"].played) <= 2  # what it had by then
    assert any("no compiler" in line for line in caplog.messages)


def test_chunks_for_hosts_that_have_gone_are_taken_back(run: Run) -> None:
    """While one is refused, chunks name the others; when those are gone, newcomers play."""
    world = World("alpha", "beta")
    world["alpha"].changes = lambda answer: answer._replace(results=(), refusal="no compiler")
    world.at(6, lambda: world.kill("beta"))
    world.at(9, lambda: world.hosts.update({"tls://gamma:1": FakeHost("gamma")}))
    assert all_played(run(world, 80), 80)
    assert world["gamma"].played


def test_without_hosts_it_waits_and_says_so(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """Once; and the first host that joins later plays everything."""
    world = World()
    world.at(20, lambda: world.hosts.update({"tls://alpha:1": FakeHost("alpha")}))
    assert all_played(run(world))
    [line] = [line for line in caplog.messages if "waiting" in line]
    assert "no host is there" in line


def test_how_many_play_is_said(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """Whenever it has changed: one host goes, another comes."""
    world = World("alpha", "beta")
    world.at(4, lambda: world.kill("beta"))
    assert all_played(run(world))
    said = [line.partition(":")[0] for line in caplog.messages if "ready to play" in line]
    assert said == ["2 host processes on 2 machines", "1 host process on 1 machine"]
    assert any("beta" in line and "is gone" in line for line in caplog.messages)


def test_a_machine_that_lacks_something_rests(run: Run) -> None:
    """Its matches go to others, and no attempt counts."""
    world = World("alpha", "beta")
    alpha = world["alpha"]

    def lack(answer: ChunkAnswer) -> ChunkAnswer:
        lost = [Lost(schedule(40)[number], "no room", Lack.MEMORY) for number in alpha.played]
        return answer._replace(results=tuple(lost[-len(answer.results) :]))

    alpha.changes = lack
    assert all_played(run(world))
    assert len(alpha.played) < len(world["beta"].played)


def test_void_matches_are_reported_with_their_host(run: Run) -> None:
    """Whether they are tried again is for the runner to say."""
    world = World("alpha")
    world["alpha"].changes = lambda answer: answer._replace(
        results=tuple(Lost(schedule(1)[0], "worker died") for _ in answer.results)
    )
    [lost] = run(world, 1)
    assert isinstance(lost, Lost)
    assert (lost.reason, lost.tries) == ("alpha: worker died", 1)


def test_matches_come_again_when_there_are_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number instead of a match is when to ask again; what results bring is asked for."""
    world = World("alpha")
    ahead = schedule(3)
    given: list[Match | float] = [ahead[0], 0.5, ahead[1], 0.5, ahead[2]]
    left = iter(given)
    with coordinator(monkeypatch, world) as cluster:
        results = cluster.run(lambda _: next(left, None), jobs())
        assert all_played([one for together in results for one in together], 3)


def test_a_run_that_was_left_leaves_nothing_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a comparison that is decided: answers to what it had asked are not heard."""
    world = World("alpha")
    make = jobs()
    with coordinator(monkeypatch, world) as cluster:
        left = iter(schedule(40))
        next(iter(cluster.run(lambda _: next(left, None), make)))
        again = iter(schedule(8))
        results = cluster.run(lambda _: next(again, None), make)
        assert all_played([one for together in results for one in together], 8)


def test_new_terms_are_sent_before_more_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a ladder, when a newer version is taken up between two rounds."""
    world = World("alpha")
    with coordinator(monkeypatch, world) as cluster:
        for make in (jobs(), jobs()):
            left = iter(schedule(4))
            results = cluster.run(lambda _, left=left: next(left, None), make)  # type: ignore[misc]
            assert all_played([one for together in results for one in together], 4)
    assert len([key for key in world.carried if "terms" in key]) == 2
