"""The list of all bots with a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.submitted import Submitted, version

import arena.bots.bundled as bundled
from arena.bots.listing import list_bots


def test_bundled_come_first_and_versions_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bundled bots come by name, then submitted ones by name and version, with their states."""
    for name in ("random", "oak"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.yaml").write_text(f"{{name: {name}, language: python}}")
        (tmp_path / name / "bot.py").write_text("pass\n")
    monkeypatch.setattr(bundled, "bundled_folder", lambda: tmp_path)
    found = list_bots(
        Submitted([version("oak", 10), version("oak", 9, retired=True), version("elm", 1)])
    )
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
