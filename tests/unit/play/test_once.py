"""One match that is rated by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena.isolation.choose
from arena.play.once import play_once
from arena.values.model import BotEntry, Clock


def test_only_chosen_isolation_level_is_probed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``play`` with a level given probes that level alone."""
    probed = []

    def probe(name: str) -> None:
        probed.append(name)

    monkeypatch.setattr(arena.isolation.choose, "problem_with", probe)
    bots = [BotEntry(name=name, ref=name) for name in ("random", "greedy")]
    clock = Clock(move_ms=10_000, first_ms=10_000)
    result = play_once("leaves", bots, tmp_path, seed=1, clock=clock, sandbox="none")
    assert (result.record.by, result.record.sandbox) == ("rules", "none")
    assert set(probed) == {"none"}


def test_function_of_an_entry_plays_under_its_name(tmp_path: Path) -> None:
    """A function may have a line of its own, as in a tournament."""
    line = {"name": "oak", "function": lambda match, left_ms, limit_ms: match.legal[0]}
    record = play_once("leaves", [line, "random"], tmp_path, seed=1).record
    assert [(one.bot, one.sandbox) for one in record.players] == [
        ("oak", "function"),
        ("random", ""),
    ]
    assert record.by == "rules"
