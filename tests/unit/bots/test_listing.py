"""The list of all bots with a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import arena.bots.bundled as bundled
from arena.bots import list_bots


@dataclass
class Row:
    """One submitted version as a store would give it."""

    name: str
    version: int
    retired: bool = False
    hash: str = "sha256:0"
    language: str = "c"
    games: tuple[str, ...] = ("leaves",)


@dataclass
class Rows:
    """A store in memory."""

    rows: Sequence[Row]

    def all(self) -> Sequence[Row]:
        return self.rows


def test_bundled_come_first_and_versions_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bundled bots come by name, then submitted ones by name and version, with their states."""
    for name in ("random", "oak"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.yaml").write_text(f"{{name: {name}, language: python}}")
        (tmp_path / name / "bot.py").write_text("pass\n")
    monkeypatch.setattr(bundled, "bundled_folder", lambda: tmp_path)
    found = list_bots(Rows([Row("oak", 10), Row("oak", 9, retired=True), Row("elm", 1)]))
    assert [(bot.name, bot.version, bot.origin, bot.state) for bot in found] == [
        ("oak", 1, "bundled", "hidden"),
        ("random", 1, "bundled", "active"),
        ("elm", 1, "submitted", "active"),
        ("oak", 9, "submitted", "retired"),
        ("oak", 10, "submitted", "active"),
    ]
    assert found[1].language == "python"
    assert found[1].games == ()
    assert found[2].games == ("leaves",)
