"""A seed that is drawn: kept for good, shown at the end, and enough to play everything again."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import arena, as_json, messages, output, refused, tournament
from support.running import Running

import arena as arena_api
from arena.store import open_store
from arena.store.tournaments import Edition

pytestmark = pytest.mark.slow

HASH = re.compile(r"SHA-256 is ([0-9a-f]{64})\b")


def write(folder: Path, rounds: int = 2, **keys: object) -> Path:
    keys |= {"clock": "{move: 60s, first: 60s}"}
    return tournament(folder, name="drawn", game="the_tree", rounds=rounds, **keys)


def edition(home: Path) -> Edition:
    with open_store(home, create=False) as store:
        return store.tournaments.find("drawn")


def records(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output(home, "export").splitlines()]


def deal(seed: int, block: str) -> str:
    """Return the seed of a block's deal, as the design has it."""
    game, _, k = block.split("|")
    digest = hashlib.sha256(f"arena/1|{seed}|deal|{game}|{k}".encode()).digest()
    return str(int.from_bytes(digest[:8], "big"))


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a home with a tournament without a seed in its file, and what was said of it."""
    folder = tmp_path_factory.mktemp("ended")
    return folder / "home", messages(folder / "home", "run", write(folder))


def test_it_is_drawn_and_shown_at_the_end(ended: tuple[Path, str]) -> None:
    """First its hash is shown, in the end the seed; it has more than 64 bits."""
    home, told = ended
    seed = edition(home).seed
    assert seed >> 64 > 0
    found = HASH.search(told)
    assert found is not None
    assert found[1] == hashlib.sha256(str(seed).encode()).hexdigest()
    assert str(seed) not in told[: found.end()]
    assert re.search(rf"\b{seed}\b", told[found.end() :])
    assert [one["seed"] for one in records(home)] == [
        deal(seed, one["block"]) for one in records(home)
    ]


def test_nothing_shows_it_before_the_end(tmp_path: Path) -> None:
    """While a tournament is unfinished, its seed and its deals' are in the store alone."""
    home = tmp_path / "home"
    run = Running(home, "run", write(tmp_path, rounds=10), "--workers", 1, "--verbose")
    run.until(times=3)
    assert run.stopped() == 130, run.said
    seed = edition(home).seed
    played = records(home)
    assert len(played) >= 3
    assert {record["seed"] for record in played} == {None}
    match, first = played[0]["id"], played[0]["players"][0]["bot"]
    texts = [run.said]
    for command in (
        ("export",),
        ("export", "--all"),
        ("export", "drawn"),
        ("matches", "--json"),
        ("matches",),
        ("show", match, "--json"),
        ("show", match),
        ("log", match, "--wire"),
        ("log", match, "--wire", "--json"),
        ("log", match, "--sent", "--seat", 0),
        ("leaderboard", "--json"),
        ("verify", "--json"),
        ("reproduce", match, "--json"),
        ("reproduce", match, "--seat", 0, "--against", first, "--json"),
    ):
        done = arena(home, *command)
        assert done.returncode == 0, done.stderr
        texts += [done.stdout, done.stderr]
    texts.append(arena_api.match_page(match, home))
    hidden = [str(seed), *(deal(seed, record["block"]) for record in played)]
    for text in texts:
        assert not any(number in text for number in hidden)
    assert as_json(home, "show", match)["seed"] is None


def test_what_is_added_after_the_end_is_warned_about(tmp_path: Path) -> None:
    """Who saw the seed at the end can compute the deals that come by ``--extend``; that is said."""
    home = tmp_path / "home"
    output(home, "run", write(tmp_path, rounds=1))
    seed = edition(home).seed
    done = messages(home, "run", write(tmp_path, rounds=2), "--extend")
    assert "seed of drawn was shown when it ended" in done
    assert "secret until the end" not in done
    assert edition(home).seed == seed
    assert len(records(home)) == 4


def test_kept_processes_are_refused_before_anything_starts(tmp_path: Path) -> None:
    """``processes: reuse`` with a hidden deal is a mistake in the file: exit 2, and no home."""
    file = write(tmp_path, processes="reuse")
    done = refused(tmp_path / "home", "run", file)
    assert f"{file}:4:12: processes: reuse is not for the_tree" in done
    assert not (tmp_path / "home").exists()
