"""The same games in a second process, with another hash seed and a later clock.

Python orders sets of texts, and makes ``hash``, from a seed of the process. A game whose setups,
actions, events or draws depend on it, on the time or on what was asked before, plays another game
when the arena is started again: no match of it can be reproduced.
"""

from __future__ import annotations

import datetime
import json
import os
import random
import subprocess
import sys
import time

from engines.core.chance import pick
from engines.core.conformance.report import equal, note_on_error
from engines.core.errors import UnknownGame
from engines.core.playthrough import playthrough
from engines.core.registry import load_game

_SEEDS = range(4)  # of the games that are played twice
_PLIES = 60  # of each
_DRAWS = 40  # states drawn from what a player sees
_HASH_SEEDS = ("20011", "20021", "20023")  # a small set has one order under some of them
_LATER = 1_000_003  # seconds: the second process believes it is that late
_UNKNOWN = 3  # exit code of a second process that does not find the game


def check_second_process(text: str) -> None:
    """Check that another process draws and plays the same as this one.

    A game that a new process does not find, because it exists in this one only, is left out.
    """
    game, rng = load_game(text), random.Random(0)
    ours, asked = _played(text), []
    if game.type.information == "imperfect":
        for seed in range(_DRAWS):
            state = game.new_initial_state(game.setup(seed))
            for _ in range(pick(rng, range(_PLIES))):
                if not (players := state.players_to_act()):
                    break
                player = pick(rng, players)
                state = state.apply_action(player, state.sample_action(player, rng))
            player = pick(rng, range(game.num_players))
            asked.append((state.observation(player), player, seed))
    drawn = [_draw(text, *one) for one in asked]
    for hash_seed in _HASH_SEEDS:
        theirs = _answer(text, asked, hash_seed)
        if theirs is None:
            return
        for mine, other, one in zip(drawn, theirs["drawn"], asked, strict=True):
            sentence = f"sample_state of player {one[1]}'s {one[0]} differs in a second process"
            equal(other, mine, sentence)
        _compare(ours, theirs["played"])


def _answer(
    text: str, asked: list[tuple[str, int, int]], hash_seed: str
) -> dict[str, list[str]] | None:
    """Ask a second process what it draws and plays; ``None`` if it does not find the game."""
    done = subprocess.run(
        [sys.executable, "-m", __name__, text],
        input=json.dumps(asked),
        env={
            **os.environ,
            "PYTHONSAFEPATH": "1",  # not the current folder, unless this process has it in its path
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "PYTHONHASHSEED": hash_seed,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == _UNKNOWN:
        return None
    equal(done.returncode, 0, f"a second process fails: {(done.stderr.splitlines() or ['?'])[-1]}")
    answer: dict[str, list[str]] = json.loads(done.stdout)
    return answer


def _compare(ours: list[str], theirs: list[str]) -> None:
    """Check that two processes wrote down the same games."""
    where = ""
    for mine, other in zip(ours, theirs, strict=False):
        where = mine if mine.startswith("observation: ") else where
        if other != mine:
            sentence = "a game from the same seed differs in a second process"
            with note_on_error(f"at {where.removeprefix('observation: ') or 'the setup'}"):
                equal(other, mine, sentence)
    equal(len(theirs), len(ours), "a game is longer or shorter in a second process")


def _played(text: str) -> list[str]:
    """Play the games that both processes play, and return their playthroughs line by line."""
    games = [playthrough(text, seed=seed, plies=_PLIES) for seed in _SEEDS]
    return "".join(games).splitlines()


def _draw(text: str, observation: str, player: int, seed: int) -> str:
    drawn = load_game(text).sample_state(observation, player, random.Random(seed))
    return drawn.observation(None)


def _main(text: str) -> int:
    """Answer as the second process: drawn states first, as a game may remember what it played."""
    begun, now = time.time, datetime.datetime.now
    time.time = lambda: begun() + _LATER
    time.time_ns = lambda: int(time.time() * 1e9)

    class Later(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:  # type: ignore[override]
            return now(tz) + datetime.timedelta(seconds=_LATER)

    datetime.datetime = Later  # type: ignore[misc]
    try:
        load_game(text)
    except UnknownGame:
        return _UNKNOWN
    drawn = [_draw(text, *one) for one in json.load(sys.stdin)]
    json.dump({"drawn": drawn, "played": _played(text)}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1]))
