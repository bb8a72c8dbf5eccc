"""What a bundle says of itself, and which programs it brings under names of this home."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import (
    ROOT,
    arena,
    as_json,
    messages,
    output,
    refused,
    submitted,
    tournament,
)
from support.ash_homes import BOT, submit_bot
from support.bundles import MANIFEST, RECORDS, Change, entries_of, put_together
from support.sql import sql

from arena.bots import taken
from arena.bots.bundled import bundled_bots
from arena.tournament.change import fingerprint

pytestmark = pytest.mark.slow


def written(folder: Path, mine: str = "mine, ") -> Path:
    return tournament(folder, f"[{mine}random, greedy]", clock="{move: 10s, first: 10s}")


def changed(
    bundle: Path,
    target: Path,
    change: Change = lambda manifest: None,
    *,
    lost: Collection[int] = range(6),
    undecided: bool = False,
) -> Path:
    """Write a bundle of six matches without some of them, and with its manifest changed."""
    contents = entries_of(bundle)
    manifest = json.loads(contents[MANIFEST])
    lines = contents.pop(RECORDS).splitlines(keepends=True)
    manifest["entries"] = [one for one in manifest["entries"] if one["name"] != RECORDS]
    if kept := [number for number in range(len(lines)) if number not in lost]:
        contents[RECORDS] = b"".join([lines[number] for number in kept])
        numbers = ",".join(map(str, kept))
        manifest["entries"].append({"name": RECORDS, "matches": len(kept), "numbers": numbers})
    if undecided:
        ids = {number: json.loads(lines[number])["id"] for number in lost}
        manifest["undecided"] = [
            {"id": ids[number], "number": number, "reason": "this machine has too little memory"}
            for number in lost
        ]
    manifest["matches"] = len(kept)
    change(manifest)
    manifest["edition"]["fingerprint"] = fingerprint(manifest["edition"]["config"])
    secret = manifest["edition"]["config"]["seed"] == "secret"
    manifest["holds_secret_seed"] = secret and manifest["edition"]["ended"] is None
    contents[MANIFEST] = json.dumps(manifest).encode()
    names = {MANIFEST, *(one["name"] for one in manifest["entries"])}
    return put_together(target, {name: contents[name] for name in contents if name in names})


def unfinished(manifest: dict[str, Any]) -> None:
    manifest["edition"]["ended"] = None


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the finished bundle of a home whose ``mine`` is a program of its own."""
    folder = tmp_path_factory.mktemp("theirs")
    submit_bot(folder / "home", "mine", "theirs")
    output(folder / "home", "run", written(folder), "--quiet")
    output(folder / "home", "bundle", "create", "-o", folder / "cup.arena")
    return folder / "cup.arena"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with another ``mine``, beside a file of a tournament with it."""
    submit_bot(tmp_path / "home", "mine")
    written(tmp_path)
    return tmp_path / "home"


def test_imported_program_under_own_name_needs_consent(theirs: Path, home: Path) -> None:
    """A run with a bundle's program under a name of this home needs one of two options."""
    file = home.parent / "cup.yaml"
    bundle = changed(theirs, home.parent / "cup.arena", unfinished, lost=[4, 5])
    said = messages(home, "bundle", "import", bundle)
    assert "mine: mine@1 is a program of cup.arena, not your mine@1" in said
    assert "greedy" not in said
    assert "the author of cup.arena knows the seed of cup" in said
    for words in (("run", file), ("run", file, "--dry-run")):
        said = refused(home, *words)
        for word in ("cup.arena", "mine@1", "--bots-of-the-bundle", "--new", "cup#2", "new seed"):
            assert word in said
    assert as_json(home, "tournaments")["rows"][0]["matches"] == 4
    planned = as_json(home, "run", file, "--dry-run", "--bots-of-the-bundle")
    assert (planned["left"], planned["bundle"]) == (2, "cup.arena")
    said = messages(home, "run", file, "--bots-of-the-bundle")
    assert said.index("mine@1 is a program of cup.arena") < said.index("SHA-256")
    assert said.index("the author of the bundle knows its seed") < said.index("SHA-256")
    assert "secret until" not in said
    refused(home, "run", file)  # at each run
    rows = as_json(home, "leaderboard")["rows"]
    assert {row["bot"]: row["bundle"] for row in rows} == {
        **{"mine": "cup.arena"},
        **{"greedy": "", "random": ""},
    }
    assert "cup.arena" in output(home, "leaderboard")
    assert "cup.arena" in output(home, "leaderboard", "--crosstable")
    output(home, "report", "-o", home.parent / "report")
    assert "(of cup.arena)" in (home.parent / "report/index.html").read_text()
    new = arena(home, "run", file, "--new")
    assert new.returncode == 0, new.stderr
    assert "bundle" not in new.stdout + new.stderr
    assert "seed's SHA-256 is" in new.stderr
    assert "bundle" not in output(home, "leaderboard")
    merged = as_json(home, "leaderboard", "--all")["rows"]
    assert sorted(row["bundle"] for row in merged if row["bot"] == "mine") == ["", "cup.arena"]


def test_imported_bundle_is_planned_as_run(tmp_path: Path) -> None:
    """A dry run of an imported bundle finds its programs where the run does."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/bot.py").write_text(BOT)
    (tmp_path / "mine/.DS_Store").write_text("of a desktop\n")
    file = written(tmp_path)
    submitted(tmp_path / "first", tmp_path / "mine", "mine")
    output(tmp_path / "first", "run", file, "--quiet")
    output(tmp_path / "first", "bundle", "create", "-o", tmp_path / "whole.arena")
    bundle = changed(tmp_path / "whole.arena", tmp_path / "cup.arena", unfinished, lost=[4, 5])
    other = tmp_path / "other"
    output(other, "bundle", "import", bundle)
    planned = as_json(other, "run", file, "--dry-run")
    assert (planned["played"], planned["left"]) == (4, 2)
    assert not planned["failed"]
    output(other, "run", file, "--quiet")
    assert as_json(other, "tournaments")["rows"][0]["matches"] == 6


def swapped(manifest: dict[str, Any]) -> None:
    """Let ``greedy`` be the program that was ``mine``, which leaves."""
    entrants = {one["name"]: one for one in manifest["entrants"]}
    config = manifest["edition"]["config"]
    old, new = entrants["greedy"]["hash"], entrants["mine"]["hash"]
    entrants["greedy"]["hash"] = config["programs"]["greedy"] = new
    manifest["entrants"].remove(entrants["mine"])
    del config["programs"]["mine"]
    config["bots"] = [bot for bot in config["bots"] if bot["name"] != "mine"]
    gone = {f"bots/{old.removeprefix('sha256:')}.tar", "tournament.yaml"}
    manifest["entries"] = [one for one in manifest["entries"] if one["name"] not in gone]
    unfinished(manifest)


@pytest.mark.parametrize("version", [1, 7])
def test_a_bundled_name_in_a_bundle_without_matches(version: int, theirs: Path, home: Path) -> None:
    """The run is refused as well, whatever number the bundle gives the program."""

    def change(manifest: dict[str, Any]) -> None:
        swapped(manifest)
        next(one for one in manifest["entrants"] if one["name"] == "greedy")["version"] = version

    bundle = changed(theirs, home.parent / "swap.arena", change)
    found = as_json(home, "bundle", "import", bundle)
    assert [(one["entrant"], one["here"]) for one in found["taken"]] == [
        ("greedy", "the bundled greedy")
    ]
    file = written(home.parent, mine="")
    said = refused(home, "run", file)
    assert f"greedy@{version}" in said
    assert "--bots-of-the-bundle" in said


def test_older_version_of_bundled_bot_needs_no_consent(
    theirs: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundle's bot that is an older version of a bundled one plays without an option."""
    bundle = changed(theirs, home.parent / "swap.arena", swapped)
    output(home, "bundle", "import", bundle)
    digest = json.loads(entries_of(bundle)[MANIFEST])["edition"]["config"]["programs"]["greedy"]
    ever = frozenset({("greedy", digest)})
    file = written(home.parent, mine="")
    monkeypatch.setattr(taken, "_ever", lambda: frozenset({("careful", digest)}))
    refused(home, "run", file)
    monkeypatch.setattr(taken, "_ever", lambda: ever)
    said = messages(home, "run", file)
    assert "older arena" in said
    assert "not the bundled" not in said
    assert "bundle" not in output(home, "leaderboard")


def test_verify_of_bundle_counts_all_matches(theirs: Path, home: Path) -> None:
    """``bundle verify`` says how many matches there are, are undecided, and who is out."""
    bundle = home.parent / "omit.arena"

    def out(manifest: dict[str, Any]) -> None:
        next(one for one in manifest["entrants"] if one["name"] == "random")["out"] = True

    changed(theirs, bundle, out, lost=[0, 3], undecided=True)
    assert json.loads(entries_of(bundle)[MANIFEST])["edition"]["ended"]  # it lies
    said = output(home, "bundle", "verify", bundle)
    assert "4 of 6 matches, 2 undecided, 1 entrant taken out: random" in said
    assert "4 matches verified: all right" in said
    row = as_json(home, "bundle", "verify", bundle)
    assert (row["verified"], row["of"], row["undecided"], row["out"]) == (4, 6, 2, ["random"])
    imported = output(home, "bundle", "import", bundle)
    assert ("unfinished" in imported) is not row["finished"]
    assert "cup: 4 of 6 matches, 2 undecided, 1 entrant" in output(home, "verify")
    [found] = as_json(home, "verify")["tournaments"]
    assert (found["matches"], found["of"], found["out"]) == (4, 6, ["random"])


def test_lost_matches_are_named_in_the_table(theirs: Path, home: Path) -> None:
    """Undecided matches are counted by entrant, and such a bundle is not finished."""
    bundle = changed(theirs, home.parent / "omit.arena", lost=[2, 3], undecided=True)
    assert "unfinished" in output(home, "bundle", "verify", bundle)
    assert "unfinished" in output(home, "bundle", "import", bundle)
    assert sql(home, "SELECT ended FROM tournament") == [(None,)]
    board = as_json(home, "leaderboard")
    assert sum(board["undecided"].values()) == 4
    name, number = next(iter(board["undecided"].items()))
    assert f"{name} {number}" in output(home, "leaderboard").partition("Undecided")[2]
    whole = output(home, "bundle", "verify", theirs)
    assert "cup, finished" in whole
    assert "undecided" not in whole
    assert " of 6" not in whole


def test_the_list_has_every_bundled_bot() -> None:
    """A bundled bot's hash is in the list, and no line was ever removed."""
    bundled = {program.name: program.hash for program in bundled_bots()}
    assert len(bundled) == len(bundled_bots()), "two bundled bots have one name"
    missing = {*bundled.items()} - taken._ever()
    assert not missing, f"{taken.EVER} needs a line for each"
    path = taken.EVER.relative_to(ROOT)
    git = ["git", "-C", str(ROOT), "log", "--format=", "--unified=0", "-p", "--", str(path)]
    try:
        found = subprocess.run(git, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("there is no git, or no history")
    lines = [line for line in found.splitlines() if not line.startswith(("---", "+++"))]
    removed = {line[1:] for line in lines if line.startswith("-") and "sha256:" in line}
    assert removed <= set(taken.EVER.read_text().splitlines())
