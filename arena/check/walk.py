"""The walk: every step in its order, without those that need a step that failed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

from arena.check import games, leaving, manners, opening
from arena.check.steps import STEPS, Finding, Step, Verdict
from arena.check.subject import Subject, find_subject
from arena.model import BotEntry, Clock, Record
from engines import Game

__all__ = ["quick_walk", "walk"]

Done = Callable[[str, Finding, str], Step]  # name, finding, game ("" if it has none)


def walk(
    entry: BotEntry, home: Path, game: str | None, clock: Clock, sandbox: str
) -> Iterator[Step]:
    """Yield the steps of a whole check as they are done.

    Args:
        entry: the bot as a person named it.
        home: where submitted bots are found, and builds kept.
        game: the one game to try it in; else those its ``bot.yaml`` names, else all.
        clock: the bot's time control.
        sandbox: the level at which it is built and runs.

    Raises:
        BotError: nothing has that name, or is at that path.
        EngineError: there is no such game.
        UsageError: the level does not work here.
        MatchVoid: the bot could not be tried, through no fault of its own.
    """
    subject, found = find_subject(entry, home, game, clock, sandbox)
    done = _counted()
    build = done("build", found, "")
    yield build
    if subject is None:
        yield from _not_tried(list(STEPS)[1:], build, (), done)
        return
    hello = done("hello", opening.hello(subject), "")
    yield hello
    if _failed(hello):
        yield from _not_tried(list(STEPS)[2:], hello, subject.games, done)
    else:
        yield from _ready(subject, done)


def quick_walk(subject: Subject) -> Iterator[Step]:
    """Yield the steps that a submission asks for, of a bot that is built, up to the first failure.

    They have the numbers that they have in a whole check.
    """
    done = _counted(2)
    hello = done("hello", opening.hello(subject), "")
    yield hello
    if _failed(hello):
        return
    answer = done("answer", opening.answer(subject), "")
    yield answer
    if _failed(answer):
        return
    for rules in subject.games:
        step = done("game", games.game(subject, rules)[0], str(rules))
        yield step
        if _failed(step):
            return


def _ready(subject: Subject, done: Done) -> Iterator[Step]:
    """Yield the steps of a bot that says ready."""
    answer = done("answer", _or_another_game(subject, opening.answer(subject)), "")
    yield answer
    if _failed(answer):
        names = ["game", "unknown", "line-ends", "seed", "again", "budgets"]
        yield from _not_tried(names, answer, subject.games, done)
        rules = None
    else:
        yield from _answering(subject, done)
        rules = subject.games[0]
    at_eof = leaving.eof(subject, rules)
    yield done("eof", at_eof.finding, "")
    at_quit = leaving.quits(subject, rules)
    yield done("quit", at_quit.finding, "")
    yield done("children", leaving.children((*at_eof.running, *at_quit.running)), "")


def _answering(subject: Subject, done: Done) -> Iterator[Step]:
    """Yield the steps of a bot that answers."""
    played: dict[tuple[Game, int], Record] = {}
    failed = None
    for rules in subject.games:
        finding, records = games.game(subject, rules)
        played.update(records)
        step = done("game", _or_another_game(subject, finding), str(rules))
        yield step
        if _failed(step):
            failed = step
    first = subject.games[0]
    yield done("unknown", manners.ignores_unknown(subject, first), "")
    yield done("line-ends", manners.line_ends(subject, first), "")
    if not played:
        assert failed is not None
        yield from _not_tried(["seed", "again", "budgets"], failed, (), done)
        return
    seed = done("seed", games.same_seed(subject, played), "")
    yield seed
    reproducible = seed.finding.verdict is Verdict.OK
    yield done("again", games.again(subject, played, reproducible=reproducible), "")
    yield done("budgets", games.budgets(subject, next(iter(played))[0]), "")


def _or_another_game(subject: Subject, finding: Finding) -> Finding:
    """Add to a remedy that the bot may not be meant for the game, if nobody said that it is."""
    if finding.verdict is not Verdict.FAILED or subject.chosen:
        return finding
    hint = (
        'If it is not meant to play this game, name those it plays as "games" in its bot.yaml, or '
        "say which: arena check BOT GAME."
    )
    return dataclasses.replace(finding, remedy=f"{finding.remedy} {hint}")


def _not_tried(
    names: Sequence[str], because: Step, rules: Sequence[Game], done: Done
) -> Iterator[Step]:
    """Yield steps that need one that failed."""
    finding = Finding(Verdict.SKIPPED, f"not tried, as step {because.number} failed")
    for name in names:
        for game in map(str, rules) if name == "game" else [""]:
            yield done(name, finding, game)


def _failed(step: Step) -> bool:
    return step.finding.verdict is Verdict.FAILED


def _counted(first: int = 1) -> Done:
    """Return what makes a numbered step of a finding."""
    numbers = count(first)

    def done(name: str, finding: Finding, game: str) -> Step:
        return Step(next(numbers), name, *STEPS[name], finding, game)

    return done
