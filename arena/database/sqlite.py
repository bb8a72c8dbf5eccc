"""The store's file: opened with care, written in whole transactions, its errors in sentences."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import UnionType

# SQLite's columns have no static type: a row is Any until it becomes one of our values
from typing import Any, TypeVar, get_origin, get_type_hints

from arena.database.access import BUSY_SECONDS, check_plain, connect
from arena.database.schema import APPLICATION_ID, MADE_ANEW, SHAPE, make_tables, migrate
from arena.machine.crash import cross
from arena.machine.untrusted_files import make_private
from arena.values.errors import StoreError, StoreUnavailable, UsageError

T = TypeVar("T")
Execute = Callable[..., sqlite3.Cursor]

FILE_NAME = "arena.db"
WRITE = "BEGIN IMMEDIATE"


# what SQLite and its module raise; a damaged file can also ask for more memory than there is
_FAILURES = (sqlite3.Error, UnicodeError, MemoryError)
_OF_THE_FILE = (sqlite3.Error, OSError)  # where it is written


class Database:
    """One connection; every error of SQLite leaves it as a ``StoreError``.

    ``exists`` is false where there is no store: it reads as an empty one, and refuses to be
    written. One that is opened for reading is all of one moment, that of the first query.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, *, exists: bool = True) -> None:
        self.connection = connection
        self.path = path
        self.exists = exists
        self._reads = False
        self._afterwards: list[Callable[[], None]] = []
        self._identity = _identity(path) if exists else None
        self.on_trial = False

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[Any]:
        """Yield the rows of a query, as they are read."""
        try:
            # "yield from" would close the cursor of a reader that stops early: an error, when
            # the connection is closed by then
            for row in self.connection.execute(sql, parameters):  # noqa: UP028
                yield row
        except _FAILURES as error:
            raise self.explain(error) from error

    def row(self, sql: str, parameters: Sequence[object] = ()) -> Any:
        """Return the first row of a query, or ``None``."""
        try:
            return self.connection.execute(sql, parameters).fetchone()
        except _FAILURES as error:
            raise self.explain(error) from error

    def read(
        self, read: Callable[[Any], T], sql: str, parameters: Sequence[object] = ()
    ) -> Iterator[T]:
        """Yield the rows of a query as the values that ``read`` makes of them.

        Raises:
            StoreError: nothing can be made of a row, or a named tuple with a field of another type.
        """
        types: list[Any] | None = None
        for row in self.rows(sql, parameters):
            try:
                value: Any = read(row)
                types = _types(type(value)) if types is None else types
                if types and not all(map(isinstance, value, types)):
                    raise TypeError
            except (ValueError, TypeError, LookupError, RecursionError):
                raise self.damaged(f"it has a row that cannot be read: {row!a:.60}") from None
            yield value

    def writing(self) -> _Transaction:
        """Return a block that is committed as a whole, or not at all; yields ``execute``."""
        assert not self._reads, "it was opened for reading"
        return _Transaction(self)

    def only_read(self) -> None:
        """Let every query until the end see the same state of the store."""
        self.connection.execute("BEGIN")
        self.connection.execute("SELECT 1 FROM tournament").fetchone()  # from here on
        self._reads = True

    def afterwards(self, write: Callable[[], None]) -> None:
        """Do what writes: at once, or at the end of what is opened for reading."""
        if self._reads:
            self._afterwards.append(write)
        else:
            write()

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Give a block that reads and writes as ever, and at its end has written nothing.

        From the first thing that is written on nobody else can write.
        """
        self.on_trial = True
        try:
            yield
        finally:
            self.on_trial = False
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection; the last one tidies the file up."""
        try:
            if self._reads:
                self._reads = False
                self.connection.execute("ROLLBACK")
                for write in self._afterwards:
                    write()
            self.connection.close()
        except sqlite3.Error as error:
            raise self.explain(error) from error

    def damaged(self, what: str) -> StoreError:
        """Return the error that says that the file is not as it was written, and where."""
        return _damaged(self.path, what)

    def look(self) -> None:
        """Make sure that the file can still be found where it was opened, in the shape that it had.

        Raises:
            StoreError: it was deleted, moved, or replaced by another: what is written to it from
                now on, nobody could read. Or it has another shape now.
        """
        if self._identity is None:
            return
        try:
            there = _identity(self.path)
        except OSError:
            there = None
        if there != self._identity:
            what = "has disappeared" if there is None else "was replaced by another file"
            raise StoreError(
                f"the store {self.path} {what} while it was in use: put it back, or give the same "
                "command again to play what is missing"
            )
        (version,) = self.row("PRAGMA user_version")
        if version != SHAPE:
            raise _other_shape(self.path, version)

    def explain(self, error: Exception) -> StoreError:
        """Turn an error of SQLite into one that says what to do."""
        if isinstance(error, UnicodeEncodeError):
            return StoreError(f"expected text, found {error.object!a}")
        if not self.exists:
            return StoreError(f"there is no store {self.path}, so nothing can be written to it")
        return _explain(error, self.path)


def _types(kind: type) -> list[Any]:
    """Return the type of each field of a named tuple, as ``isinstance`` takes it; else none."""
    declared = get_type_hints(kind).values()
    return [one if isinstance(one, UnionType) else get_origin(one) or one for one in declared]


class _Transaction:
    """A transaction; a class, since ``contextlib`` costs a tenth of a commit.

    On trial it is a step within the transaction of the trial, all of which is rolled back.
    """

    __slots__ = ("database",)

    def __init__(self, database: Database) -> None:
        self.database = database

    def __enter__(self) -> Execute:
        database, execute = self.database, self.database.connection.execute
        try:
            if not (database.on_trial and database.connection.in_transaction):
                execute(WRITE)
            if database.on_trial:
                execute("SAVEPOINT step")
        except sqlite3.Error as error:
            raise database.explain(error) from error
        return execute

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            self._roll_back()
            if isinstance(error, (*_OF_THE_FILE, UnicodeError)):
                raise self.database.explain(error) from error
        elif not self.database.on_trial:
            try:
                cross("commit")
                self.database.connection.execute("COMMIT")
            except BaseException as failure:
                self._roll_back()
                if isinstance(failure, _OF_THE_FILE):
                    raise self.database.explain(failure) from failure
                raise
            cross("committed")

    def _roll_back(self) -> None:
        connection = self.database.connection
        if connection.in_transaction:  # a full disk may have ended it already
            connection.execute("ROLLBACK TO step" if self.database.on_trial else "ROLLBACK")


def open_database(
    home: Path, *, create: bool, change: bool = False, durability: str = "normal"
) -> Database:
    """Open the store of a home.

    Args:
        home: the arena's home.
        create: make home and store if they do not exist. Otherwise what does not exist reads as
            empty.
        change: open it for writing, too, as ``create`` does; otherwise for reading.
        durability: ``normal`` or ``full``.

    Raises:
        UsageError: the home is no folder.
        StoreError: the store cannot be read, is not one, or has another shape.
    """
    path, reads = home / FILE_NAME, not (create or change)
    check_plain(path)
    try:
        if home.exists() and not home.is_dir():
            raise UsageError(f"the home {home} is not a folder")
        there = path.exists() and path.stat().st_size > 0
        if not there and not create:
            return _nothing(path)
        if not there:
            make_private(home)
            # who may read it can also lock it, for as long as they like
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
            cross("made")
    except OSError as error:
        kind = StoreUnavailable if error.errno in _NO_ROOM else StoreError
        raise kind(f"cannot use the home {home}: {error.strerror}") from error
    prepare = partial(_prepare, path=path, create=create, durability=durability)
    try:
        database = _connected(path, "rwc" if create else "rw", prepare, reads)
    except (*_FAILURES, OSError) as error:
        explained = _explain(error, path)
        passes = isinstance(explained, StoreUnavailable)
        database = _read_untouched(path, reads) if there and not passes else None
        if database is None:
            raise explained from error
    return database or _nothing(path)  # which it is if it was made, but never finished


def _connected(
    path: Path, mode: str, prepare: Callable[[sqlite3.Connection], bool], reads: bool
) -> Database | None:
    """Open the file; ``prepare`` says whether it is a store now."""
    connection = connect(path, mode)
    try:
        if prepare(connection):
            # pages are looked over when they are read, and damage does not spread by writing
            connection.execute("PRAGMA cell_size_check = ON")
            database = Database(connection, path)
            if reads:
                database.only_read()
            return database
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _nothing(path: Path) -> Database:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    make_tables(connection)
    connection.execute("PRAGMA query_only = ON")
    return Database(connection, path, exists=False)


def _prepare(connection: sqlite3.Connection, path: Path, create: bool, durability: str) -> bool:
    """Check that the file is a store and make it one if need be; whether it is one now."""
    shape = _shape(connection, path)
    if not shape:
        if not create:
            return False
        make_tables(connection)
    elif shape != SHAPE:
        try:
            migrate(connection)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname.startswith("SQLITE_READONLY"):
                raise _other_shape(path, shape) from error
            raise
    if _journal(connection) != "wal":
        import logging  # which takes 4 ms

        log = logging.getLogger(__name__)
        log.warning("%s: no write-ahead log on this file system; commits are slower", path)
        durability = "full"
    connection.execute(f"PRAGMA synchronous = {durability}")
    connection.execute("PRAGMA foreign_keys = ON")
    # the ids are random, so that folding the log back in touches pages everywhere: do it seldom
    connection.execute("PRAGMA wal_autocheckpoint = 4000")
    return True


def _journal(connection: sqlite3.Connection) -> str:
    """Turn the write-ahead log on and return the kind of journal there is now."""
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    deadline = time.monotonic() + BUSY_SECONDS
    while mode != "wal":
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError as error:
            # another process does the same; SQLite's own patience does not cover this statement
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    return str(mode)


def _shape(connection: sqlite3.Connection, path: Path) -> int:
    """Return the shape of a store, or 0 for an empty file; refuse what is not ours."""
    # all of it by one query, as another process may be making the store just now
    tables, version, application = connection.execute(
        "SELECT (SELECT count(*) FROM sqlite_master), user_version, application_id"
        " FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    if application == version == tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is a database, but not a store of the arena")
    if version not in (SHAPE, MADE_ANEW):
        raise _other_shape(path, version)
    return int(version)


def _read_untouched(path: Path, reads: bool) -> Database | None:
    """Open a store that may not be written, not even beside it; ``None`` if that is not it."""

    def prepare(connection: sqlite3.Connection) -> bool:
        connection.execute("PRAGMA query_only = ON")
        return _shape(connection, path) == SHAPE

    with suppress(OSError, *_FAILURES):
        log_file = path.with_name(path.name + "-wal")
        newest = log_file.exists() and log_file.stat().st_size > 0  # matches that stand there
        if not newest:
            return _connected(path, "ro&immutable=1", prepare, reads)
    return None


def _other_shape(path: Path, version: int) -> StoreError:
    if version == MADE_ANEW:
        return StoreError(
            f"the store {path} is of an earlier arena, and may only be read here: bring it up to "
            "date with arena tournaments, as a user who can write it"
        )
    if version < SHAPE:
        return StoreError(
            f"the store {path} is of an earlier build of the arena, which was never released "
            f"(shape {version}, this one knows {SHAPE}): use another --home"
        )
    return StoreError(
        f"the store {path} is of a newer arena (shape {version}, this one knows {SHAPE}): "
        "use that arena, or another --home"
    )


def _damaged(path: Path, what: str) -> StoreError:
    return StoreError(f"the store {path} is damaged ({what}): {_WAY_BACK}")


def _explain(error: Exception, path: Path) -> StoreError:
    if isinstance(error, sqlite3.Error):
        name = getattr(error, "sqlite_errorname", "")
    elif isinstance(error, OSError):
        name = "SQLITE_FULL" if error.errno in _NO_ROOM else "SQLITE_IOERR"
    else:
        return _damaged(path, f"a value in it cannot be read ({type(error).__name__})")
    if name.startswith(_DAMAGE):
        return _damaged(path, f"SQLite: {error}")
    for prefix, sentence in _SENTENCES.items():
        if name.startswith(prefix):
            kind = StoreUnavailable if prefix in _PASSING else StoreError
            return kind(f"the store {path} {sentence} ({error})")
    if not name:  # of Python's module, not of SQLite: a text that is none
        return _damaged(path, f"a value in it cannot be read ({error})")
    return StoreError(f"the store {path} failed: {error}")


_WAY_BACK = "put back a copy, or use another --home"
# what we ask is right; so with an error of it, its tables are not what they should be
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_ERROR", "SQLITE_TOOBIG", "SQLITE_MISMATCH")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FULL = "cannot grow, the disk is full: make room and go on with the same command"
# the first that a name begins with counts
_SENTENCES = {
    "SQLITE_NOTADB": f"is not a store of the arena, or its head was overwritten: {_WAY_BACK}",
    "SQLITE_BUSY": "is being written by another process: try again when that has ended",
    "SQLITE_LOCKED": "is being written by another process: try again when that has ended",
    "SQLITE_READONLY": "cannot be written: give this user write permission on it and its folder",
    "SQLITE_CANTOPEN": "cannot be opened: give this user permission on it and its folder",
    "SQLITE_CONSTRAINT": "holds something else there already",
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR_SHMSIZE": _FULL,  # the same, met in the file beside the write-ahead log
    # a quota, or the largest size that a file may have, looks like a failing disk from here
    "SQLITE_IOERR_WRITE": "cannot be written: the disk fails, or this user may write no more (a "
    "quota): look at both, then use the same command again",
    "SQLITE_IOERR": "cannot be read or written: look at the disk, then use the same command again",
}
# what may be over in a while; nothing else is worth another try
_PASSING = frozenset(
    ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_WRITE")
)
