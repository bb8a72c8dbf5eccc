"""Tournaments that come with the arena: listed, run by their names, and copied."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import ROOT, as_json, messages, output, refused


def test_shipped_tournaments_are_listed(tmp_path: Path) -> None:
    """``--shipped`` lists every file of ``tournaments/``, also in an empty folder."""
    listed = as_json(tmp_path / "home", "tournaments", "--shipped", cwd=tmp_path)
    rows = {row["tournament"]: row for row in listed["rows"]}
    assert rows.keys() == {file.stem for file in (ROOT / "tournaments").glob("*.yaml")}
    assert rows["swiss"]["format"] == "swiss"
    assert rows["the-tree-4p"]["games"] == ["the_tree(players=4)"]


@pytest.mark.slow
def test_name_of_shipped_tournament_runs_it(tmp_path: Path) -> None:
    """Where no such file is, the name means the shipped tournament, and stderr says so."""
    planned = messages(tmp_path / "home", "run", "knockout", "--dry-run", cwd=tmp_path)
    assert "comes with the arena" in planned
    assert "connect" not in planned


def test_file_of_the_folder_comes_before_shipped_name(tmp_path: Path) -> None:
    """A file, or one with the suffix left out, is never passed over for a shipped tournament."""
    for name in ("swiss.yaml", "ladder.yml"):
        (tmp_path / name).write_text("name: mine\n")
        said = refused(tmp_path / "home", "run", name.partition(".")[0], cwd=tmp_path)
        assert f'did you mean "{name}"' in said
    (tmp_path / "gauntlet").write_text("name: mine\n")
    said = refused(tmp_path / "home", "run", "gauntlet", cwd=tmp_path)
    assert "gauntlet:1" in said
    assert "comes with the arena" not in said


def test_shipped_tournament_is_copied(tmp_path: Path) -> None:
    """``new tournament --from`` writes the file as it is shipped, and never over another."""
    file = tmp_path / "cup.yaml"
    words = ("new", "tournament", "cup.yaml", "--from", "quickstart")
    output(tmp_path / "home", *words, cwd=tmp_path)
    assert file.read_bytes() == (ROOT / "tournaments/quickstart.yaml").read_bytes()
    file.write_text("mine")
    refused(tmp_path / "home", *words, cwd=tmp_path)
    assert file.read_text() == "mine"
    assert "quickstart" in refused(tmp_path / "home", *words[:-1], "quickstat", cwd=tmp_path)
    assert "--from" in refused(tmp_path / "home", *words[:2], "other.yaml", cwd=tmp_path)
