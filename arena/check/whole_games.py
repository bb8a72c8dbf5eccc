"""Whole games: in every seat, twice from one seed, several in one process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from arena.check.rehearsal import Rehearsal, rehearsal
from arena.check.remedies import END_IS_NOT_QUIT, FORGET, NUMBER, failed_at
from arena.check.steps import Note, StepResult, StepState, Subject, noted
from arena.values.model import Cause, Termination
from engines import Game

LONG_MS = 5000  # a match that took longer is not played a second time for comparison

Actions = Sequence[tuple[int, str | None]]


class CleanMatch(NamedTuple):
    """A match that went well: what each player did, and how long it took."""

    actions: Actions
    ms: float


Played = Mapping[tuple[Game, int], CleanMatch]  # by game and seat


def game(subject: Subject, rules: Game, played: dict[tuple[Game, int], CleanMatch]) -> StepResult:
    """Play a whole match in every seat; the matches are added to ``played`` if all went well."""
    clean: dict[tuple[Game, int], CleanMatch] = {}
    seen, late, resigned = [], 0, []
    for seat in range(rules.num_players):
        with rehearsal(subject, rules, seat) as match:
            if not (match.greet() and match.play()):
                return failed_at(match, f"seat {seat}: ")
            answers, actions = match.answers(), match.referee.course.actions
            clean[rules, seat] = CleanMatch(actions, match.transcript.ms())
        if (seat, None) in actions:
            resigned.append(str(seat))
        late += sum(answer.late for answer in answers)
        slowest = max((answer.ms for answer in answers), default=0)
        seen.append(f"seat {seat}: {len(answers)} answers, slowest {slowest:.0f} ms")
    notes: list[Note] = []
    if late:
        remedy = "Leave some of the limit unused: the third late answer loses the match."
        notes.append((f"{late} came after the limit, within the margin", remedy))
    if resigned:
        remedy = "Nothing, if the bot means to resign; but then no game is played to its end."
        notes.append((f"it resigned in seat {', '.join(resigned)}", remedy))
    played |= clean
    return noted("; ".join(seen), notes)


def same_seed(subject: Subject, played: Played) -> StepResult:
    """Play the match in the first seat of each game once more, and compare; not of long games."""
    games = _shortest_first(played)
    chosen = [rules for rules in games if played[rules, 0].ms <= LONG_MS] or games[:1]
    different = []
    for rules in chosen:
        before = played[rules, 0]
        with rehearsal(subject, rules) as match:
            if not (match.greet() and match.play()):
                return failed_at(match, f"{rules}, the same match again, seat 0: ")
            if difference := _difference(before.actions, match.referee.course.actions):
                different.append(f"{rules}: {difference}")
    if different:
        return StepResult(
            StepState.NOTE,
            f"not reproducible: {'; '.join(different)}",
            'Take every random number from "seed", and order nothing by addresses or time. A bot '
            "that looks at the clock cannot be reproduced exactly; that is allowed.",
        )
    seen = f"the same actions twice in {len(chosen)} game{'s' * (len(chosen) != 1)}"
    left_out = len(games) - len(chosen)
    return StepResult(StepState.OK, f"{seen}; {left_out} took too long" if left_out else seen)


def again(subject: Subject, played: Played, reproducible: bool) -> StepResult:
    """Play several matches in one process, the first of them a second time at the end."""
    matches = _chain(played)
    answers = []
    earlier: Rehearsal | None = None
    with ExitStack() as stack:
        for number, (rules, seat) in enumerate(matches, start=1):
            match = stack.enter_context(rehearsal(subject, rules, seat))
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
            otherwise = "the first, played again at the end, was answered otherwise"
            return noted(f"{count} games", [(otherwise, FORGET)], match.transcript.lines())
    listed = ", ".join(f"{rules} seat {seat}" for rules, seat in matches)
    return StepResult(StepState.OK, f"{count} games: {listed}")


def _difference(before: Actions, after: Actions) -> str:
    """Return the first action that differs, in words; nothing if none does."""
    for number, (one, other) in enumerate(zip(before, after, strict=False), start=1):
        if one != other:
            return f"action {number} was {one[1]}, then {other[1]}"
    return "" if len(before) == len(after) else f"{len(before)} actions, then {len(after)}"


def _shortest_first(played: Played) -> list[Game]:
    """Return the games that were played, by the time their first match took."""
    games = dict.fromkeys(rules for rules, _ in played)
    return sorted(games, key=lambda rules: played[rules, 0].ms)


def _chain(played: Played) -> Sequence[tuple[Game, int]]:
    """Return what to play in one process: the shortest game in two seats, another, the first again.

    The next game is another one if there is one; what only takes longer would show no more.
    """
    games = _shortest_first(played)
    seats = [match for match in played if match[0] == games[0]]
    others = [(rules, 0) for rules in games[1:2]]
    return [seats[0], *seats[1:][-1:], *others, seats[0]]


def _failed_again(match: Rehearsal, number: int, which: str) -> StepResult:
    where = f"game {number} of the process ({which}): "
    fault = match.fault
    assert fault is not None
    if number == 1 or fault.code is Termination.MEMORY:
        return failed_at(match, where)
    if (fault.code, fault.cause) == (Termination.CRASH, Cause.LEFT):
        return failed_at(match, where, fix=END_IS_NOT_QUIT)
    return failed_at(match, where, fix=f"{FORGET} {NUMBER}" if match.player.stale else FORGET)
