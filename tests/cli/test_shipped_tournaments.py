"""Tournaments that come with the arena: listed, run by their names, and copied."""

from __future__ import annotations

import json
from pathlib import Path

from support.arena_command import arena

ROOT = Path(__file__).parent.parent.parent


def test_shipped_tournaments_are_listed(tmp_path: Path) -> None:
    """``--shipped`` lists every file of ``tournaments/``, also in an empty folder."""
    listed = arena(tmp_path / "home", "tournaments", "--shipped", "--json", cwd=tmp_path)
    rows = {row["tournament"]: row for row in json.loads(listed.stdout)["rows"]}
    assert rows.keys() == {file.stem for file in (ROOT / "tournaments").glob("*.yaml")}
    assert rows["swiss"]["format"] == "swiss"
    assert rows["the-tree-4p"]["games"] == ["the_tree(players=4)"]


def test_name_of_shipped_tournament_runs_it(tmp_path: Path) -> None:
    """Where no such file is, the name means the shipped tournament, and stderr says so."""
    planned = arena(tmp_path / "home", "run", "knockout", "--dry-run", cwd=tmp_path)
    assert planned.returncode == 0
    assert "comes with the arena" in planned.stderr
    assert "connect" not in planned.stderr


def test_file_of_the_folder_comes_before_shipped_name(tmp_path: Path) -> None:
    """A file, or one with the suffix left out, is never passed over for a shipped tournament."""
    for name in ("swiss.yaml", "ladder.yml"):
        (tmp_path / name).write_text("name: mine\n")
        refused = arena(tmp_path / "home", "run", name.partition(".")[0], cwd=tmp_path)
        assert refused.returncode == 2
        assert f'did you mean "{name}"' in refused.stderr
    (tmp_path / "gauntlet").write_text("name: mine\n")
    refused = arena(tmp_path / "home", "run", "gauntlet", cwd=tmp_path)
    assert refused.returncode == 2
    assert "gauntlet:1" in refused.stderr
    assert "comes with the arena" not in refused.stderr


def test_shipped_tournament_is_copied(tmp_path: Path) -> None:
    """``new tournament --from`` writes the file as it is shipped, and never over another."""
    file = tmp_path / "cup.yaml"
    words = ("new", "tournament", "cup.yaml", "--from", "quickstart")
    assert arena(tmp_path / "home", *words, cwd=tmp_path).returncode == 0
    assert file.read_bytes() == (ROOT / "tournaments/quickstart.yaml").read_bytes()
    file.write_text("mine")
    assert arena(tmp_path / "home", *words, cwd=tmp_path).returncode == 2
    assert file.read_text() == "mine"
    unknown = arena(tmp_path / "home", *words[:-1], "quickstat", cwd=tmp_path)
    assert unknown.returncode == 2
    assert "quickstart" in unknown.stderr
    nothing = arena(tmp_path / "home", *words[:2], "other.yaml", cwd=tmp_path)
    assert nothing.returncode == 2
    assert "--from" in nothing.stderr
