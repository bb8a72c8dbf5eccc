"""The arena's memory: one SQLite file in its home, and the subjects that are kept in it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from functools import partial
from pathlib import Path

from arena.database.sqlite import Database, open_database
from arena.store.above import home_above
from arena.store.bots import Bots
from arena.store.carried import CarriedEditions
from arena.store.matches import Matches
from arena.store.people import People
from arena.store.removal import Removal
from arena.store.results_cache import ResultsCache
from arena.store.rounds import Rounds
from arena.store.run_requests import RunRequests
from arena.store.said_rows import Said, read_said
from arena.store.tournaments import Tournaments
from arena.store.waiting import patiently_done
from arena.values.errors import StoreError, StoreUnavailable, UsageError
from arena.values.tables import MatchRow


class Store:
    """An open store; a context manager.

    Attributes:
        path: the file.
        exists: false if there is none: it reads as empty, and refuses to be written.
        tournaments: editions and entrants.
        matches: records, and what is listed of them.
        bots: submitted versions.
        requests: what others ask of a run that goes on.
        people: who handed them in.
        cache: results in schedule order, and what tables keep of them.
        rounds: who meets in formats in which results decide it.
        carried: what comes from other homes, or goes to them.
        removal: removes a tournament step by step; see ``Removal``.
        look, trial, close: as for ``Database``.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.path = database.path
        self.exists = database.exists
        self.tournaments = Tournaments(database)
        self.matches = Matches(database)
        self.bots = Bots(database)
        self.requests = RunRequests(database)
        self.people = People(database)
        self.cache = ResultsCache(database)
        self.rounds = Rounds(database)
        self.carried = CarriedEditions(database)
        self.removal = partial(Removal, database)
        self.look, self.trial, self.close = database.look, database.trial, database.close

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def check(self) -> str:
        """Return what SQLite finds to be wrong with the file, of all that is the first; or nothing.

        It takes some 2 s a GB.
        """
        try:
            (said,) = self._database.row("PRAGMA integrity_check(1)")
        except StoreUnavailable:
            raise
        except StoreError as error:
            return str(error)
        return "" if said == "ok" else str(self._database.damaged(f"SQLite: {said}"))

    def shrink(self) -> None:
        """Give back to the disk what is free of the file; errors as for ``Removal``.

        It writes all that is left again, for which there must be room beside it. Meanwhile nobody
        else can write.
        """
        self._database.row("VACUUM")
        self._database.row("PRAGMA wal_checkpoint(TRUNCATE)")

    def shown_texts(self, tournament: int | None = None) -> Generator[str, None, None]:
        """Yield the texts of the counted records in schedule order, as they may be shown.

        While a tournament is unfinished they are without the seed of the deal.

        Args:
            tournament: which; ``None``: all, one after the other.
        """
        from arena.record.record import without_seed  # which tables do without

        for edition in self.tournaments.all():
            if tournament in (None, edition.id):
                with closing(self.matches.texts(edition.id)) as texts:
                    for text in texts:
                        yield text if edition.ended is not None else without_seed(text)

    def said(self, row: MatchRow, seats: int) -> Said:
        """Return what the bots said in a match of so many seats; ``StoreError``: it is damaged."""
        # what was said in another home is not in a bundle
        known = self.carried.origin_of(row.edition, row.arrived) is None
        return read_said(self._database, row.arrived, row.id, seats, known)


def open_store(
    home: Path, *, create: bool, change: bool = False, durability: str = "normal"
) -> Store:
    """Open the store of a home.

    Args:
        home: the arena's home.
        create: make home and store if they do not exist. Otherwise what does not exist reads as
            empty.
        change: open it for writing, too, as ``create`` does. Otherwise it is for reading: all that
            is read is of one moment, whatever others write meanwhile.
        durability: ``normal``: a commit survives the end of any process; ``full``: it survives a
            power cut, too, and takes a hundred times as long.

    Raises:
        UsageError: the home is no folder.
        StoreUnavailable: it was locked or full, for a minute.
        StoreError: the store cannot be read, is not one, or is of a newer arena.
    """
    said = "the store cannot be opened yet"
    return Store(
        patiently_done(
            said, open_database, home, create=create, change=change, durability=durability
        )
    )


def open_home(home: Path) -> Store:
    """Open the store of a home that is asked for what was played in it, to read it.

    Raises:
        UsageError: there is no store, so that nothing was ever kept there.
        StoreUnavailable, StoreError: as for ``open_store``.
    """
    store = open_store(home, create=False)
    if not store.exists:
        store.close()
        more = home_above(home) or (
            "; arena run FILE or arena demo makes one; arena play keeps a match with --record FILE"
        )
        raise UsageError(f"there is no arena home at {home}{more}")
    return store
