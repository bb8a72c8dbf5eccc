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


def submit(home: Path, name: str, mark: str = "", manifest: str = "") -> None:
    source = home.parent / "sources" / name
    source.mkdir(parents=True, exist_ok=True)
    (source / "bot.py").write_text(f"{BOT}# {name} {mark}\n")
    start = "language: python\nstart: [python3, bot.py]\n"
    (source / "bot.yaml").write_text(f"name: {name}\n{start}{manifest}")
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


@pytest.mark.slow
def test_a_version_that_cannot_play_is_left_out(term: Path) -> None:
    """One for other games is named and not taken up; the ladder and the old version go on."""
    home, file = term / "home", term / "term.yaml"
    submit(home, "s01", "other", "games: [treeblox]\n")
    done = arena(home, "run", write(term, "rounds: 2\n"), "--extend")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("tree@2 is not taken up") == 1
    assert set(rows(home)) == {"s00", "tree", "random"}
    submit(home, "s01", "third")
    output(home, "run", file)
    assert set(rows(home)) == {"s00", "tree", "tree@3", "random"}


@pytest.mark.slow
def test_past_its_stop_a_ladder_goes_on_only_if_asked(term: Path) -> None:
    """A stop by sigma stays; newer versions are named, and taken up with ``--extend``."""
    home = term / "home"
    file = write(term, "stop: {sigma: 7}\n")
    assert arena(home, "run", file).returncode == 2
    output(home, "run", file, "--extend")
    before = games(home)
    assert max(row["sigma"] for row in rows(home).values()) <= 7
    submit(home, "s00", "better")
    done = arena(home, "run", file)
    assert "s00@2" in done.stderr
    assert "--extend" in done.stderr
    assert games(home) == before
    output(home, "run", file, "--extend")
    found = rows(home)
    assert found["s00"]["replaced_by"] == "s00@2"
    assert found["s00@2"]["sigma"] <= 7


@pytest.mark.slow
def test_what_is_submitted_during_a_run_comes_with_the_next_batch(
    term: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batch by batch the ladder looks for newer versions; nobody needs to start it again."""
    import arena as library

    home = term / "home"
    file = write(term, "rounds: 2\nbatch: 1\n")
    submitted: list[int] = []

    def tell(progress: object) -> None:
        if not submitted:
            submitted.append(1)
            submit(home, "s01", "meanwhile")

    library.run_tournament(library.read_tournament(file), home, extend=True, tell=tell)
    assert rows(home)["tree"]["replaced_by"] == "tree@2"


@pytest.mark.slow
def test_more_bots_come_with_extend(term: Path) -> None:
    """They get as many blocks as the others, and versions that were taken up stay."""
    home, file = term / "home", term / "term.yaml"
    submit(home, "s01", "better")
    output(home, "run", file)
    text = FILE.replace("bots: [s00,", "bots: [random-awk, s00,")
    assert arena(home, "run", write(term, text=text)).returncode == 2
    output(home, "run", file, "--extend")
    assert set(rows(home)) == {"random-awk", "s00", "tree", "tree@2", "random"}
    assert games(home)["random-awk"] >= 2
    assert rows(home)["tree"]["replaced_by"] == "tree@2"
