"""What bots write to stdout that no record says: all but the answers that count."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from arena.match.player import PlayerState, Stage
from arena.process.capture import Capture
from arena.said import NOTHING_SAID, Pieces, Source

__all__ = ["Written"]


class Written:
    """The lines of one match as they were written, within the bounds of ``Capture``."""

    def __init__(self, players: Sequence[PlayerState]) -> None:
        self._players = players
        self._captures: dict[int, Capture] = {}  # most players write nothing but answers

    def line(self, player: int, before: Stage, raw: bytes) -> None:
        """Take a line that was judged; ``before`` is where its player stood then."""
        p = self._players[player]
        if p.stage is not Stage.SETTLED or p.decision.forced:
            self._take(
                player, raw + b"\n", Source.AFTER if before is Stage.READY else Source.STDOUT
            )

    def part(self, player: int, data: bytes) -> None:
        """Take the beginning of a line that was judged as it is."""
        if data:
            self._take(player, data, Source.STDOUT)

    def pieces(self) -> tuple[Pieces, ...]:
        """Return what was kept, seat by seat."""
        found = self._captures
        return tuple(
            [found[p.number].pieces() if p.number in found else NOTHING_SAID for p in self._players]
        )

    def _take(self, player: int, data: bytes, source: Source) -> None:
        capture = self._captures.get(player)
        if capture is None:
            asked = partial(getattr, self._players[player], "asked")
            capture = self._captures[player] = Capture(asked)
        capture.add(data, source)
