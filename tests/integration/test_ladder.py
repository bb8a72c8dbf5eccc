"""A ladder over a term: bots are submitted again, and it is run again, stopped and gone on with."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import arena, output, submitted
from support.old_homes import HOMES

BOT = (HOMES / "first_build/bots/ash/1-9f8b886b5edc/ash.py").read_text()
FILE = """\
name: term
game: leaves
format: ladder
seed: 5
clock: {move: 10s, first: 10s}
opening: {plies: 2}
bots: [s00, {name: tree, bot: s01}, random]
"""


def write(folder: Path, more: str = "rounds: 1\n", text: str = FILE) -> Path:
    file = folder / "term.yaml"
    file.write_text(text + more)
    return file


def submit(home: Path, name: str, mark: str = "") -> None:
    source = home.parent / "sources" / name
    source.mkdir(parents=True, exist_ok=True)
    (source / "bot.py").write_text(f"{BOT}# {name} {mark}\n")
    start = "language: python\nstart: [python3, bot.py]\n"
    (source / "bot.yaml").write_text(f"name: {name}\n{start}")
    submitted(home, source, name)


def rows(home: Path, *args: object) -> dict[str, dict[str, Any]]:
    found = json.loads(output(home, "leaderboard", *args, "--json"))["rows"]
    return {row["bot"]: row for row in found}


def games(home: Path) -> dict[str, int]:
    return {name: row["games"] for name, row in rows(home).items()}


def matches(home: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(output(home, "matches", "--json"))["rows"]
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a home in which everybody has had a block."""
    folder = tmp_path_factory.mktemp("term")
    home = folder / "home"
    for name in ("s00", "s01"):
        submit(home, name)
    done = arena(home, "run", write(folder), "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert "the ladder rests" in done.stderr
    return folder


@pytest.fixture
def term(played: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder to change."""
    shutil.copytree(played, tmp_path / "term")
    return tmp_path / "term"


@pytest.mark.slow
def test_a_newer_version_plays_in_place_of_the_old_one(term: Path) -> None:
    """It is a new entrant without a past; the old one rests, and stays in the table as it was."""
    home, file = term / "home", term / "term.yaml"
    before, old = matches(home), rows(home)["tree"]
    submit(home, "s01", "better")
    done = arena(home, "run", file)
    assert done.returncode == 0, done.stderr
    assert "tree@2 plays from now on" in done.stderr
    found = rows(home)
    assert {name: row["version"] for name, row in found.items()} == {
        "s00": 1,
        "tree": 1,
        "tree@2": 2,
        "random": 1,
    }
    assert {name: row["replaced_by"] for name, row in found.items()} == {
        "s00": "",
        "tree": "tree@2",
        "tree@2": "",
        "random": "",
    }
    assert found["tree"]["games"] == old["games"]
    assert found["tree@2"]["games"] >= 2
    after = matches(home)
    assert after[: len(before)] == before
    assert all("tree" not in row["bots"] for row in after[len(before) :])
    assert "replaced by" in done.stdout
    # nothing else is new, so nothing else is played, and everything can be verified and repeated
    assert "plays from now on" not in arena(home, "run", file).stderr
    assert matches(home) == after
    assert output(home, "verify").endswith("all right\n")
    assert output(home, "verify", "--ratings").endswith("all right\n")
    newest = next(row["id"] for row in after if "tree@2" in row["bots"])
    assert output(home, "reproduce", newest).startswith("identical")
    exported = [json.loads(line) for line in output(home, "export").splitlines()]
    versions = {(p["bot"], p["version"]) for one in exported for p in one["players"]}
    assert ("tree", 1) in versions
    assert ("tree@2", 2) in versions


@pytest.mark.slow
def test_who_is_taken_out_stays_out(term: Path) -> None:
    """No newer version comes back in its place, until it is put back in."""
    home, file = term / "home", term / "term.yaml"
    submit(home, "s01", "better")
    output(home, "run", file, "--without", "tree")
    assert set(rows(home)) == {"s00", "random"}
    output(home, "run", file, "--with", "tree")
    assert set(rows(home)) == {"s00", "tree", "tree@2", "random"}
    output(home, "run", file, "--without", "tree@2")
    submit(home, "s01", "best")
    output(home, "run", file)
    assert set(rows(home)) == {"s00", "tree", "random"}
    write(term, "rounds: 1\nwithout: [tree@2]\n")
    output(home, "run", file, "--with", "tree@2")
    assert set(rows(home)) == {"s00", "tree", "tree@2", "tree@3", "random"}


@pytest.mark.slow
def test_who_takes_out_a_replaced_version_learns_who_plays_on(term: Path) -> None:
    """The newer one has a name of its own; nothing comes in its place, whichever is out."""
    home, file = term / "home", term / "term.yaml"
    submit(home, "s01", "better")
    output(home, "run", file)
    done = arena(home, "run", write(term, "rounds: 1\nwithout: [tree]\n"))
    assert done.returncode == 0, done.stderr
    assert "--without tree@2" in done.stderr
    assert set(rows(home)) == {"s00", "tree@2", "random"}
    submit(home, "s01", "best")
    assert "tree@" not in arena(home, "run", file).stderr
    assert set(rows(home)) == {"s00", "tree@2", "random"}
    output(home, "run", file, "--without", "tree@2")
    assert set(rows(home)) == {"s00", "random"}
