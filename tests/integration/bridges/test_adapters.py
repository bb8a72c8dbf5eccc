"""Programs of other protocols play in the arena by the adapters of the kit."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import arena
from arena.bots.new_bot import new_bot
from engines.core.registry import game_names

pytestmark = pytest.mark.slow

ONCE = """\
import json, random
asked = json.loads(input())["requests"][-1]
answer = random.Random(asked["seed"]).choice(asked["legal"])
print(json.dumps({"response": answer, "debug": "I drew"}))
"""


def made(folder: Path, kit: str) -> Path:
    """Return a bot's folder as ``arena init --kit`` makes it."""
    return new_bot(kit, folder, kit=kit)[0].parent


def needed(program: str) -> None:
    """Skip where OpenSpiel or a program of Debian is missing."""
    if "openspiel" not in game_names():
        pytest.skip("the extra openspiel is not installed")
    if not shutil.which(program) and not shutil.which(program, path="/usr/games"):
        pytest.skip(f"{program} is not installed")


def test_json_lines_program_plays(tmp_path: Path) -> None:
    """A program that answers a line of JSON a decision plays, the same for the same seed."""
    folder = made(tmp_path, "botzone")
    (folder / "once.py").write_text(ONCE)
    manifest = folder / "bot.yaml"
    manifest.write_text(manifest.read_text().replace("./my_program", "python3, once.py"))
    words = str(folder), "random"
    first, again = (arena.play("leaves", *words, seed=1).record for _ in range(2))
    assert first.by == "rules"
    assert first.actions == again.actions


def test_program_without_json_has_crashed(tmp_path: Path) -> None:
    """A program whose answer is no JSON loses by crash, and the reason names the answer."""
    folder = made(tmp_path, "botzone")
    manifest = folder / "bot.yaml"
    manifest.write_text(manifest.read_text().replace("./my_program", "echo, nothing"))
    record = arena.play("leaves", str(folder), "random", seed=1).record
    assert (record.by, record.ranks) == ("crash", (2, 1))


def test_uci_engine_wins_chess(tmp_path: Path) -> None:
    """Stockfish beats random play in chess, and plays the same again with a number of nodes."""
    needed("stockfish")
    folder = made(tmp_path, "uci")
    words = [f"{folder} --nodes 3000", "random"]
    games = [arena.play("openspiel(game=chess)", *words, seed=1).record for _ in range(2)]
    assert (games[0].by, games[0].ranks) == ("rules", (1, 2))
    assert games[0].actions == games[1].actions


def test_gtp_engine_wins_go(tmp_path: Path) -> None:
    """GNU Go beats random play in Go by counting the area."""
    needed("gnugo")
    folder = made(tmp_path, "gtp")
    record = arena.play("openspiel(game=go,board_size=9)", "random", str(folder), seed=2).record
    assert (record.by, record.ranks) == ("rules", (2, 1))
