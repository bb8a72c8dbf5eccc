"""How long a host may show no sign that it goes on."""

from __future__ import annotations

from typing import Any

import pytest

from arena.cluster.signs import FETCHING, Doing, Signs, still_seconds
from arena.values.model import Clock

CLOCK = Clock(move_ms=1000, first_ms=0, start_ms=10_000)


def worker(heard: float, doing: object) -> dict[str, dict[str, Any]]:
    """Return what a scheduler knows of one host."""
    return {"a": {"last_seen": heard, "metrics": {"arena": {"doing": doing}}}}


def silent_after(doing: object, seconds: float) -> bool:
    """Return whether a host counts as silent that says the same for so long."""
    signs = Signs("k", [CLOCK])
    assert signs.look({1: "a"}, worker(100.0, doing)) == {}
    return "a" in signs.look({1: "a"}, worker(100.0 + seconds, doing))


@pytest.mark.parametrize(
    ("doing", "seconds"),
    [
        (Doing(), 60),
        (Doing("k", 7, 3), 60),
        (Doing("k", 7, 0), 210),  # bots start
        (Doing(part=FETCHING), 600),
        (Doing("other", 7, 3, within=500.0), 500),
        (Doing("k", 7, 3, within=500.0), 60),
    ],
)
def test_silence_of_host_depends_on_its_work(doing: Doing, seconds: float) -> None:
    """How long a host may be silent follows from what it does, and from this run's limits."""
    assert not silent_after(doing._asdict(), seconds)
    assert silent_after(doing._asdict(), seconds + 1)


@pytest.mark.parametrize("says", [None, 7, {"match": "x", "decisions": None}, {"within": "long"}])
def test_invalid_sign_of_host_counts_as_none(says: object) -> None:
    """A host whose signs have other types is silent after 60 s."""
    assert silent_after(says, 61)


def test_nothing_is_learnt_of_a_host_that_is_not_heard() -> None:
    """Time passes with its heartbeats alone; a chunk that goes to another host begins again."""
    signs, doing = Signs("k", [CLOCK]), Doing()._asdict()
    for _ in range(100):
        assert signs.look({1: "a"}, worker(100.0, doing)) == {}
    assert signs.look({1: "b"}, {"b": worker(170.0, doing)["a"]}) == {}
    assert signs.look({1: "a"}, worker(200.0, doing)) == {}


def test_the_limit_of_a_game_clock_grows_with_its_decisions() -> None:
    """Whoever answers at once saves each increment for one long decision."""
    clock = Clock(move_ms=None, first_ms=0, main_ms=10_000, inc_ms=1000)
    assert still_seconds([CLOCK, clock], Doing("k", 7, 20)) == 2 * (10 * 30 + 5)
