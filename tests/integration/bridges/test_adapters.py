"""Programs of other protocols play in the arena by the adapters of the kit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.doc_pages import ROOT

import arena
from engines.core.registry import game_names

ADAPTERS = ROOT / "bots/kit/adapters"
KIT = ROOT / "bots/kit/python/bot.py"
ONCE = """\
import json, random
asked = json.loads(input())["requests"][-1]
answer = random.Random(asked["seed"]).choice(asked["legal"])
print(json.dumps({"response": answer, "debug": "I drew"}))
"""


def made(folder: Path, adapter: str) -> Path:
    """Return a bot's folder with an adapter in it."""
    folder = folder / adapter
    folder.mkdir()
    shutil.copy(ADAPTERS / f"{adapter}.py", folder / "bot.py")
    shutil.copy(KIT, folder / "kit.py")
    return folder


def needed(program: str) -> None:
    """Skip where OpenSpiel or a program of Debian is missing."""
    if "openspiel" not in game_names():
        pytest.skip("the extra openspiel is not installed")
    if not shutil.which(program) and not shutil.which(program, path="/usr/games"):
        pytest.skip(f"{program} is not installed")


def test_json_lines(tmp_path: Path) -> None:
    """A program that answers one line of JSON a decision plays; its seed fixes the match."""
    folder = made(tmp_path, "botzone")
    (folder / "once.py").write_text(ONCE)
    words = f"{folder} python3 once.py", "random"
    first, again = (arena.play("leaves", *words, seed=1).record for _ in range(2))
    assert first.by == "rules"
    assert first.actions == again.actions


def test_json_that_is_none(tmp_path: Path) -> None:
    """A program that answers no JSON has lost, and the reason names its answer."""
    folder = made(tmp_path, "botzone")
    record = arena.play("leaves", f"{folder} echo nothing", "random", seed=1).record
    assert (record.by, record.ranks) == ("crash", (2, 1))


@pytest.mark.slow
def test_uci(tmp_path: Path) -> None:
    """Stockfish wins a game of chess against chance; with nodes it plays the same again."""
    needed("stockfish")
    folder = made(tmp_path, "uci")
    words = [f"{folder} stockfish --nodes 3000", "random"]
    games = [arena.play("openspiel(game=chess)", *words, seed=1).record for _ in range(2)]
    assert (games[0].by, games[0].ranks) == ("rules", (1, 2))
    assert games[0].actions == games[1].actions


@pytest.mark.slow
def test_gtp(tmp_path: Path) -> None:
    """GNU Go takes the stones of who plays by chance, and wins by counting the area."""
    needed("gnugo")
    folder = made(tmp_path, "gtp")
    program = f"{folder} gnugo --mode gtp --level 1 --chinese-rules --capture-all-dead"
    record = arena.play("openspiel(game=go,board_size=9)", "random", program, seed=2).record
    assert (record.by, record.ranks) == ("rules", (2, 1))
