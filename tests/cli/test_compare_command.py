"""``arena compare`` as people use it: answers, exit codes, going on, and other versions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.arena_command import ROOT, as_json, output, submitted

from arena.store import open_store
from engines import load_game

QUICK = ("--elo1", "200", "--seed", "7", "--sandbox", "none")


@pytest.mark.slow
def test_comparison_says_who_is_stronger(tmp_path: Path) -> None:
    """``compare`` prints who is stronger, exit code 0; the same command plays nothing more."""
    first = output(tmp_path, "compare", "greedy", "random", "leaves", *QUICK)
    assert first.startswith("greedy is stronger than random: ")
    played = as_json(tmp_path, "matches")["rows"]
    assert output(tmp_path, "compare", "greedy", "random", "leaves", *QUICK) == first
    assert as_json(tmp_path, "matches")["rows"] == played
    counted = [row for row in played if row["counted"]]
    sentence, numbers = first.splitlines()
    assert sentence.endswith(f", {len(counted)} matches")
    assert f"W–D–L {len(counted)}–0–0 · Ptnml 0, 0, 0, 0, {len(counted) // 2} · LLR " in numbers
    assert len(counted) % 2 == 0
    # it is a tournament like any other
    rows = as_json(tmp_path, "leaderboard")["rows"]
    assert {row["bot"]: row["games"] for row in rows} == {
        "greedy": len(counted),
        "random": len(counted),
    }
    assert output(tmp_path, "verify", "--leaks").endswith("all right\n")
    assert len(output(tmp_path, "export").splitlines()) == len(counted)


def test_comparison_begins_from_setups_of_file(tmp_path: Path) -> None:
    """``compare`` plays the setups of a file in turn, as a comparison of its own."""
    file = tmp_path / "setups.txt"
    file.write_text(f"{setup()}\n")
    fixed = ("--rounds", 1, "--seed", "7", "--sandbox", "none", "--opening", file)
    found = as_json(tmp_path, "compare", "random", "random-sh", "leaves", *fixed, code=1)
    records = [json.loads(line) for line in output(tmp_path, "export").splitlines()]
    assert {(record["setup"], tuple(record["opening"])) for record in records} == {(setup(), ())}
    listed = output(tmp_path, "tournaments")
    assert "random - random-sh" in listed
    mark = found["tournament"].rpartition("-")[2]
    assert mark in listed
    assert found["tournament"] not in listed
    board = as_json(tmp_path, "leaderboard", mark)
    assert board["tournament"] == found["tournament"]


def setup() -> str:
    return load_game("leaves").setup(1)


@pytest.mark.slow
def test_resubmitted_bot_is_compared_anew(tmp_path: Path) -> None:
    """After a resubmission, ``compare`` begins a new comparison beside the old one."""
    mine = tmp_path / "mine"
    shutil.copytree(ROOT / "bots" / "random_python", mine)
    fixed = ("leaves", "--rounds", 1, "--sandbox", "none")
    submitted(tmp_path, mine, "mine")
    first = as_json(tmp_path, "compare", "mine", "random", *fixed, code=1)
    source = next(mine.glob("*.py"))
    source.write_text(source.read_text() + "# another version\n")
    submitted(tmp_path, mine, "mine")
    second = as_json(tmp_path, "compare", "mine", "random", *fixed, code=1)
    again = as_json(tmp_path, "compare", "mine@1", "random", *fixed, code=1)
    assert [found["a"] for found in (first, second, again)] == ["mine@1", "mine@2", "mine@1"]
    assert first == again
    assert first["tournament"] != second["tournament"]


@pytest.mark.slow
def test_seed_of_rank_cannot_be_guessed(tmp_path: Path) -> None:
    """``rank`` draws seeds of more than 64 bits, and repeated it plays nothing new."""
    words = ("rank", "random", "leaves", "--rounds", "1", "-j", "1", "--sandbox", "none")
    first = output(tmp_path, *words)
    with open_store(tmp_path, create=False) as store:
        assert min(edition.seed for edition in store.tournaments.all()) >= 1 << 64
    played = output(tmp_path, "matches", "--all", "--json")
    assert output(tmp_path, *words) == first
    assert output(tmp_path, "matches", "--all", "--json") == played
