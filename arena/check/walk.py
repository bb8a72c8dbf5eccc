"""The walk: every step in its order, without those that need a step that failed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from arena.check import first_words as opening
from arena.check import leaving, manners
from arena.check import whole_games as games
from arena.check.steps import STEPS, Step, StepResult, StepState
from arena.check.subject import Subject
from engines import Game

# a step and the one that it needs: where that has failed, or was not tried, it is not tried
NEEDS: Mapping[str, str] = {
    "hello": "build",
    "answer": "hello",
    "game": "answer",
    "unknown": "answer",
    "seed": "played",
    "again": "played",
    "eof": "hello",
    "quit": "hello",
    "network": "build",
    "manners": "answer",
}
HINT = (
    'If it is not meant to play this game, name those it plays as "games" in its bot.yaml, or '
    "say which: arena check BOT GAME, arena submit BOT --game GAME."
)


def walk(bot: Subject | None, found: StepResult) -> Iterator[Step]:
    """Yield the steps of a whole check as they are done.

    Args:
        bot: the bot; ``None``: it could not be found or built.
        found: what came out of that.

    Raises:
        MatchVoid: the bot could not be tried, through no fault of its own.
    """
    steps = _Steps(hint=bot is not None and not bot.chosen)
    yield steps.done("build", found)
    if bot is None:
        steps.fail_with("played", "build")
        for name in [name for name in STEPS if name != "build"]:
            yield steps.skipped(name)
        return
    first = bot.games[0]
    played: dict[tuple[Game, int], games.CleanMatch] = {}
    running: list[str] = []

    def leaves(*, at_end: bool) -> StepResult:
        asked = None if steps.failed("answer") else first
        finding, left = leaving.leaves(bot, asked, at_end=at_end)
        running.extend(left)
        return finding

    yield from _first_steps(steps, bot, played)
    if not played:
        steps.fail_with("played", "game")
    yield steps.take("unknown", lambda: manners.ignores_unknown(bot, first))
    yield (seed := steps.take("seed", lambda: games.same_seed(bot, played)))
    reproducible = seed.finding.verdict is StepState.OK
    yield steps.take("again", lambda: games.again(bot, played, reproducible))
    yield steps.take("eof", lambda: leaves(at_end=False))
    yield steps.take("quit", lambda: leaves(at_end=True))
    yield steps.take("network", lambda: manners.network(bot, first))
    yield steps.take("manners", lambda: manners.manners(bot, first, running))


def quick_walk(bot: Subject) -> Iterator[Step]:
    """Return the steps that a submission asks for, of a bot that is built; one may be skipped.

    They have the numbers that they have in a whole check.
    """
    return _first_steps(_Steps(number=1, hint=not bot.chosen), bot, {})


def _first_steps(
    steps: _Steps, bot: Subject, played: dict[tuple[Game, int], games.CleanMatch]
) -> Iterator[Step]:
    """Yield the steps up to the whole games, whose matches are added to ``played``."""

    def game(rules: Game) -> StepResult:
        finding, matches = games.game(bot, rules)
        played.update(matches)
        return finding

    yield steps.take("hello", lambda: opening.hello(bot))
    yield steps.take("answer", lambda: opening.answer(bot))
    for rules in bot.games:
        yield steps.take("game", partial(game, rules), game=str(rules))


class _Steps:
    """Numbers the steps, and knows which cannot be tried."""

    def __init__(self, number: int = 0, *, hint: bool = False) -> None:
        """Begin after a number; ``hint`` that a bot may not be meant for its games."""
        self._number = number
        self._hint = hint
        self._failed: dict[str, int] = {}  # a step → the number of the one by whose failure

    def failed(self, name: str) -> bool:
        """Return whether a step has failed, or was not tried."""
        return name in self._failed

    def fail_with(self, name: str, other: str) -> None:
        """Take note that something could not be had because a step has failed."""
        self._failed[name] = self._failed[other]

    def take(self, name: str, attempt: Callable[[], StepResult], game: str = "") -> Step:
        """Try a step, if it can be tried."""
        if NEEDS[name] in self._failed:
            return self.skipped(name, game)
        return self.done(name, attempt(), game)

    def skipped(self, name: str, game: str = "") -> Step:
        """Return a step that needs one that has failed."""
        self.fail_with(name, NEEDS[name])
        detail = f"not tried, as step {self._failed[name]} failed"
        return self.done(name, StepResult(StepState.SKIPPED, detail), game)

    def done(self, name: str, finding: StepResult, game: str = "") -> Step:
        """Return what came out of a step, with its number."""
        self._number += 1
        if finding.verdict is StepState.FAILED:
            self._failed[name] = self._number
            if self._hint and name in ("answer", "game"):
                finding = dataclasses.replace(finding, remedy=f"{finding.remedy} {HINT}")
        return Step(self._number, name, *STEPS[name], finding, game)
