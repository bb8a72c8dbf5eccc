"""Whole games: in every seat, twice from one seed, on shorter clocks, several in one process."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from arena.check.faults import failed_at, failed_in, said
from arena.check.rehearsal import Rehearsal, as_recorded, rehearsal
from arena.check.remedies import END_IS_NOT_QUIT, FORGET, NUMBER
from arena.check.steps import Finding, Verdict
from arena.check.subject import Subject, good_seed
from arena.match.replay import first_difference
from arena.model import Cause, Clock, Decision, Record, Termination
from arena.session.match_session import play_match
from engines import Game

__all__ = ["BUDGETS", "Played", "again", "budgets", "game", "same_seed"]

BUDGETS = (1, 10, 50)  # the limit of a move is divided by these
LONG_MS = 5000  # a match that took longer is not played a second time for comparison
LONGEST_MS = 1000  # the first budget where the clock has no limit a move
DEALS = 5  # tried until the bot has to decide often enough
ENOUGH = 3  # decisions
FIRST_MS = 1000  # for the first answer, on these clocks
BUDGET_ANSWERS = 4

Played = Mapping[tuple[Game, int], Record]  # the matches that went well, by game and seat


def game(subject: Subject, rules: Game) -> tuple[Finding, Played]:
    """Play a whole match in every seat; also returns the records if all went well."""
    played: dict[tuple[Game, int], Record] = {}
    seen, late, resigned, unasked = [], 0, [], []
    for seat in range(rules.num_players):
        for seed in range(good_seed(rules), good_seed(rules) + DEALS):
            job = subject.job(rules, seat, seed=seed)
            record = play_match(job).record
            if any(fault.player == seat for fault in record.faults):
                return failed_in(job, seat, record, f"seat {seat}: "), {}
            if (seat, None) in record.actions or len(_answers(record, seat)) >= ENOUGH:
                break
        if (seat, None) in record.actions:
            resigned.append(str(seat))
        mine = [decision.ms for decision in _answers(record, seat)]
        if not mine:
            unasked.append(str(seat))
        late += sum(
            decision.late
            for (player, _), decision in zip(record.actions, record.decisions, strict=True)
            if player == seat
        )
        seen.append(f"seat {seat}: {len(mine)} answers, slowest {max(mine, default=0):.0f} ms")
        played[rules, seat] = record
    detail = "; ".join(seen)
    if late:
        detail += f"; {late} came after the limit, within the margin"
        remedy = "Leave some of the limit unused: the third late answer of a match loses it."
    elif resigned:
        detail += f"; it resigned in seat {', '.join(resigned)}"
        remedy = "Nothing, if it means to; a game that is resigned is not walked to its end."
    elif unasked:
        detail += f"; the game was over before it was asked in seat {', '.join(unasked)}"
        remedy = f'Nothing; see it play more: arena play "{rules}" BOT random --watch.'
    else:
        return Finding(Verdict.OK, detail), played
    return Finding(Verdict.NOTE, detail, remedy), played


def same_seed(subject: Subject, played: Played) -> Finding:
    """Play the match in the first seat of each game once more, and compare; not of long games."""
    games = _shortest_first(played)
    chosen = [rules for rules in games if played[rules, 0].elapsed_ms <= LONG_MS] or games[:1]
    different = []
    for rules in chosen:
        record = played[rules, 0]
        job = subject.job(rules, 0, seed=record.seed)
        new = play_match(job).record
        if any(fault.player == 0 for fault in new.faults):
            return failed_in(job, 0, new, f"{rules}, the same match again, seat 0: ")
        if difference := first_difference(record, new):
            different.append(f"{rules}: {difference}")
    if different:
        return Finding(
            Verdict.NOTE,
            f"not reproducible: {'; '.join(different)}",
            'Take every random number from "seed", and order nothing by addresses or time. A bot '
            "that looks at the clock cannot be reproduced exactly; that is allowed.",
        )
    seen = f"the same actions twice in {len(chosen)} game{'s' * (len(chosen) != 1)}"
    left_out = len(games) - len(chosen)
    return Finding(Verdict.OK, f"{seen}; {left_out} took too long" if left_out else seen)


def again(subject: Subject, played: Played, reproducible: bool) -> Finding:
    """Play several matches in one process, the first of them a second time at the end."""
    matches = _chain(played)
    answers = []
    earlier: Rehearsal | None = None
    with ExitStack() as stack:
        for number, (rules, seat) in enumerate(matches, start=1):
            record = played[rules, seat]
            job = subject.job(rules, seat, seed=record.seed)
            match = stack.enter_context(rehearsal(job, seat, others=as_recorded(record)))
            if earlier is not None:
                match.go_on_from(earlier)
            elif not match.greet():
                return failed_at(match)
            if not match.play():
                return _failed_again(match, number, f"{rules}, seat {seat}")
            match.say_farewell()
            answers.append(match.referee.course.actions)
            earlier = match
        count = len(matches)
        if reproducible and answers[0] != answers[-1]:
            return Finding(
                Verdict.NOTE,
                f"{count} games; the first, played again at the end, was answered otherwise",
                FORGET,
                match.transcript.lines(),
            )
    listed = ", ".join(f"{rules} seat {seat}" for rules, seat in matches)
    return Finding(Verdict.OK, f"{count} games: {listed}")


def budgets(subject: Subject, played: Played) -> Finding:
    """Play the beginning of a game on three clocks; only the longest must be kept."""
    rules, _ = next(iter(played))
    longest = subject.clock.move_ms or LONGEST_MS
    seen, missed = [], []
    for part in BUDGETS:
        limit = max(1, longest // part)
        clock = dataclasses.replace(
            Clock(), move_ms=limit, first_ms=FIRST_MS, margin_ms=subject.clock.margin_ms
        )
        job = subject.job(rules, 0, clock=clock, max_decisions=BUDGET_ANSWERS * rules.num_players)
        record = play_match(job).record
        fault = next((fault for fault in record.faults if fault.player == 0), None)
        if fault is None:
            text, late = _slowest(record, limit)
            seen.append(text)
            missed += [limit] * late
        elif fault.code is not Termination.TIME or part == BUDGETS[0]:
            return failed_in(job, 0, record, f"{rules}, {limit} ms a move: ")
        else:
            seen.append(f"of {limit} ms too much: {said(fault)}")
            missed.append(limit)
    if missed:
        return Finding(
            Verdict.NOTE,
            "; ".join(seen),
            'Take the time from "limit=" of each "go", less some ms for the way; a tournament may '
            "have such a clock.",
        )
    return Finding(Verdict.OK, "; ".join(seen))


def _slowest(record: Record, limit: int) -> tuple[str, bool]:
    """Return what the slowest answer of the first seat was charged, and whether that was late.

    The very first is left out, since it has a longer limit. What an answer took by the clock is
    said where that was more than the limit: a busy machine kept the bot waiting then.
    """
    answers = _answers(record, 0)[1:]
    charged = max((one.charged_ms for one in answers), default=0.0)
    took = max((one.ms for one in answers), default=0.0)
    late = charged > limit
    words = f"of {limit} ms it was charged {charged:.0f}{' (late)' * late}"
    waited = took > limit and not late
    return words + f" ({took:.0f} by the clock, as the machine was busy)" * waited, late


def _answers(record: Record, seat: int) -> list[Decision]:
    """Return how each answer of a seat came about."""
    return [
        decision
        for (player, action), decision in zip(record.actions, record.decisions, strict=True)
        if player == seat and action is not None
    ]


def _shortest_first(played: Played) -> list[Game]:
    """Return the games that were played, by the time their first match took."""
    games = dict.fromkeys(rules for rules, _ in played)
    return sorted(games, key=lambda rules: played[rules, 0].elapsed_ms)


def _chain(played: Played) -> Sequence[tuple[Game, int]]:
    """Return what to play in one process: the shortest game in two seats, another, the first again.

    The next game is another one if there is one; what only takes longer would show no more.
    """
    games = _shortest_first(played)
    seats = [match for match in played if match[0] == games[0]]
    others = [(rules, 0) for rules in games[1:2]]
    return [seats[0], *seats[1:][-1:], *others, seats[0]]


def _failed_again(match: Rehearsal, number: int, which: str) -> Finding:
    where = f"game {number} of the process ({which}): "
    fault = match.fault
    assert fault is not None
    if number == 1 or fault.code is Termination.MEMORY:
        return failed_at(match, where)
    if (fault.code, fault.cause) == (Termination.CRASH, Cause.LEFT):
        return failed_at(match, where, remedy=END_IS_NOT_QUIT)
    return failed_at(match, where, remedy=f"{FORGET} {NUMBER}" if match.player.stale else FORGET)
