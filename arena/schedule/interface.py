"""What every tournament format promises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from arena.model import Record, Round, Tournament

__all__ = ["Format"]


class Format(Protocol):
    """One way to arrange matches; a module of this folder holds one as ``FORMAT``.

    A format keeps nothing between calls: it answers from what was played, so going on with a
    tournament is asking it again.
    """

    @property
    def name(self) -> str:
        """The word for it in a tournament file, such as ``round-robin``."""
        ...

    @property
    def bot_order_counts(self) -> bool:
        """Whether the order of the bots in the file changes who meets whom."""
        ...

    @property
    def grows_by(self) -> frozenset[str]:
        """What may be added to a tournament under way without taking back a match.

        Any of ``rounds``, ``bots``, ``games`` and ``stop`` (played further than before).
        """
        ...

    def next_round(
        self,
        tournament: Tournament,
        entrants: tuple[str, ...],
        settled: int,
        records: Iterable[Record],
    ) -> Round | None:
        """Return the round to work on, or ``None`` when the tournament is over.

        Args:
            tournament: the rules of it; ``games`` are canonical names.
            entrants: the names of those who play, each once, in the file's order.
            settled: how many matches, counted from the start of the schedule without a gap, are
                settled: recorded, or given up as undecided.
            records: the records of these, in schedule order; read only by formats that need them.

        Returns:
            The first round that holds an unsettled match, as a sequence that computes its matches
            when asked. The same round is returned until all of it is settled. ``Match.number`` is
            the place in the whole schedule, so it goes on from round to round.
        """
        ...
