"""What is kept of a player's words."""

from __future__ import annotations

from typing import Any

from arena.match.charging import Spent
from arena.match.info import info_text
from arena.match.player import PlayerState
from arena.match.protocol import MAX_INFO_BYTES
from arena.values.model import Clock


def test_info_of_match_keeps_first_64_kib() -> None:
    """``info`` of a match is kept up to 64 KiB of the record's text; the rest is counted."""
    seat: Any = type("Seat", (), {"clock": Clock(move_ms=1000)})()
    player = PlayerState(0, seat)
    kept: list[tuple[tuple[str, float | str], ...]] = []
    for decision in range(50):
        player.keep(tuple((f"k{n}", "\u00e9" * 200) for n in range(10)))
        player.settle(f"a{decision}", Spent(1.0, 1.0, 1.0), late=False)
        kept.append(player.decision.info)
    size = sum(len(info_text(info)) for info in kept)
    assert MAX_INFO_BYTES - 1300 < size <= MAX_INFO_BYTES
    whole = next(place for place, info in enumerate(kept) if len(info) < 10)
    assert [len(info) for info in kept[:whole]] == [10] * whole
    assert not any(kept[whole + 1 :]), "a short value after a long one that was not kept, neither"
    player.keep((("short", 1.0),))
    player.settle("b", Spent(1.0, 1.0, 1.0), late=False)
    assert player.decision.info == ()
    assert player.info_dropped == 501 - sum(map(len, kept))
