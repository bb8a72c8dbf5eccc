"""What is kept of a player's words."""

from __future__ import annotations

from typing import Any

from arena.match.player import PlayerState
from arena.match.protocol import MAX_INFO
from arena.values.model import Clock


def test_of_too_many_keys_the_first_count() -> None:
    """A key that is kept already may have a new value; one key more than is kept is dropped."""
    seat: Any = type("Seat", (), {"clock": Clock(move_ms=1000)})()
    player = PlayerState(0, seat)
    player.keep(tuple((f"k{n}", float(n)) for n in range(MAX_INFO + 5)))
    player.keep((("k0", 7.0), ("late", 1.0)))
    assert [*player.info] == [f"k{n}" for n in range(MAX_INFO)]
    assert player.info["k0"] == 7.0
