"""Matches in the store: written once each, listed, counted and found again by their ids."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import RecordError, StoreError, UsageError, near_miss
from arena.model import MatchResult, Termination
from arena.store.match_rows import fault_pairs, insert_match, numbers
from arena.store.sqlite import Database
from arena.store.tournaments import OUT, edition_label

if TYPE_CHECKING:
    from arena.store.packed import Packed

__all__ = ["MatchRow", "Matches", "Outcome", "Undecided"]

_CANDIDATES = 5  # named when an id's beginning fits several matches
_STARTUP = Termination.STARTUP.value
_MANY = 1 << 60


class MatchRow(NamedTuple):
    """One line of a list of matches.

    ``counted`` is false past an early stop, and where an entrant is out.
    """

    id: str
    tournament: str
    number: int
    game: str
    block: str
    seating: int
    entrants: tuple[str, ...]
    ranks: tuple[int, ...]
    by: str
    faults: tuple[tuple[int, str], ...]
    counted: bool


class Outcome(NamedTuple):
    """What a match means for who is suspended; ``failed``: the seats with a ``startup`` fault."""

    number: int
    game: str
    block: str
    seating: int
    entrants: tuple[str, ...]
    failed: tuple[int, ...] = ()


class Undecided(NamedTuple):
    """A match that could not be played to its end, for no fault of a bot."""

    id: str
    number: int
    reason: str


class Matches:
    """What the store knows of matches; ``tournament`` arguments are ``Edition.id``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ids: dict[tuple[int, str], int] = {}

    # writing

    def add(self, tournament: int, match: MatchResult | Packed) -> bool:
        """Store a finished match, in a transaction of its own.

        A match that is there already, by its id, stays as it is.

        Returns:
            Whether it was stored.

        Raises:
            ValueError: the match is void.
            StoreError: it could not be written, and may be tried again; or another match has its
                number, or an entrant is not entered.
        """
        packed = _pack(match) if isinstance(match, MatchResult) else match
        entrants = self._seats(tournament, packed)
        with self._database.writing() as execute:
            return insert_match(execute, tournament, packed, entrants)

    def add_void(self, tournament: int, match: str, reason: str, at: str) -> int:
        """Keep that an attempt to play a match was void; return how many there were so far."""
        with self._database.writing() as execute:
            (attempt,) = execute(
                "SELECT coalesce(max(attempt), 0) + 1 FROM void WHERE tournament = ? AND id = ?",
                (tournament, match),
            ).fetchone()
            execute(
                "INSERT INTO void (tournament, id, attempt, reason, at) VALUES (?, ?, ?, ?, ?)",
                (tournament, match, attempt, reason, at),
            )
        return int(attempt)

    def give_up(self, tournament: int, match: str, number: int, reason: str) -> None:
        """List a match as undecided; it leaves that list when it is played after all."""
        with self._database.writing() as execute:
            execute(
                "INSERT INTO undecided (tournament, id, number, reason) VALUES (?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET number = excluded.number, reason = excluded.reason",
                (tournament, match, number, reason),
            )

    # reading

    def count(self, tournament: int) -> int:
        """Return how many matches were played."""
        (count,) = self._database.row(
            "SELECT count(*) FROM match WHERE tournament = ?", (tournament,)
        )
        return int(count)

    def settled(self, tournament: int, undecided: bool = False) -> bytearray:
        """Return a bitmap of the schedule numbers that were played, the lowest bit first.

        Number n was played if ``n >> 3 < len(bits) and bits[n >> 3] >> (n & 7) & 1``. It is as long
        as the largest number needs: 125 kB for a million matches.

        Args:
            tournament: which.
            undecided: set the bits of undecided matches, too.
        """
        (last,) = self._database.row(
            "SELECT coalesce(max(number), -1) FROM match WHERE tournament = ?", (tournament,)
        )
        given_up = [match.number for match in self.undecided(tournament)] if undecided else []
        bits = bytearray((max([last, *given_up]) >> 3) + 1)
        for (number,) in self._database.rows(
            "SELECT number FROM match WHERE tournament = ?", (tournament,)
        ):
            bits[number >> 3] |= 1 << (number & 7)
        for number in given_up:
            bits[number >> 3] |= 1 << (number & 7)
        return bits

    def failed_starts(self, tournament: int) -> list[int]:
        """Return the schedule numbers of matches with a ``startup`` fault, in ascending order.

        It reads every match, 0.2 s for a million.
        """
        rows = self._database.rows(
            "SELECT number FROM match WHERE tournament = ? AND faults LIKE ? ORDER BY number",
            (tournament, f"%:{_STARTUP}%"),
        )
        return [number for (number,) in rows]

    def outcomes(
        self, tournament: int, first: int = 0, end: int = _MANY
    ) -> Generator[Outcome, None, None]:
        """Yield what was stored from a schedule number on, before ``end``, in schedule order."""
        names = self._names(tournament)
        # few different values of these occur, and so each is read once
        seats: dict[str, tuple[str, ...]] = {}
        failed: dict[str, tuple[int, ...]] = {}
        for number, game, block, seating, entrants, faults in self._database.rows(
            "SELECT number, game, block, seating, entrants, faults FROM match"
            " WHERE tournament = ? AND number >= ? AND number < ? ORDER BY number",
            (tournament, first, end),
        ):
            if entrants not in seats:
                seats[entrants] = tuple([names[entrant] for entrant in numbers(entrants)])
            if faults not in failed:
                pairs = fault_pairs(faults)
                failed[faults] = tuple([seat for seat, code in pairs if code == _STARTUP])
            yield Outcome(number, game, block, seating, seats[entrants], failed[faults])

    def undecided(self, tournament: int) -> list[Undecided]:
        """Return the matches that were given up, in schedule order."""
        rows = self._database.rows(
            "SELECT id, number, reason FROM undecided WHERE tournament = ?"
            " AND id NOT IN (SELECT id FROM record) ORDER BY number",
            (tournament,),
        )
        return [Undecided(*row) for row in rows]

    def voids(self, tournament: int, match: str) -> list[str]:
        """Return why earlier attempts to play a match were void, oldest first."""
        rows = self._database.rows(
            "SELECT reason FROM void WHERE tournament = ? AND id = ? ORDER BY attempt",
            (tournament, match),
        )
        return [reason for (reason,) in rows]

    def texts(
        self, tournament: int | None = None, counted: bool = True
    ) -> Generator[str, None, None]:
        """Yield the records' texts in schedule order; all tournaments' one after the other.

        Args:
            tournament: which; ``None``: all.
            counted: leave out the matches past an early stop, and those of entrants who are out.
        """
        out = self._out(tournament) if counted else set()
        for text, entrants in self._database.rows(
            "SELECT record.text, entrants FROM match JOIN record ON record.seq = match.record"
            " JOIN tournament ON tournament.id = match.tournament"
            " WHERE (? IS NULL OR match.tournament = ?)"
            " AND (NOT ? OR tournament.stop IS NULL OR match.number < tournament.stop)"
            " ORDER BY match.tournament, match.number",
            (tournament, tournament, counted),
        ):
            if not out or out.isdisjoint(numbers(entrants)):
                yield text

    def forfeits(self) -> Generator[str, None, None]:
        """Yield the texts of forfeits that nobody played, as earlier versions of the arena kept."""
        for (text,) in self._database.rows("SELECT text FROM forfeit ORDER BY tournament, number"):
            yield text

    def text(self, prefix: str) -> str:
        """Return the text of the one record whose id begins with ``prefix``.

        Raises:
            RecordError: none or several do; the message names candidates.
        """
        rows = list(
            self._database.rows(
                "SELECT id, text FROM record WHERE id >= ?1 AND id < ?2"
                " UNION ALL SELECT id, text FROM forfeit WHERE id >= ?1 AND id < ?2"
                " AND id NOT IN (SELECT id FROM record) ORDER BY id LIMIT ?3",
                (prefix, prefix + "\U0010ffff", _CANDIDATES + 1),
            )
        )
        if not prefix or not rows:
            raise RecordError(f'no match in this home has an id that begins with "{prefix}"')
        if len(rows) > 1 and rows[0][0] != prefix:
            named = ", ".join(match for match, _ in rows[:_CANDIDATES])
            more = ", …" if len(rows) > _CANDIDATES else ""
            raise RecordError(f'several matches begin with "{prefix}": {named}{more}')
        return str(rows[0][1])

    def duplicates(self, tournament: int) -> int:
        """Return how many matches repeat an earlier one: the same seats, deal and actions.

        It reads every match, 0.5 s for a million.
        """
        (repeated,) = self._database.row(
            "SELECT count(*) - count(DISTINCT play) FROM match WHERE tournament = ?",
            (tournament,),
        )
        return int(repeated)

    def list(
        self, tournament: int | None = None, *, bot: str | None = None, by: str | None = None
    ) -> Iterator[MatchRow]:
        """Yield matches in schedule order; all tournaments' one after the other.

        Args:
            tournament: which; ``None``: all.
            bot: only those of this entrant, or of the entrants with this bot (``NAME`` or
                ``NAME@VERSION``).
            by: only those that ended so.

        Raises:
            UsageError: nobody of that name is entered.
        """
        names = self._names(tournament)
        out = self._out(tournament)
        wanted = None if bot is None else self._wanted(tournament, bot)
        for row in self._database.rows(
            "SELECT record.id, tournament.name, tournament.edition, match.number, game, block,"
            " seating, entrants, ranks, by, faults, stop IS NULL OR match.number < stop"
            " FROM match JOIN record ON record.seq = match.record"
            " JOIN tournament ON tournament.id = match.tournament"
            " WHERE (? IS NULL OR match.tournament = ?) AND (? IS NULL OR by = ?)"
            " ORDER BY match.tournament, match.number",
            (tournament, tournament, by, by),
        ):
            match, name, edition, number, game, block, seating, seats, ranks, *rest = row
            end, faults, before_stop = rest
            entrants = numbers(seats)
            if wanted is None or not wanted.isdisjoint(entrants):
                yield MatchRow(
                    id=match,
                    tournament=edition_label(name, edition),
                    number=number,
                    game=game,
                    block=block,
                    seating=seating,
                    entrants=tuple([names[entrant] for entrant in entrants]),
                    ranks=numbers(ranks),
                    by=end,
                    faults=fault_pairs(faults),
                    counted=bool(before_stop) and out.isdisjoint(entrants),
                )

    def _seats(self, tournament: int, match: Packed) -> str:
        return ",".join([str(self._id(tournament, name)) for name in match.entrants])

    def _id(self, tournament: int, entrant: str) -> int:
        key = tournament, entrant
        if key not in self._ids:
            row = self._database.row(
                "SELECT id FROM entrant WHERE tournament = ? AND name = ?", (tournament, entrant)
            )
            if row is None:
                raise StoreError(f'"{entrant}" is not entered in tournament {tournament}')
            self._ids[key] = row[0]
        return self._ids[key]

    def _names(self, tournament: int | None) -> dict[int, str]:
        return dict(
            self._database.rows(
                "SELECT id, name FROM entrant WHERE ? IS NULL OR tournament = ?",
                (tournament, tournament),
            )
        )

    def _out(self, tournament: int | None) -> set[int]:
        rows = self._database.rows(
            f"SELECT id FROM entrant WHERE {OUT} AND (? IS NULL OR tournament = ?)",
            (tournament, tournament),
        )
        return {entrant for (entrant,) in rows}

    def _wanted(self, tournament: int | None, bot: str) -> set[int]:
        rows = list(
            self._database.rows(
                "SELECT id, name, bot, version FROM entrant WHERE ? IS NULL OR tournament = ?",
                (tournament, tournament),
            )
        )
        wanted = {
            entrant
            for entrant, name, program, version in rows
            if bot in (name, program, f"{program}@{version}")
        }
        if not wanted:
            names = sorted({name for _, name, _, _ in rows})
            hint = near_miss(bot, names) or (
                f": there are {', '.join(names[:20])}" if names else ""
            )
            raise UsageError(f'no bot "{bot}" is entered{hint}')
        return wanted


def _pack(match: MatchResult) -> Packed:
    from arena.store.packed import pack  # how records are made costs 5 ms, and readers do without

    return pack(match)
