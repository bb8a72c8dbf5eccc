"""What holds of every batch of a ladder, whatever ratings say and whoever leaves or comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import ceil
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.information import information
from arena.schedule.batches import BatchHistory, History, NoBatch
from arena.schedule.ladder import FORMAT
from arena.schedule.plan import Plan, Planned
from arena.schedule.seeds import match_id
from arena.values.model import BotEntry, Tournament
from arena.values.tables import Rating

GAMES = {2: "leaves", 3: "the_tree(players=3)", 4: "the_tree(players=4)"}


def ladder(players: int = 2, rounds: int = 10**6, batch: int | None = None) -> Tournament:
    bots = (BotEntry("b0", ref="random"),)
    games = (GAMES[players],)
    return Tournament("t", games, bots, format="ladder", rounds=rounds, batch=batch, seed=7)


def entrants(count: int) -> list[str]:
    return [f"b{number}" for number in range(count)]


def drawn_ratings(names: list[str], rng: Random) -> dict[str, Rating]:
    return {name: Rating(rng.gauss(25, 6), rng.uniform(0.5, 25 / 3)) for name in names}


class Course:
    """A ladder without matches: ratings are drawn again for every batch."""

    def __init__(self, of: Tournament, names: list[str], rng: Random) -> None:
        self.of, self.names, self.rng = of, names, rng
        self.out: set[str] = set()
        self.history = History()
        self.plans: list[Plan] = []

    def playing(self) -> list[str]:
        return [name for name in self.names if name not in self.out]

    def known(self) -> BatchHistory:
        # every batch brings something
        return BatchHistory(drawn_ratings(self.names, self.rng), len(self.plans), information)

    def next(self) -> Plan | NoBatch:
        known = self.known()
        found = FORMAT.plan_batch(self.of, self.playing(), self.out, self.history, known)
        if isinstance(found, Plan):
            assert Plan.from_text(found.to_text()) == found
            again = FORMAT.plan_batch(
                self.of, self.playing()[::-1], sorted(self.out), self.history, known
            )
            assert again == found
            self.plans.append(found)
            self.history.add(found)
        return found

    def run(self, between: Callable[[], None] = lambda: None, most: int = 200) -> NoBatch:
        for _ in range(most):
            found = self.next()
            if isinstance(found, NoBatch):
                return found
            between()
        raise AssertionError("it goes on and on")

    def blocks(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for plan in self.plans:
            for meeting in plan.meetings:
                counts.update(dict.fromkeys(meeting.entrants, meeting.times))
        return counts


sizes = st.tuples(st.integers(2, 4), st.integers(2, 65)).filter(lambda pair: pair[0] <= pair[1])
rngs = st.integers(0, 2**32).map(Random)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(sizes, st.sampled_from([None, None, 1, 2, 9, 40]), rngs)
def test_batch_has_requested_blocks(size: tuple[int, int], batch: int | None, rng: Random) -> None:
    """A batch has the requested blocks and players, no match twice, and new deals."""
    players, count = size
    course = Course(ladder(players, batch=batch), entrants(count), rng)
    for _ in range(3):
        plan = course.next()
        assert isinstance(plan, Plan)
        for meeting in plan.meetings:
            assert len(set(meeting.entrants)) == players
        assert sum(meeting.times for meeting in plan.meetings) == (batch or 2 * count)
        assert len({meeting.entrants for meeting in plan.meetings}) == len(plan.meetings)
        assert len(plan.blocks) == max(meeting.times for meeting in plan.meetings)
    numbers = [k for plan in course.plans for k in plan.blocks]
    assert numbers == list(range(len(numbers)))
    schedule = Planned(course.of, course.plans)
    matches = [schedule[number] for number in range(len(schedule))]
    assert len({match_id("t", match.block, match.seating) for match in matches}) == len(matches)
    assert [match.number for match in matches] == list(range(len(matches)))


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(sizes, st.sampled_from([None, 1, 2, 7, 40]), rngs)
def test_longest_waiting_get_half(size: tuple[int, int], batch: int | None, rng: Random) -> None:
    """Half of a batch's blocks go to those who waited longest, whatever ratings are."""
    players, count = size
    course = Course(ladder(players, batch=batch), entrants(count), rng)
    most = ceil(count / ceil((batch or 2 * count) / 2))
    last = dict.fromkeys(course.names, 0)
    for number in range(1, 2 * most + 2):
        plan = course.next()
        assert isinstance(plan, Plan)
        last.update({name: number for meeting in plan.meetings for name in meeting.entrants})
        assert min(last.values()) > number - most


@pytest.mark.slow
@given(sizes, st.integers(1, 6), st.sampled_from([None, 1, 5]), rngs)
def test_everybody_gets_requested_blocks(
    size: tuple[int, int], rounds: int, batch: int | None, rng: Random
) -> None:
    """Everybody in a ladder gets the requested blocks, whoever leaves or comes."""
    players, count = size
    count = min(count, 20)
    course = Course(ladder(players, rounds=rounds, batch=batch), entrants(count), rng)

    def people() -> None:
        if rng.random() < 0.1 and len(course.playing()) > players:
            course.out.add(rng.choice(course.playing()))
        if rng.random() < 0.1 and len(course.names) < 25:
            course.names.append(f"b{len(course.names)}")
        if rng.random() < 0.1:
            course.out.clear()

    assert course.run(people, most=1000) is NoBatch.ROUNDS
    counted = course.history.blocks_of(course.out)
    assert all(counted[name] >= rounds for name in course.playing())
    assert sum(course.blocks().values()) == course.history.blocks * players


def test_ladder_with_too_few_bots_plans_no_batch() -> None:
    """With fewer bots than a match needs no batch is planned, and none is lost."""
    course = Course(ladder(3), entrants(3), Random(1))
    course.out = {"b1"}
    assert course.next() is NoBatch.ALONE
    course.out.clear()
    assert isinstance(course.next(), Plan)
