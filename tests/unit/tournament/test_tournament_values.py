"""``Tournament`` values made by a program: checked like a file, before anything is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.check import check_bot
from arena.play.once import play_once
from arena.run.dry_run import plan_tournament
from arena.run.runnable import check_run
from arena.run.runner import run_tournament
from arena.studies.comparison import compare
from arena.values.errors import ArenaError, UsageError
from arena.values.model import BotEntry, Clock, Opening, Tournament

BOTS = (BotEntry("random", ref="random"), BotEntry("greedy", ref="greedy"))
RIGHT = Tournament("ok", ("leaves",), BOTS, seed=1)


def third(name: str = "x", ref: str | None = "random", **more: Any) -> dict[str, Any]:
    """Return the change by a third bot."""
    return {"bots": (*BOTS, BotEntry(name, ref, **more))}


# changes of a right tournament, and words that the message must have; what a file can say as well
# is checked as a file is, and has its rows in mistakes.yaml
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"seed": -1}, "tournament.seed: .*at least 0"),
    ({"name": "q/../x"}, "tournament.name: .*/"),
    ({"name": "a b#2"}, "tournament.name: .*spaces"),
    ({"rounds": 10**10}, "matches"),
    ({"games": "leaves"}, "tournament.games: .*a list"),
    ({"bots": "random"}, "tournament.bots: .*a list"),
    (third(ref=None), r"tournament.bots\[2\]: missing; .*run .*bot"),
    (third(run="/"), r"tournament.bots\[2\].bot: .*only one of run .*bot"),
    (third("a|b"), r"tournament.bots\[2\].name: .*a_b"),
    (third(ref="a/b"), r"tournament.bots\[2\].bot: expected a bot's name"),
    (third(ref=None, run="/no/bot"), r"tournament.bots\[2\].run: there is no"),
    (third(args="-v"), r"bots\[2\].args: .*a list"),
    (third(env=(("A", 5),)), r"bots\[2\].env.A: expected a text, found 5"),
    (third(env=(("A", "b", "c"),)), "of another kind: .*length 3"),
    (third(asks=True), "x asks: expected its path"),
    (third(version="1"), r"bots\[2\].*function"),
    (third(clock=Clock(move_ms=0)), r"tournament.bots\[2\].clock.move: .*from 1ms"),
    (third(memory_bytes=5), r"tournament.bots\[2\].memory: .*from 1MiB"),
    ({"clock": Clock(move_ms=-5)}, 'tournament.clock.move: .*found "-5ms"'),
    ({"clock": Clock(move_ms=None)}, "tournament.clock.inc: .*move or main"),
    ({"clock": Clock(margin_ms=-1)}, 'tournament.clock.margin: .*found "-1ms"'),
    ({"clock": 1000}, "tournament.clock: expected a Clock"),
    ({"memory_bytes": 1}, "tournament.memory: .*from 1MiB"),
    ({"memory_bytes": 2**30 + 1}, "tournament.memory: .*no whole number of bytes"),
    ({"stop": 5}, "tournament.stop: expected a Stop"),
    ({"opening": Opening(setups=("x",))}, r"tournament.opening.setups\[0\]"),
    ({"opening": Opening(plies=2, setups=("x",))}, "tournament.opening.setups: .*only one"),
    ({"anchor": ("oak", 1500.0)}, r"tournament.anchor.oak: no entrant"),
    ({"anchor": ("random", 10_001.0)}, "tournament.anchor.random: expected at most 10000"),
    ({"anchor": ("random", float("nan"))}, "tournament.anchor.random: expected a number"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
@pytest.mark.parametrize("door", [run_tournament, plan_tournament])
def test_wrong_value_of_tournament_makes_no_home(
    door: Callable[..., object], change: dict[str, Any], words: str, tmp_path: Path
) -> None:
    """A ``Tournament`` with a wrong value is refused with the field, before a home is made."""
    home = tmp_path / "home"
    with pytest.raises((UsageError, TypeError), match=words):
        door(replace(RIGHT, **change), home)
    assert not home.exists()


def test_bots_of_tournament_can_be_texts(tmp_path: Path) -> None:
    """Bots of a ``Tournament`` may be texts as on the command line, with arguments and paths."""
    (tmp_path / "x y.py").write_text("")
    texts: Any = ("random", "mcts --simulations 50", f"{tmp_path}/x y.py", "greedy@1")
    found = check_run(replace(RIGHT, bots=texts)).bots
    assert [bot.name for bot in found] == [text[:64] for text in texts]
    assert found[2].run == texts[2]
    assert [bot.ref for bot in found] == ["random", "mcts", None, "greedy@1"]
    assert found[1].args == ("--simulations", "50")
    with pytest.raises(ArenaError, match="quotation"):
        check_run(replace(RIGHT, bots=("random", "'")))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"tournament.bots: .*int 5"):
        check_run(replace(RIGHT, bots=("random", 5)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda home: play_once("leaves", ["random", BotEntry("x")], home, seed=1), "missing"),
        (
            lambda home: play_once("leaves", ["random"] * 2, home, seed=1, clock=Clock(-5)),
            'clock.move: .*found "-5ms"',
        ),
        (lambda home: check_bot(BotEntry("x"), home), "bot: missing"),
        (lambda home: check_bot({"name": "x"}, home), "bot: missing; expected run or ask or bot"),
        (lambda home: check_bot("random", home, clock=Clock(start_ms=0)), "clock.start: "),
        (lambda home: check_bot({"name": "x", "function": len}, home), "cannot be checked"),
        (lambda home: compare("random", "greedy", "leaves", home, clock=Clock(-5)), "clock.move"),
    ],
)
def test_every_function_checks_values(
    call: Callable[[Path], object], words: str, tmp_path: Path
) -> None:
    """A wrong clock or bot is refused by every function that takes one; no home is made."""
    with pytest.raises(UsageError, match=words):
        call(tmp_path / "home")
    assert not (tmp_path / "home").exists()
