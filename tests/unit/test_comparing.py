"""A comparison counted from what is stored, by who runs it and by who looks at it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from arena.comparing import Comparing, Question
from arena.stats.sprt import Sprt
from arena.store.matches import Play

WINS = [
    Play(n, ("a", "b") if n % 2 == 0 else ("b", "a"), (1 + n % 2, 2 - n % 2), n) for n in range(400)
]


@pytest.mark.parametrize("decides", [True, False])
def test_only_who_runs_it_decides_where_it_stops(decides: bool) -> None:
    """Two hundred blocks that one bot wins end the test; who looks at them stores nothing."""
    stops: list[tuple[int, int]] = []
    matches = SimpleNamespace(plays=lambda _, first, end: iter(WINS[first:end]))
    store: Any = SimpleNamespace(
        matches=matches,
        tournaments=SimpleNamespace(stop=lambda edition, stop: stops.append((edition, stop))),
    )
    edition: Any = SimpleNamespace(id=7, stop=None, label="t")
    question = Question("leaves", "a", ("b",), Sprt())
    comparing = Comparing(store, edition, question, decides=decides)
    assert comparing.count(len(WINS))
    assert comparing.answer().verdict == "stronger"
    assert [edition for edition, _ in stops] == ([7] if decides else [])
