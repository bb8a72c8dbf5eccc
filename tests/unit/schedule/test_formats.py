"""Formats are found by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.schedule import formats
from arena.schedule.formats import by_name, find_format, format_names
from arena.schedule.round_robin import FORMAT


def test_round_robin_is_found_by_scanning() -> None:
    """The module in the folder answers to the word of the tournament file."""
    assert "round-robin" in format_names()
    assert find_format("round-robin").name == "round-robin"


def test_unknown_format_is_told_with_those_there_are() -> None:
    """An unknown word is refused with the list and the nearest one."""
    with pytest.raises(UsageError, match=r'"round-robbin".*round-robin.*mean "round-robin"'):
        find_format("round-robbin")


def test_a_plugged_in_format_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed entry point brings a format that is found by its own name."""
    (tmp_path / "solo_format.py").write_text(
        "from dataclasses import replace\n"
        "from arena.schedule.round_robin import FORMAT as OURS\n"
        "FORMAT = replace(OURS, name='solo')\n"
    )
    info = tmp_path / "solo-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: solo\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.formats]\nsolo = solo_format:FORMAT\n")
    monkeypatch.syspath_prepend(tmp_path)
    formats._plugged_in.cache_clear()
    try:
        assert find_format("solo").name == "solo"
        assert set(format_names()) >= {"solo", "round-robin"}
    finally:
        monkeypatch.undo()
        sys.modules.pop("solo_format", None)
        formats._plugged_in.cache_clear()


def test_two_formats_of_one_name_are_refused() -> None:
    """A name met twice is an error that shows both places."""
    with pytest.raises(UsageError, match=r'"round-robin": here\.one and there\.two'):
        by_name([(FORMAT, "here.one"), (FORMAT, "there.two")])
