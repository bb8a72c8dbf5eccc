"""The coordinator of a cluster: every match counts once, whatever hosts and the network do."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest
from support.cluster_world import BOTS, FakeHost, Inline, World, coordinator, jobs, schedule
from support.finished import entrants

from arena.cluster.link import Answered, Down, HostGone, Seen, Up
from arena.cluster.recheck import Sent
from arena.cluster.recheckers import Rechecked
from arena.errors import Lack, MachineLacks, WorkerError
from arena.jobs import Jobs
from arena.model import Match
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


def test_terms_are_sent_once_and_bots_that_are_missing(run: Run) -> None:
    """A host is shown the terms, sent what it lacks, and then only matches."""
    world = World("alpha")
    lacks = entrants(BOTS)[1].bot.hash
    world["alpha"].missing = (lacks,)
    assert all_played(run(world))
    assert len(world["alpha"].terms) == 1
    assert world["alpha"].taken == [f"elm {lacks}".encode()]


@pytest.mark.parametrize("homes", [1, 3])
def test_a_bot_is_sent_to_each_home_once(run: Run, homes: int) -> None:
    """The other host processes of a machine wait for it, and find it if the home is theirs."""
    world = World("alpha", "beta")
    lacks = {entrant.bot.hash for entrant in entrants(BOTS)[1:]}
    kept: list[list[str]] = [[] for _ in range(homes)]
    for place in range(3):
        own = kept[place % homes]
        there = FakeHost("gamma", shelf=own, missing=tuple(sorted(lacks)))
        world.hosts[f"tls://gamma:{place}"] = there
    assert all_played(run(world))
    machine = [host for host in world.hosts.values() if host.name == "gamma"]
    assert sum(len(host.taken) for host in machine) == homes * len(lacks)
    assert all(host.played for host in machine)


def test_another_run_on_the_same_hosts_is_said_once(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    """A run that waits longer than usual says why."""
    world = World("alpha")
    for step in (6, 9):
        world.at(step, lambda: world.say(Seen({"tls://alpha:1": world.now}, shared=True)))
    assert all_played(run(world))
    assert len([line for line in caplog.messages if "another run" in line]) == 1


def test_a_host_that_ends_while_it_is_sent_bots(run: Run) -> None:
    """The next one of its machine is sent them."""
    world = World("alpha")
    lacks = tuple(sorted(entrant.bot.hash for entrant in entrants(BOTS)))
    shelf: list[str] = []
    for place in range(2):
        world.hosts[f"tls://gamma:{place}"] = FakeHost("gamma", shelf=shelf, missing=lacks)
    first = world.hosts["tls://gamma:0"]
    take = first.answer

    def end(function: str, words: Sequence[Any]) -> object:
        if function == "take_bot" and first.taken:
            del world.hosts["tls://gamma:0"]
            raise HostGone
        return take(function, words)

    first.answer = end  # type: ignore[method-assign]
    assert all_played(run(world))
    assert len(first.taken) == 1
    assert len(world.hosts["tls://gamma:1"].taken) == 2


@pytest.mark.parametrize("level", ["none", "limits", "", "other"])
def test_a_host_at_a_level_that_does_not_isolate_is_refused(
    run: Run, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What it says of itself is looked at here, too."""
    world = World("alpha", "beta")
    world["alpha"].level = level
    assert all_played(run(world))
    assert world["alpha"].played == []
    assert [r for r in caplog.records if "alpha" in r.getMessage() and "level" in r.getMessage()]


@pytest.mark.parametrize("missing", ["sha256:" + "0" * 64, ["damaged"]], ids=str)
def test_a_host_that_asks_for_another_bot_is_refused(run: Run, missing: object) -> None:
    """Only those that play are sent."""
    world = World("alpha", "beta")
    world["alpha"].missing = (missing,)
    assert all_played(run(world))
    assert world["alpha"].played == []


def test_matches_of_a_host_that_ends_go_to_others(run: Run) -> None:
    """Nothing is lost with it, and nothing is played twice that came back."""
    world = World("alpha", "beta")
    world.step = 0.01  # so that chunks have many matches
    world.at(8, lambda: world.kill("alpha"))
    assert all_played(run(world, 200), 200)


def test_a_match_that_ends_hosts_is_reported(run: Run) -> None:
    """What a host had begun is sent to the next alone; if that ends, too, the match is void."""
    world = World("alpha", "beta", "gamma")
    world.step = 0.01
    ended: list[list[int]] = []
    answer = world.answer

    def end_at_17(host: FakeHost) -> None:
        _, function, words = host.asked[0]
        chunk = [match.number for match in words[1]] if function == "play" else []
        if 17 in chunk:
            ended.append(chunk)
            world.kill(host.name)
        else:
            answer(host)

    world.answer = end_at_17  # type: ignore[method-assign]
    results = run(world)
    (lost,) = [one for one in results if isinstance(one, Lost)]
    assert numbers(results) == list(range(40))
    assert lost.match.number == 17
    assert len(ended) == 2
    assert ended[1] == [17]


def test_a_silent_host_loses_its_matches_and_its_late_answers(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    """After 15 s without a sign of life others play them; it comes back, and plays again."""
    world = World("alpha", "beta")
    world.at(8, lambda: setattr(world["alpha"], "alive", False))
    world.at(50, lambda: setattr(world["alpha"], "alive", True))
    with caplog.at_level(logging.WARNING):
        results = run(world, 500)
    assert all_played(results, 500)
    words = " ".join(caplog.messages)
    assert "alpha" in words
    assert "silent" in words
    assert "heard again" in words
    twice = len(world["alpha"].played) + len(world["beta"].played) - 500
    assert twice > 0  # it answered late, which counted nothing
    assert max(world["alpha"].played) > 250


def test_a_short_silence_changes_nothing(run: Run) -> None:
    """A host that is heard again in time keeps its matches."""
    world = World("alpha", "beta")
    world.at(8, lambda: setattr(world["alpha"], "alive", False))
    world.at(18, lambda: setattr(world["alpha"], "alive", True))
    assert all_played(run(world, 200), 200)
    assert world.dropped == set()


def test_a_lost_connection_begins_again(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """After a scheduler's restart hosts are admitted again, and their matches sent again."""
    world = World("alpha", "beta")

    def lose() -> None:
        for host in world.hosts.values():
            host.there = False
            host.asked.clear()
        world.say(Down("the scheduler was started again"))

    def find() -> None:
        for host in world.hosts.values():
            host.there = True
        world.say(Up())

    world.at(9, lose)
    world.at(30, find)
    with caplog.at_level(logging.WARNING):
        assert all_played(run(world, 100), 100)
    assert "waiting" in " ".join(caplog.messages)


def test_a_host_that_forgot_the_terms_is_shown_them_again(run: Run) -> None:
    """As one whose process was started again under the same address."""
    world = World("alpha")
    world.at(9, lambda: world.restart("alpha"))
    assert all_played(run(world))


def test_answers_to_calls_that_nobody_made_are_not_heard(run: Run) -> None:
    """A second delivery of an answer, or of one that was dropped, changes nothing."""
    world = World("alpha")
    for step in range(9, 30):  # by then the first few calls were answered
        call = step % 5 if step % 2 else 1000 + step
        world.at(step, partial(world.say, Answered(call, ["what"])))
    assert all_played(run(world))


@pytest.mark.parametrize(
    "change",
    [
        lambda answers: [*answers, answers[0]],
        lambda answers: answers[1:],
        lambda answers: "nothing",
        lambda answers: [
            Played(answers[0].packed._replace(ranks=answers[0].packed.ranks[::-1])),
            *answers[1:],
        ],
        lambda answers: [
            Played(
                answers[0].packed._replace(data=answers[0].packed.data.replace(b"leaves", b"x"))
            ),
            *answers[1:],
        ],
        lambda answers: [Played(answers[0].packed._replace(data=None)), *answers[1:]],
        lambda answers: [Played(anything), Lost(anything, "why"), None, *answers[1:]],
        lambda answers: [
            Played(answers[0].packed._replace(number=[answers[0].packed.number])),
            *answers[1:],
        ],
    ],
    ids=[
        "twice",
        "missing",
        "nothing",
        "other ranks",
        "other game",
        "no record",
        "no match",
        "no number",
    ],
)
def test_what_does_not_stand_is_played_elsewhere(
    run: Run, change: Callable[[Any], Any], caplog: pytest.LogCaptureFixture
) -> None:
    """It is said loudly, the host gets no more matches, and every match still counts once."""
    world = World("alpha", "beta")
    world["alpha"].changes = change
    results = run(world)
    assert numbers(results) == list(range(40))
    assert [r for r in caplog.records if r.levelno == logging.ERROR and "alpha" in r.getMessage()]
    assert len(world["alpha"].played) <= 4  # those that it had by then


def test_a_recheck_that_ended_blames_nobody(
    run: Run, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The match is void, as after any death of a process, and its host plays on."""
    world = World("alpha")
    usual = Inline.give

    def give(self: Inline, items: Sequence[tuple[Match, Sent]], make: Jobs) -> None:
        for item in items:
            if item[0].number == 7:
                self.settled(Rechecked(*item, "it was killed", ended=True))
            else:
                usual(self, [item], make)

    monkeypatch.setattr(Inline, "give", give)
    results = run(world)
    assert numbers(results) == list(range(40))
    assert [one.match.number for one in results if isinstance(one, Lost)] == [7]
    assert not [r for r in caplog.records if r.levelno == logging.ERROR]


def test_a_machine_is_distrusted_once(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """However much of what it had sent by then does not stand."""
    world = World("alpha", "beta")
    world["alpha"].changes = lambda answers: [
        Played(one.packed._replace(ranks=one.packed.ranks[::-1])) if answers[1:] else one
        for one in answers
    ]
    world.step = 0.01  # so that chunks grow beyond one match
    assert numbers(run(world, 100)) == list(range(100))
    assert len([r for r in caplog.records if r.levelno == logging.ERROR]) == 1


def test_a_distrusted_machine_comes_back_in_vain(run: Run) -> None:
    """Another process of that machine, or the same one at another address, gets nothing."""
    world = World("alpha", "beta")
    world["alpha"].changes = lambda answers: []
    world.at(20, lambda: world.hosts.update({"tls://alpha:2": FakeHost("alpha")}))
    assert all_played(run(world, 100), 100)
    assert world.hosts["tls://alpha:2"].played == []


def test_other_versions_are_refused_with_both(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """The refusal names the host, its version and ours; the others play."""
    world = World("alpha", "beta")
    world["alpha"].said = {**world["alpha"].said, "arena": "99.7"}
    assert all_played(run(world))
    assert world["alpha"].played == []
    (words,) = [line for line in caplog.messages if "99.7" in line]
    assert "alpha" in words


def test_with_all_hosts_refused_the_run_ends(run: Run) -> None:
    """It says why, instead of waiting for ever."""
    world = World("alpha", "beta")
    for name in ("alpha", "beta"):
        world[name].refusals = (f"{name} has no sandbox",)
    with pytest.raises(WorkerError) as raised:
        run(world)
    assert raised.value.exit_code == 3
    assert "alpha has no sandbox" in str(raised.value)
    assert "beta has no sandbox" in str(raised.value)


def test_a_cluster_that_is_never_reached_ends_the_run(run: Run) -> None:
    """After half a minute, with what was wrong."""
    world = World()
    world._events.clear()
    world.say(Down("nobody answers"))
    with pytest.raises(WorkerError, match="nobody answers"):
        run(world)


def test_without_hosts_it_waits_and_says_so(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """Once; and the first host that joins later plays everything."""
    world = World("alpha")
    world["alpha"].there = False
    world.at(120, lambda: setattr(world["alpha"], "there", True))
    with caplog.at_level(logging.WARNING):
        assert all_played(run(world))
    assert len([line for line in caplog.messages if "waiting" in line]) == 1
    assert len([line for line in caplog.messages if "1 host process on 1 machine:" in line]) == 1


def test_how_many_play_is_said(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    """Whenever it has changed: one host goes, another comes."""
    world = World("alpha", "beta")
    world["beta"].there = False
    world.at(8, lambda: world.kill("alpha"))
    world.at(200, lambda: setattr(world["beta"], "there", True))
    with caplog.at_level(logging.WARNING):
        assert numbers(run(world)) == list(range(40))
    assert len([line for line in caplog.messages if "1 host process on 1 machine:" in line]) == 2


def test_a_machine_that_lacks_something_rests(run: Run) -> None:
    """Its matches go to others, and no attempt counts."""
    world = World("alpha", "beta")
    first = True

    def lacks(answers: list[Any]) -> Any:
        nonlocal first
        if not first:
            return answers
        first = False
        return [Lost(schedule(40)[one.packed.number], "no memory", Lack.MEMORY) for one in answers]

    world["alpha"].changes = lacks
    assert all_played(run(world))


def test_a_machine_that_lacks_something_for_bots_is_asked_until_it_has_it(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    """A lack is no failure: it may last longer than a host may fail."""
    world, lacks = World("alpha"), iter(range(20))
    answer = FakeHost.answer

    def lacking(host: FakeHost, function: str, words: Sequence[Any]) -> object:
        if function == "look" and next(lacks, None) is not None:
            raise MachineLacks("building elm", Lack.MEMORY)
        return answer(host, function, words)

    monkeypatch.setattr(FakeHost, "answer", lacking)
    assert all_played(run(world))


def test_void_matches_are_reported_with_their_host(run: Run) -> None:
    """Whether they are tried again is for the runner to say."""
    world = World("alpha")
    world["alpha"].changes = lambda answers: [
        Lost(schedule(40)[one.packed.number], "its worker ended") for one in answers
    ]
    results = run(world, 3)
    assert numbers(results) == [0, 1, 2]
    assert all("alpha" in one.reason for one in results if isinstance(one, Lost))


def test_a_host_that_fails_again_and_again_is_given_up(run: Run) -> None:
    """Errors of a host cost no match; after five of them it gets nothing."""
    world = World("alpha", "beta")

    def fail(answers: list[Any]) -> Any:
        raise ValueError("broken")

    world["alpha"].changes = fail
    assert all_played(run(world, 200), 200)
    failed = len(world["alpha"].played)
    assert 5 <= failed <= 10


def test_matches_come_again_when_there_are_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number instead of a match is when to ask again; what results bring is asked for."""
    world = World("alpha")
    come: list[Match] = []

    def give(place: int) -> Match | float | None:
        number = len(come)
        if number == 40:
            return None
        if number % 5 == 4 and world.now % 2:
            return 0.01
        come.append(schedule(40)[number])
        return come[-1]

    with coordinator(monkeypatch, world) as cluster:
        results = [one for together in cluster.run(give, jobs()) for one in together]
    assert all_played(results)


def test_a_run_that_was_left_leaves_nothing_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a comparison that is decided: late answers to what it had asked are not heard."""
    world = World("alpha")
    first, second = iter(schedule(100)), iter(schedule(200)[100:])
    make = jobs()
    with coordinator(monkeypatch, world) as cluster:
        for _ in cluster.run(lambda _: next(first, None), make):
            break
        results = [one for some in cluster.run(lambda _: next(second, None), make) for one in some]
    assert numbers(results) == list(range(100, 200))


def test_new_terms_are_shown_before_more_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a ladder, when a newer version is taken up between two rounds."""
    world = World("alpha", "beta")
    first, second = iter(schedule(20)), iter(schedule(40)[20:])
    with coordinator(monkeypatch, world) as cluster:
        results = [one for some in cluster.run(lambda _: next(first, None), jobs()) for one in some]
        again = cluster.run(lambda _: next(second, None), jobs())
        results += [one for some in again for one in some]
    assert all_played(results)
    assert [len(world[name].terms) for name in ("alpha", "beta")] == [2, 2]


def test_ctrl_c_while_a_cluster_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process and no connection of the cluster is left afterwards."""
    world = World("alpha")
    ended: list[str] = []

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(world, "close", interrupted)
    cluster = coordinator(monkeypatch, world)
    cluster._running.callback(ended.append, "running")
    monkeypatch.setattr(cluster._recheckers, "close", partial(ended.append, "recheckers"))
    with pytest.raises(KeyboardInterrupt):
        cluster.stop()
    assert ended == ["recheckers", "running"]
    assert not cluster._selector.get_map()
