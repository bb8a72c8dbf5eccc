"""What bots write to stdout that no record says: all but their usual answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from arena.match.player import PlayerState, Stage
from arena.process.capture import Capture
from arena.said import NOTHING_SAID, Piece, Pieces, Source

__all__ = ["Written"]


class Written:
    """The lines of one match as they were written, seat by seat, within the bounds of ``Capture``.

    A usual answer is `play ACTION D` or `play ACTION`, to the byte. Nothing is kept of it but
    whether it has its number, where that changes.
    """

    def __init__(self, players: Sequence[PlayerState]) -> None:
        self._players = players
        self._captures: dict[int, Capture] = {}  # most players write nothing but usual answers
        self._kept: set[int] = set()
        self._settled: dict[int, bytes] = {}  # usual answers at an open node of several players

    def line(self, player: int, before: Stage, raw: bytes) -> None:
        """Take a line that was judged; ``before`` is where its player stood then."""
        p = self._players[player]
        source = Source.AFTER if before is Stage.READY else Source.STDOUT
        if p.stage is Stage.SETTLED and not p.decision.forced:
            action = p.action.encode("ascii")
            if raw in (b"play %s %d" % (action, p.asked), b"play %s" % action):
                p.number_answers(raw.count(b" ") == 1)
                self._settled[player] = raw
                return
            self._settled.pop(player, None)
            source = Source.ANSWER
        self._take(player, raw + b"\n", source)

    def part(self, player: int, data: bytes) -> None:
        """Take the beginning of a line that was judged as it is."""
        if data:
            self._take(player, data, Source.STDOUT)

    def close(self, unrecorded: Collection[int]) -> None:
        """Take answers of players at a node that are not in the record: the game was over."""
        for player in unrecorded:
            if player in self._settled:
                self._take(player, self._settled[player] + b"\n", Source.ANSWER)

    def keep(self, player: int) -> None:
        """Take note that a player's process is kept for the next match."""
        self._kept.add(player)

    def pieces(self) -> tuple[Pieces, ...]:
        """Return what was kept, seat by seat."""
        return tuple([self._pieces(p) for p in self._players])

    def _pieces(self, p: PlayerState) -> Pieces:
        capture, kept = self._captures.get(p.number), p.number in self._kept
        if capture is None and kept and not p.renumbered:
            return NOTHING_SAID  # at once, as that is usual where matches are short
        pieces = NOTHING_SAID if capture is None else capture.pieces()
        greeted = any(piece[:2] == (0, Source.STDOUT) for piece in pieces)
        marks = []
        if greeted == kept:
            marks.append(Piece(0, Source.KEPT if kept else Source.DISMISSED, b""))
        changes = [Source.UNNUMBERED, Source.NUMBERED] * len(p.renumbered)
        for decision, change in zip(p.renumbered, changes, strict=False):
            marks.append(Piece(decision, change, b""))
        return (*marks, *pieces)

    def _take(self, player: int, data: bytes, source: Source) -> None:
        capture = self._captures.get(player)
        if capture is None:
            asked = partial(getattr, self._players[player], "asked")
            capture = self._captures[player] = Capture(asked)
        capture.add(data, source)
