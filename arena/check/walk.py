"""The walk: every step in its order, without those that need a step that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count

from arena.check import first_words, leaving, manners, whole_games
from arena.check.steps import STEPS, Step, StepResult, StepState, Subject
from engines import Game

HINT = (
    'If it is not meant to play this game, name those it plays as "games" in its bot.yaml, or '
    "say which: arena check BOT GAME, arena submit BOT --game GAME."
)


def walk(bot: Subject | None, found: StepResult) -> Iterator[Step]:
    """Yield the steps of a whole check as they are done; ``arena submit`` asks for the first four.

    Args:
        bot: the bot; ``None``: it could not be found or built.
        found: what came out of that.

    Raises:
        MatchVoid: the bot could not be tried, through no fault of its own.
    """
    numbers = count(1)
    failed: dict[str, int] = {}  # a step that failed, or was not tried → the number of which failed

    def take(name: str, needs: str, attempt: Callable[[], StepResult], game: str = "") -> Step:
        number = next(numbers)
        if needs in failed:
            failed[name] = failed[needs]
            detail = f"not tried, as step {failed[needs]} failed"
            finding = StepResult(StepState.SKIPPED, detail)
        else:
            finding = attempt()
            if finding.verdict is StepState.FAILED:
                failed[name] = number
                if bot is not None and not bot.chosen and name in ("answer", "game"):
                    finding = replace(finding, remedy=f"{finding.remedy} {HINT}")
        return Step(number, name, *STEPS[name], finding, game)

    yield take("build", "", lambda: found)
    if bot is None:
        for name in [name for name in STEPS if name != "build"]:
            yield take(name, "build", lambda: found)
        return
    played: dict[tuple[Game, int], whole_games.CleanMatch] = {}
    running: list[str] = []
    yield take("hello", "build", lambda: first_words.hello(bot))
    yield take("answer", "hello", lambda: first_words.answer(bot))
    for rules in bot.games:
        yield take("game", "answer", partial(whole_games.game, bot, rules, played), str(rules))
    if played:
        failed.pop("game", None)  # those that were played are enough for the other steps
    yield take("unknown", "answer", lambda: manners.ignores_unknown(bot))
    yield (seed := take("seed", "game", lambda: whole_games.same_seed(bot, played)))
    reproducible = seed.finding.verdict is StepState.OK
    yield take("again", "game", lambda: whole_games.again(bot, played, reproducible))
    asks = "answer" not in failed
    yield take("eof", "hello", lambda: leaving.leaves(bot, running, asks=asks, at_end=False))
    yield take("quit", "hello", lambda: leaving.leaves(bot, running, asks=asks, at_end=True))
    yield take("network", "build", lambda: manners.network(bot))
    yield take("manners", "answer", lambda: manners.manners(bot, running))
