"""Another version of a bot in place of the one that is entered, in a tournament under way."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from support.arena_command import arena, as_json, messages, output, refused
from support.ash_homes import board, course, submit_bot

pytestmark = pytest.mark.slow


def write(folder: Path, bots: str = "[s00, s01, random]", **keys: object) -> Path:
    return course(folder, bots, **{"rounds": 2, **keys})


def played(home: Path) -> dict[tuple[str, int], int]:
    """Return the games of each bot in the table, by its name and version."""
    return {(row["bot"], row["version"]): row["games"] for row in board(home)["rows"]}


def ids(home: Path) -> list[str]:
    return sorted(row["id"] for row in as_json(home, "matches")["rows"])


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a home in which s00, s01 and random have played a round of two."""
    folder = tmp_path_factory.mktemp("course")
    home, file = folder / "home", write(folder)
    for name in ("s00", "s01"):
        submit_bot(home, name)
    output(home, "run", file, "--workers", 2)
    submit_bot(home, "s00", "better")
    return folder


@pytest.fixture
def copy(begun: Path, tmp_path: Path) -> Path:
    shutil.copytree(begun, tmp_path / "copy")
    return tmp_path / "copy"


def test_an_upgrade_replaces_and_is_harmless_when_repeated(copy: Path) -> None:
    """By hand: three bots, two rounds, both seats: 8 games each; s00@2 plays its 8 anew."""
    home, file = copy / "home", copy / "course.yaml"
    text, before = file.read_text(), ids(home)
    assert "--upgrade s00" in arena(home, "run", file).stderr
    done = output(home, "run", file, "--upgrade", "s00")
    assert played(home) == {("s00", 2): 8, ("s01", 1): 8, ("random", 1): 8}
    assert "s00 1 was replaced by version 2 (" in done
    assert "its matches do not count" in done
    (out,) = board(home)["out"]
    assert (out["bot"], out["version"], out["replaced_by"]) == ("s00", 1, 2)
    after = ids(home)
    assert len(after) == 12 + 8
    assert set(before) < set(after), "what was played stays"
    assert file.read_text() == text
    for again in ((), ("--upgrade", "s00"), ("--upgrade", "s00@2")):
        assert "is newer than" not in messages(home, "run", file, *again)
        assert ids(home) == after
    assert "20 matches verified: all right" in output(home, "verify")
    assert "12 matches rated again" in output(home, "verify", "--ratings")
    assert len(output(home, "matches", "--bot", "s00").splitlines()) == 1 + 16, "of both"
    assert "s00@2" not in output(home, "leaderboard", "--crosstable")
    output(home, "report", "-o", copy / "report")
    page = (copy / "report" / "index.html").read_text()
    assert "s00 1 was replaced by version 2" in page
    output(home, "export", "--marks", copy / "marks.csv")
    rows = csv.DictReader((copy / "marks.csv").read_text().splitlines())
    marks = [(row["version"], row["games"], row["out"]) for row in rows if row["name"] == "s00"]
    assert marks == [("2", "8", "")]
    match = next(row for row in as_json(home, "matches")["rows"])
    assert "identical" in output(home, "reproduce", match["id"])


def test_upgrade_back_restores_table(copy: Path) -> None:
    """An upgrade back to the version before restores its matches, and plays nothing."""
    home, file = copy / "home", copy / "course.yaml"
    before = board(home)["rows"]
    output(home, "run", file, "--upgrade", "s00")
    assert "s00 2 was replaced by version 1 (" in output(home, "run", file, "--upgrade", "s00@1")
    assert board(home)["rows"] == before
    assert len(ids(home)) == 20


def test_a_third_version_and_more_rounds_and_bots(copy: Path) -> None:
    """Matches get their numbers in a schedule with all versions; the table is that of one run."""
    home, file = copy / "home", copy / "course.yaml"
    output(home, "run", file, "--upgrade", "s00@2")
    submit_bot(home, "s00", "still better")
    submit_bot(home, "s02")
    write(copy, "[s00, s01, s02, random]", rounds=3)
    output(home, "run", file, "--extend", "--upgrade", "s00", "--workers", 1)
    # by hand: four bots, three rounds, both seats
    assert {*played(home).values()} == {18}
    assert played(home).keys() == {("s00", 3), ("s01", 1), ("s02", 1), ("random", 1)}
    assert [(row["bot"], row["version"]) for row in board(home)["out"]] == [("s00", 1), ("s00", 2)]
    assert "all right" in output(home, "verify", "--ratings")


def test_the_table_is_the_same_for_any_number_of_workers(copy: Path, tmp_path: Path) -> None:
    """One worker, and four that end matches in another order."""
    other = tmp_path / "other"
    shutil.copytree(copy / "home", other)
    file = copy / "course.yaml"
    output(copy / "home", "run", file, "--upgrade", "s00", "--workers", 1)
    output(other, "run", file, "--upgrade", "s00", "--workers", 4)
    assert board(copy / "home") == board(other)


def test_ban_takes_out_all_versions(copy: Path) -> None:
    """A bot in ``without`` is out in all its versions."""
    home, file = copy / "home", copy / "course.yaml"
    output(home, "run", file, "--upgrade", "s00")
    write(copy, without="[s00]")
    assert "s00 was taken out by the organiser" in output(home, "run", file)
    assert played(home) == {("s01", 1): 4, ("random", 1): 4}


def test_an_upgrade_travels_in_a_bundle(copy: Path, tmp_path: Path) -> None:
    """Verified, taken into another home, where it goes on; one that differs is refused."""
    home, file = copy / "home", copy / "course.yaml"
    early = tmp_path / "early.arena"
    output(home, "bundle", "create", "course", "-o", early)
    output(home, "run", file, "--upgrade", "s00")
    bundle, other = tmp_path / "course.arena", tmp_path / "other"
    output(home, "bundle", "create", "course", "-o", bundle)
    assert "all right" in output(home, "bundle", "verify", bundle, "--rerun", "5")
    output(other, "bundle", "import", bundle)
    assert board(other) == board(home)
    output(other, "run", file)
    assert ids(other) == ids(home)
    assert "all right" in output(other, "verify", "--ratings")
    assert "--upgrade" in refused(other, "bundle", "import", early)


def test_upgraded_challenger_stays_challenger(copy: Path) -> None:
    """A newer version of a gauntlet's challenger is a challenger and meets the rest alone."""
    home, keys = copy / "home", {"name": "gauntlet", "format": "gauntlet", "challengers": 1}
    file = write(copy, "[s01, s00, random]", **keys)
    output(home, "run", file)
    submit_bot(home, "s01", "better")
    output(home, "run", file, "--upgrade", "s01")
    assert played(home) == {("s01", 2): 8, ("s00", 2): 4, ("random", 1): 4}


@pytest.mark.parametrize(
    ("format_", "word"),
    [
        ("swiss", "its pairings are made"),
        ("knockout", "its pairings are made"),
        ("ladder", "by themselves"),
        ("round-robin", "stop"),
    ],
)
def test_upgrade_is_refused_where_results_pair(copy: Path, format_: str, word: str) -> None:
    """``--upgrade`` is refused where opponents follow from results or counts of matches."""
    keys = {"stop": "{matches: 4}"} if word == "stop" else {}
    bots, more = "[s00@1, s01, random]", {"rounds": None, "format": format_, **keys}
    home, file = copy / "home", write(copy, bots, name="other", **more)
    assert word in refused(home, "run", file, "--upgrade", "s00")
