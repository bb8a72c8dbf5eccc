"""One match as rows of the store: written, and read back as it was written."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from hashlib import blake2b

# SQLite's columns have no static type: a row is Any until it becomes one of our values
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from arena.crash import cross
from arena.errors import StoreError
from arena.packed.text import HASH_BYTES, record_hash, unpack_text
from arena.store.checksums import LISTED, RESULT, Execute, row_hash
from arena.store.dictionaries import DamagedDictionary, Dictionaries
from arena.store.entrants import label_of
from arena.store.said_rows import insert_said
from arena.store.sqlite import Database

if TYPE_CHECKING:
    from arena.packed.match import StoredMatch

__all__ = [
    "ListedRow",
    "Meanings",
    "check_count",
    "count_matches",
    "damaged_dictionary",
    "fault_pairs",
    "insert_match",
    "listed_rows",
    "numbers",
    "played_numbers",
    "record_text",
    "row_values",
    "whole_rows",
]

T = TypeVar("T")

_BEFORE_ALL = -(1 << 62)


class ListedRow(NamedTuple):
    """Everything of a row of ``match``, and the id and text of its record.

    ``text`` is empty where it was not read. ``damage`` says what is wrong, if anything is; then the
    rest is not to be believed.
    """

    tournament: int
    number: int
    game: str
    entrants: str
    ranks: str
    faults: str
    answers: str
    charged_us: str
    record: int
    block: str
    seating: int
    by: str
    play: int
    started: int | None
    id: str
    text: str = ""
    damage: str = ""


# writing


def insert_match(execute: Execute, tournament: int, match: StoredMatch, entrants: str) -> bool:
    """Store a match if there is none of its id; whether it was stored."""
    cursor = execute(
        "INSERT INTO record (tournament, number, id, dictionary, data, row_hash)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        (tournament, match.number, match.id, match.dictionary, match.data, match.hash),
    )
    if not cursor.rowcount:
        return False
    cross("record")
    insert_said(execute, tournament, cursor.lastrowid, match)
    values = row_values(tournament, match, entrants, cursor.lastrowid)
    execute(_INSERT, (*values, row_hash(values[: len(RESULT)]), row_hash((*values, match.id))))
    return True


def count_matches(execute: Execute, tournament: int, more: int) -> None:
    """Count matches that were stored; to be done in the transaction that stores them."""
    execute(
        "INSERT INTO tally VALUES (?, ?)"
        " ON CONFLICT DO UPDATE SET matches = matches + excluded.matches",
        (tournament, more),
    )
    cross("tally")


# reading


def whole_rows(
    database: Database, tournament: int, *, after: int | None = None, listed: bool = False
) -> Iterator[tuple[Any, ...]]:
    """Yield what tables are made from, in schedule order, as it was written.

    Where an end or a game is looked for, look for it in what comes out: a row that a condition of
    the query leaves out may be one that is damaged.

    Args:
        database: the store.
        tournament: ``Edition.id``.
        after: begin behind this number. From the start on, the matches are counted, too.
        listed: each row begins with the columns ``LISTED``, of which those of ``RESULT`` are the
            first; otherwise with these alone, which takes less time.

    Raises:
        StoreError: a row is damaged, or missing.
    """
    if after is None:
        check_count(database, tournament)
        after = _BEFORE_ALL
    # row_hash(row[:-1]), written out: it is done a million times
    form, hashed = "%s\n" * (len(LISTED) + 1 if listed else len(RESULT)), blake2b
    if listed and after == _BEFORE_ALL:
        rows = _with_ids(database, tournament)
    else:
        rows = database.rows(_PLAYED if listed else _RESULTS, (tournament, after))
    for row in rows:
        said = hashed((form % row[:-1]).encode(), digest_size=HASH_BYTES)
        if said.digest() != row[-1] or row[1] <= after:
            raise database.damaged(_altered(database, tournament, row[1]))
        after = row[1]
        yield row


def played_numbers(database: Database, tournament: int) -> Iterator[int]:
    """Yield the schedule numbers of a tournament's matches, from rows that are as written.

    What is hashed is put together by SQLite, in half the time: nothing else of the rows is used.

    Raises:
        StoreError: a row is damaged, or missing.
    """
    check_count(database, tournament)
    after, hashed = _BEFORE_ALL, blake2b
    for number, types, said, found in database.rows(_NUMBERS, (tournament,)):
        if (
            types != _TYPES  # first: otherwise the text may be none
            or hashed(said.encode(), digest_size=HASH_BYTES).digest() != found
            or number <= after
        ):
            raise database.damaged(_altered(database, tournament, number))
        after = number
        yield number


def _with_ids(database: Database, tournament: int) -> Iterator[tuple[Any, ...]]:
    """Yield what ``_PLAYED`` does, from the start of a tournament."""
    ids = _ids(database, tournament)
    if ids is None:
        yield from database.rows(_PLAYED, (tournament, _BEFORE_ALL))
        return
    for row in database.rows(_UNNAMED, (tournament,)):
        record = row[_RECORD]
        known = isinstance(record, int) and 0 <= record < len(ids)
        yield (*row[:-1], f"{ids[record]:016x}" if known else None, row[-1])


def _ids(database: Database, tournament: int) -> array[int] | None:
    """Return the ids of all records, by ``seq``; ``None`` where that is not worth while.

    They are read from their index. In ``record`` they are beside the texts, a hundred times as
    much. It takes 8 bytes for each record, most of which must be of this tournament. Matches are
    read by another statement, so both must see the same state of the store.
    """
    if not database.connection.in_transaction:
        return None
    newest, stored = database.row(
        "SELECT coalesce(max(seq), 0), (SELECT matches FROM tally WHERE tournament = ?)"
        " FROM record",
        (tournament,),
    )
    if not stored or 2 * stored <= newest:
        return None
    ids = array("Q", bytes(8 * (newest + 1)))
    for name, seq in database.rows("SELECT id, seq FROM record ORDER BY id"):
        try:
            ids[seq] = int(name, 16)
        except (TypeError, ValueError, IndexError, OverflowError):
            return None  # no id of ours, or damaged
        if f"{ids[seq]:016x}" != name:
            return None
    return ids


def listed_rows(
    database: Database,
    tournament: int,
    first: int | None = None,
    *,
    texts: bool = False,
    damaged: bool = False,
) -> Iterator[ListedRow]:
    """Yield matches in schedule order.

    Args:
        database: the store.
        tournament: ``Edition.id``.
        first: begin with this number. From the start on, the matches are counted, too.
        texts: read the records' texts as well.
        damaged: yield damaged ones, too, with what is wrong with each.

    Raises:
        StoreError: a row is missing, or damaged.
    """
    if first is None:
        check_count(database, tournament)
        first = _BEFORE_ALL
    before = first - 1
    end = len(LISTED)
    dictionaries = Dictionaries(database.row)
    for row in database.rows(_TEXTS if texts else _LISTS, (tournament, first)):
        match, result_hash, match_hash, owner, number, *packed = row[end:]
        damage = text = ""
        if (
            row_hash(row[: end + 1]) != match_hash
            or row_hash(row[: len(RESULT)]) != result_hash
            or owner != tournament
            or number != row[1]
            or number <= before
        ):
            damage = _altered(database, tournament, row[1])
        else:
            before = number
            if texts:
                text, damage = _text(database, dictionaries, match, *packed)
        if damage and not damaged:
            raise database.damaged(damage)
        said = str(match or f"number {row[1]!a}") if damage else match
        yield ListedRow._make((*row[:end], said, "" if damage else text, damage))


def record_text(database: Database, match: str, number: int, data: bytes, found: bytes) -> str:
    """Return a record's text, if it is as it was written.

    Args:
        database: the store.
        match: its id.
        number: of the dictionary that it is packed with.
        data: what was packed.
        found: the hash of these three.

    Raises:
        StoreError: it is not.
    """
    text, damage = _text(database, Dictionaries(database.row), match, number, data, found)
    if damage:
        raise database.damaged(damage)
    return text


def _text(
    database: Database,
    dictionaries: Dictionaries,
    match: object,
    number: int,
    data: bytes,
    found: bytes,
) -> tuple[str, str]:
    """Return a record's text, or what is wrong with it."""
    if record_hash(match, number, data) != found:
        return "", f"the record of match {match!a} is not as it was written"
    try:
        return unpack_text(number, data, dictionaries[number]), ""
    except DamagedDictionary:
        raise damaged_dictionary(database) from None
    except ValueError as error:  # of a home from elsewhere: the hash is right
        return "", f"the record of match {match!a} cannot be unpacked ({error})"


def damaged_dictionary(database: Database) -> StoreError:
    """Return the error that says that records cannot be unpacked, or packed."""
    return database.damaged("a row of its table dictionary is not as it was written")


def check_count(database: Database, tournament: int) -> None:
    """Hold the number of a tournament's matches against how often one was stored.

    Raises:
        StoreError: some are missing, or there are too many.
    """
    stored, found = database.row(
        "SELECT coalesce((SELECT matches FROM tally WHERE tournament = ?), 0),"
        " (SELECT count(*) FROM match WHERE tournament = ?)",
        (tournament, tournament),
    )
    if stored != found:
        label = label_of(database, tournament)
        raise database.damaged(f'"{label}" has {stored!a} matches, and {found} of them are there')


def numbers(text: str) -> tuple[int, ...]:
    """Read a list of numbers, one a seat: ``3,7``."""
    return tuple(map(int, text.split(",")))


def fault_pairs(text: str) -> tuple[tuple[int, str], ...]:
    """Read a list of faults: ``0:time,1:crash``, or nothing."""
    pairs = (word.split(":") for word in text.split(",")) if text else ()
    return tuple((int(seat), code) for seat, code in pairs)


class Meanings(dict[str, T]):
    """What texts of columns mean: few different ones occur, and each is read once."""

    def __init__(self, read: Callable[[str], T]) -> None:
        self._read = read

    def __missing__(self, text: str) -> T:
        self[text] = value = self._read(text)
        return value


def row_values(
    tournament: int, match: StoredMatch, entrants: str, record: int | None
) -> tuple[object, ...]:
    """Return what stands in a match's row, in the order of ``LISTED``; its first are ``RESULT``."""
    return (
        *(tournament, match.number, match.game, entrants, ",".join(map(str, match.ranks))),
        ",".join([f"{seat}:{code}" for seat, code in match.faults]),
        ",".join(map(str, match.answers)),
        ",".join(map(str, match.charged_us)),
        *(record, match.block, match.seating, match.by, match.play, match.started),
    )


_RESULTS = (
    f"SELECT {', '.join(RESULT)}, result_hash FROM match"
    " WHERE tournament = ? AND number > ? ORDER BY number"
)
# what `row_hash` hashes, and what it tells apart beside that: text from numbers and bytes
_TYPES = "integer" * 2 + "text" * (len(RESULT) - 2)
_NUMBERS = (
    f"SELECT number, {' || '.join(f'typeof({column})' for column in RESULT)},"
    f" {' || '.join(f'{column} || char(10)' for column in RESULT)}, result_hash FROM match"
    " WHERE tournament = ? ORDER BY number"
)
_OF_MATCH = f"SELECT {', '.join(f'match.{column}' for column in LISTED)}, record.id"
_FROM_BOTH = " FROM match LEFT JOIN record ON record.seq = match.record WHERE match.tournament = ?"
_IN_ORDER = " ORDER BY match.number"
_PLAYED = f"{_OF_MATCH}, match.row_hash{_FROM_BOTH} AND match.number > ?{_IN_ORDER}"
_RECORD = LISTED.index("record")
_UNNAMED = f"SELECT {', '.join(LISTED)}, row_hash FROM match WHERE tournament = ? ORDER BY number"
_TEXTS = (
    f"{_OF_MATCH}, match.result_hash, match.row_hash, record.tournament, record.number,"
    f" record.dictionary, record.data, record.row_hash{_FROM_BOTH} AND match.number >= ?{_IN_ORDER}"
)
_LISTS = _TEXTS.replace("record.dictionary, record.data, record.row_hash", "0, x'', x''")
_COLUMNS = (*LISTED, "result_hash", "row_hash")
_INSERT = f"INSERT INTO match ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"


def _altered(database: Database, tournament: int, number: object) -> str:
    label = label_of(database, tournament)
    return f'match number {number!a} of "{label}" is not as it was written'
