"""The step of a check that tries shorter limits: what it says of the time that answers took."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from support.recorded import recorded

import arena.check.games as games
from arena.check.steps import Verdict
from arena.model import Clock, Decision
from engines import load_game


@pytest.mark.parametrize(
    ("ms", "charged_ms", "verdict", "words"),
    [
        (503.0, 480.0, Verdict.OK, "of 1000 ms it was charged 480;"),
        (1327.0, 480.0, Verdict.OK, "of 1000 ms it was charged 480 (1327 by the clock"),
        (1327.0, 1010.0, Verdict.NOTE, "of 1000 ms it was charged 1010 (late);"),
    ],
)
def test_what_counts_is_what_is_charged(
    ms: float,
    charged_ms: float,
    verdict: Verdict,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bot that the machine kept waiting keeps its time, and both times are said."""
    record = recorded("leaves", most=8)
    slow = tuple(Decision(ms, charged_ms, charged_ms) for _ in record.decisions)
    quick = tuple(Decision(1.0, 1.0, 1.0) for _ in record.decisions)
    played = iter([slow, quick, quick])

    def play(_: object) -> SimpleNamespace:
        return SimpleNamespace(record=replace(record, decisions=next(played)))

    monkeypatch.setattr(games, "play_match", play)
    subject: Any = SimpleNamespace(clock=Clock(move_ms=1000), job=lambda *_, **__: None)
    finding = games.budgets(subject, {(load_game("leaves"), 0): record})
    assert words in finding.detail
    assert finding.verdict is verdict
