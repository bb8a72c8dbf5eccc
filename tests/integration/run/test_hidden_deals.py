"""What is hidden from a bot cannot be computed: not the deal, not its opponent, not its match."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.arena_command import ROOT, as_json, output, tournament

SEEKER = ROOT / "tests/integration/programs/deal_seeker.py"
BOT = f"{{name: %s, run: {SEEKER}, args: [hidden, other, random, seeker]}}"


def run(folder: Path, game: str, seed: int | None) -> Path:
    """Run a small tournament of bots that look for what is hidden; return its home."""
    bots, clock = f"[{BOT % 'seeker'}, {BOT % 'other'}]", "{move: 60s, first: 60s}"
    file = tournament(folder, bots, name="hidden", game=game, rounds=1, seed=seed, clock=clock)
    output(folder / "home", "run", file)
    return folder / "home"


def logs(home: Path) -> dict[str, list[list[str]]]:
    """Return what the bots wrote to stderr: for each match, its lines seat by seat."""
    found: dict[str, list[list[str]]] = {}
    for row in as_json(home, "matches")["rows"]:
        lines = as_json(home, "log", row["id"])["rows"]
        found[row["id"]] = [
            [line["text"] for line in lines if line["seat"] == seat]
            for seat in range(len(row["bots"]))
        ]
    return found


def lines(home: Path, word: str) -> Iterator[str]:
    for seats in logs(home).values():
        for seat in seats:
            yield from (line for line in seat if line.startswith(f"{word} "))


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("secret"), "build_your_arboretum", None)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["build_your_arboretum", "the_tree"])
def test_a_small_seed_is_found(tmp_path: Path, game: str) -> None:
    """The search is one that finds: with a small written seed the deal is computed in the sandbox.

    Nothing can be done about that but to warn, and to draw the seed where none is written. The id
    on the wire still is no match's id.
    """
    home = run(tmp_path, game, 7)
    assert set(lines(home, "deal")) == {"deal 7 0"}
    assert set(lines(home, "seed")) == {"seed 7 other seeker"}
    assert list(lines(home, "name")) == []


@pytest.mark.slow
def test_a_secret_seed_hides_the_deal(secret: Path) -> None:
    """Without a seed in the file no deal of a small seed is the one that is played."""
    assert all("looked" in seat for seats in logs(secret).values() for seat in seats)
    assert list(lines(secret, "deal")) == []


def test_a_secret_seed_hides_the_opponent(secret: Path) -> None:
    """A list of names finds the opponent neither by ``game ID`` nor by the bot's own seed."""
    assert list(lines(secret, "name")) == []
    assert list(lines(secret, "seed")) == []


def test_the_id_on_the_wire_comes_from_the_own_seed(secret: Path) -> None:
    """Each seat has its own id on the wire, 16 digits of a hash over the bot's own seed."""
    seen = logs(secret)
    ids = set()
    for text in output(secret, "export").splitlines():
        record = json.loads(text)
        for player, seat in zip(record["players"], seen[record["id"]], strict=True):
            digest = hashlib.sha256(f"arena/1|wire|{player['seed']}".encode()).hexdigest()
            assert seat[0] == f"wire {digest[:16]}"
            ids |= {digest[:16]}
    assert len(ids) == 4
    assert ids.isdisjoint(seen)
