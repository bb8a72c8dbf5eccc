"""What holds of every Swiss tournament and knockout, whatever results, faults and people do.

Rounds are planned one after the other as a run does it: matches end as they please, some are never
decided, and entrants leave and come back between matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedule import knockout, swiss
from arena.schedule.formats import AdaptiveFormat
from arena.schedule.knockout import bracket
from arena.schedule.plan import Past, Plan, Planned, Ranks, score
from arena.schedule.seeds import match_id
from arena.values.model import BotEntry, Match, Tournament


def tournament(entrants: int, **keys: int) -> Tournament:
    bots = tuple(BotEntry(name=f"b{n}", ref="random") for n in range(entrants))
    return Tournament("t", ("leaves",), bots, seed=7, **keys)  # type: ignore[arg-type]


def names_of(tournament: Tournament) -> tuple[str, ...]:
    return tuple(bot.name for bot in tournament.bots)


@dataclass
class Course:
    """What happens: how matches end, what is never decided, who is out and since when."""

    rng: Random
    draws: float = 0.2
    lost: float = 0.0
    leaving: float = 0.0
    since: dict[str, int | None] = field(default_factory=dict)
    results: dict[int, Ranks] = field(default_factory=dict)

    def play(self, matches: list[Match]) -> None:
        for match in matches:
            if self.rng.random() < self.leaving:
                self.leave(self.rng.choice(match.seats), match.number)
            if self.rng.random() < self.leaving / 2 and self.since:
                self.since.pop(self.rng.choice(sorted(self.since)))
            if any(name in self.since for name in match.seats) or self.rng.random() < self.lost:
                continue
            ranks = (1, 1) if self.rng.random() < self.draws else self.rng.choice([(1, 2), (2, 1)])
            self.results[match.number] = (match.seats, ranks)

    def leave(self, name: str, number: int) -> None:
        self.since.setdefault(name, self.rng.choice([None, number - 1]))


def run(
    format_: AdaptiveFormat,
    of: Tournament,
    course: Course,
    check: Callable[[Plan, list[Past], set[str]], None] = lambda plan, past, out: None,
) -> tuple[list[Past], list[Match]]:
    past: list[Past] = []
    while True:
        out = set(course.since)
        plan = format_.plan(of, names_of(of), past, out)
        schedule = Planned(of, [*(each.plan for each in past), *([plan] if plan else [])])
        if plan is None:
            return past, [schedule[n] for n in range(len(schedule))]
        assert Plan.from_text(plan.to_text()) == plan
        check(plan, past, out)
        matches = list(schedule.of_round(len(past)))
        course.play(matches)
        brought = Past(plan, score(plan, matches, course.results, course.since))
        assert Past.from_texts(plan.to_text(), brought.points_text()) == brought
        past.append(brought)


courses = st.builds(
    lambda seed, draws, lost, leaving: Course(Random(seed), draws, lost, leaving),
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.sampled_from([0.0, 0.0, 0.2]),
    st.sampled_from([0.0, 0.0, 0.02, 0.2]),
)


def no_match_comes_twice(matches: list[Match]) -> None:
    assert len({match_id("t", match.block, match.seating) for match in matches}) == len(matches)
    assert [match.number for match in matches] == list(range(len(matches)))


@given(st.integers(2, 65), st.integers(1, 9), st.integers(1, 2), courses)
def test_everybody_in_a_swiss_round_meets_somebody_once(
    entrants: int, rounds: int, blocks: int, course: Course
) -> None:
    """All who are not out meet one other or have a bye; the deals of a round are the same."""
    of = tournament(entrants, rounds=rounds, blocks=blocks)

    def check(plan: Plan, past: list[Past], out: set[str]) -> None:
        seen = [name for meeting in plan.meetings for name in meeting.entrants]
        assert sorted(seen) == sorted(set(names_of(of)) - out)
        assert [len(m.entrants) for m in plan.meetings].count(1) == len(seen) % 2
        first = len(past) * blocks
        assert plan.blocks == tuple(range(first, first + blocks))

    past, matches = run(swiss.FORMAT, of, course, check)
    no_match_comes_twice(matches)
    left = entrants - len(course.since)
    assert len(past) == rounds or left < 2


@given(st.integers(2, 65), st.integers(1, 12), courses)
def test_nobody_meets_twice_while_it_can_be_avoided(
    entrants: int, rounds: int, course: Course
) -> None:
    """With nobody out and at most half as many rounds as entrants, all meetings are new."""
    course.leaving = 0.0
    rounds = max(1, min(rounds, entrants // 2))
    past, _ = run(swiss.FORMAT, tournament(entrants, rounds=rounds), course)
    met = Counter(frozenset(m.entrants) for plan, _ in past for m in plan.meetings)
    assert set(met.values()) == {1}


@given(st.sampled_from([3, 5, 7, 9, 33, 65]), st.integers(1, 12), courses)
def test_byes_are_given_in_turn(entrants: int, rounds: int, course: Course) -> None:
    """In a Swiss tournament nobody has a second bye before everybody had one."""
    course.leaving = 0.0
    past, _ = run(swiss.FORMAT, tournament(entrants, rounds=rounds), course)
    byes = Counter(m.entrants[0] for plan, _ in past for m in plan.meetings if len(m.entrants) == 1)
    counts = [byes[f"b{n}"] for n in range(entrants)]
    assert max(counts) - min(counts) <= 1


@given(st.integers(2, 65), st.integers(1, 2), courses)
def test_a_knockout_ends_with_one(entrants: int, blocks: int, course: Course) -> None:
    """Of n entrants n - 1 lose once, whoever leaves; the numbers of blocks never come twice."""
    of = tournament(entrants, blocks=blocks)
    past, matches = run(knockout.FORMAT, of, course)
    no_match_comes_twice(matches)
    ties = [tie for ties in bracket(past) for tie in ties]
    losers = [name for tie in ties for name in tie.entrants if name != tie.winner]
    champion = bracket(past)[-1][0].winner
    assert sorted([*losers, champion]) == sorted(names_of(of))
    places = knockout.FORMAT.places(past, None)
    assert [name for name, place in places.items() if place.reached == "winner"] == [champion]
    for tie in ties:
        assert len(tie.further) <= 8
    used: dict[int, set[tuple[int, int]]] = {}
    for plan, _ in past:
        for k in plan.blocks:
            used.setdefault(k, set()).add((plan.round, plan.further))
    assert all(len(stages) == 1 for stages in used.values())


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 65))
def test_the_better_seed_wins_a_knockout_without_surprises(entrants: int) -> None:
    """If the better seed always wins, the best two meet in the final, the best four before it."""
    of = tournament(entrants)
    order = {name: n for n, name in enumerate(names_of(of))}
    past: list[Past] = []
    while (plan := knockout.FORMAT.plan(of, names_of(of), past, ())) is not None:
        points = tuple(
            tuple(Fraction(order[name] == min(order[n] for n in m.entrants)) for name in m.entrants)
            for m in plan.meetings
        )
        past.append(Past(plan, points))
    for ties in bracket(past):
        met = sorted(name for tie in ties for name in tie.entrants)
        assert met == sorted(names_of(of)[: len(met)])
        assert all(tie.winner == tie.entrants[0] for tie in ties)
