"""What every tournament format promises."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from arena.schedule.batches import BatchHistory, History, NoBatch
from arena.schedule.plan import Past, Plan, TablePlace
from arena.values.model import Record, Round, Tournament


class _FormatFacts(Protocol):
    """What is known of a format by itself."""

    @property
    def name(self) -> str:
        """The word for it in a tournament file, such as ``round-robin``."""

    @property
    def bot_order_counts(self) -> bool:
        """Whether the order of the bots in the file changes who meets whom."""

    @property
    def grows_by(self) -> frozenset[str]:
        """What may be added to a tournament under way without taking back a match.

        Any of ``rounds``, ``bots``, ``games`` and ``stop`` (played further than before).
        """

    @property
    def keys(self) -> frozenset[str]:
        """Those of ``FORMAT_KEYS`` (``arena.tournament``) that it reads."""


class Format(_FormatFacts, Protocol):
    """One way to arrange matches; a module of this folder holds one as ``FORMAT``.

    A format keeps nothing between calls: it answers from what was played, so going on with a
    tournament is asking it again.
    """

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


@runtime_checkable
class PlannedFormat(_FormatFacts, Protocol):
    """A format in which results decide who meets next; a module holds one as ``FORMAT``.

    Each round is planned once, from what is committed, and stored before its first match is played
    (``arena.progress.planner``): it is never planned again.
    """

    def most_matches(self, tournament: Tournament, entrants: int) -> int:
        """Return how many matches there are at most, with so many entrants."""


@runtime_checkable
class AdaptiveFormat(PlannedFormat, Protocol):
    """A format for games for two, whose rounds are planned from the points of those before."""

    def plan(
        self,
        tournament: Tournament,
        entrants: Sequence[str],
        past: Sequence[Past],
        out: Collection[str],
    ) -> Plan | None:
        """Return the round after those that are over, or ``None`` when there is none.

        Args:
            tournament: the rules of it.
            entrants: the names of those who are entered, the best seed first.
            past: all rounds so far, with what they brought.
            out: those who are taken out or suspended now.
        """

    def places(self, past: Sequence[Past], under_way: Plan | None) -> Mapping[str, TablePlace]:
        """Return the place of each entrant of a round, with the one that is not over."""


@runtime_checkable
class BatchFormat(PlannedFormat, Protocol):
    """A format whose rounds are batches of blocks, planned from ratings, as long as there are any.

    Its games are all for equally many players. Newer versions of its bots are taken up between
    batches.
    """

    def plan_batch(
        self,
        tournament: Tournament,
        names: Sequence[str],
        out: Collection[str],
        history: History,
        known: BatchHistory,
    ) -> Plan | NoBatch:
        """Return the batch after those in ``history``, or why there is none.

        Args:
            tournament: the rules of it.
            names: those who play: nobody who is out, or rests as a newer version plays.
            out: those who are taken out or suspended now; blocks with them do not count.
            history: all batches so far.
            known: what their results say.
        """


AnyFormat = Format | AdaptiveFormat | BatchFormat
