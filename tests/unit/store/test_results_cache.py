"""Results for tables, and folds that are kept: right whatever came in between."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import finished

from arena.packed.match import moves_hash_of
from arena.record.record import format_record
from arena.store import Edition, Store
from arena.values.model import Termination
from arena.values.moments import moment_ms
from arena.values.tables import MatchRow

NAMES = ("oak", "elm", "fir")


def add(store: Store, edition: Edition, *numbers: int) -> None:
    for number in numbers:
        finished.add(store, edition.id, finished.match(number, ["oak", "elm"], [1, 2]))


def keep(store: Store, edition: Edition | None) -> None:
    """Keep a fold of all that is there, up to the first match that is missing."""
    tournament = None if edition is None else edition.id
    mark = store.cache.mark(tournament)
    assert mark is not None
    store.cache.keep(tournament, None, mark, {"some": b"data"})


def kept(store: Store, edition: Edition | None) -> tuple[int, int] | None:
    """Return up to which number a kept fold goes, if it holds, and how many are pending it."""
    found = store.cache.kept(None if edition is None else edition.id, None)
    return None if found is None else (found.covers[1], found.pending)


class TestResults:
    """Results in schedule order, with all that a table needs."""

    def test_result_has_everything_of_record(self, store: Store, edition: Edition) -> None:
        """A result has position, names, ranks, faults, answers and time of the record, by seat."""
        match = finished.match(
            4,
            ["elm", "oak", "fir"],
            [2, 1, 3],
            ms=[[1.0, 2.0], [], [0.5]],
            faults=[(2, Termination.CRASH), (2, Termination.TIME)],
        )
        finished.add(store, edition.id, match)
        record = match.record
        (row,) = store.cache.results(edition.id)
        entries = {entry.name: entry.id for entry in store.tournaments.entries(edition.id)}
        expected = MatchRow(
            (edition.id, 4),
            ("elm", "oak", "fir"),
            (2, 1, 3),
            ((2, "crash"), (2, "time")),
            (2, 0, 1),
            (3000, 0, 500),
            block=record.block,
            moves_hash=moves_hash_of(record),
            game="leaves",
            by=record.by.value,
            started_ms=moment_ms(record.started),
            seating=record.seating,
            arrived=1,
            seats=tuple(entries[name] for name in ("elm", "oak", "fir")),
        )
        assert row == expected
        (whole,) = store.cache.results(edition.id, texts=True)
        assert whole == expected._replace(id=record.id, text=format_record(record))

    def test_results_of_one_tournament_are_apart(self, store: Store, edition: Edition) -> None:
        """A tournament's results leave out those of others; all together go by tournament."""
        before, after = edition, store.tournaments.create("b", "f", {}, finished.entrants(NAMES))
        last = store.tournaments.create("c", "f", {}, finished.entrants(NAMES))
        for number, one in enumerate((last, after, before)):
            add(store, one, number)
        assert [r[0] for r in store.cache.results(after.id)] == [(after.id, 1)]
        assert [r[0] for r in store.cache.results(None)] == [
            (before.id, 2),
            (after.id, 1),
            (last.id, 0),
        ]

    def test_merged_tables_keep_different_bots_apart(self, store: Store, edition: Edition) -> None:
        """In a merged table a name is one entrant only with the same content and arguments."""
        oak, elm, _ = finished.entrants(NAMES)
        other = replace(elm, bot=replace(elm.bot, version=2, hash="sha256:ff"))
        second = store.tournaments.create("b", "f", {}, [oak, other])
        third = store.tournaments.create("c", "f", {}, [replace(oak, args=("-x",)), elm])
        for number, one in enumerate((edition, second, third)):
            add(store, one, number)
        found = store.cache.entrants(None)
        assert sorted(found.values()) == [
            ("elm", 1),
            ("elm", 2),
            ("fir", 1),
            ("oak", 1),
            ("oak", 1),
        ]
        seats = [result[1] for result in store.cache.results(None)]
        assert seats[0][0] == seats[1][0] != seats[2][0]
        assert seats[0][1] == seats[2][1] != seats[1][1]
        assert set(found) >= {key for seat in seats for key in seat}
        assert store.cache.entrants(second.id) == {"oak": ("oak", 1), "elm": ("elm", 2)}


class TestKept:
    """A kept fold holds until something came in that belongs into its midst."""

    def test_kept_fold_ends_at_first_gap(self, store: Store, edition: Edition) -> None:
        """A kept fold ends at the first missing match, so that a late match does not spoil it."""
        add(store, edition, 0, 2)
        keep(store, edition)
        assert kept(store, edition) == (0, 1)
        add(store, edition, 1)
        assert kept(store, edition) == (0, 2)

    def test_kept_fold_goes_past_an_old_gap(
        self, store: Store, edition: Edition, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It waits for no match that others came long after, and if that comes, it is dropped."""
        monkeypatch.setattr("arena.store.results_cache.LATE", 3)
        add(store, edition, 0, 2, 3, 4, 6)
        keep(store, edition)
        assert kept(store, edition) == (4, 1)
        add(store, edition, 5)
        assert kept(store, edition) == (4, 2)
        add(store, edition, 1)
        assert kept(store, edition) is None

    def test_late_match_after_end_drops_kept_fold(self, store: Store, edition: Edition) -> None:
        """A match that comes in after the tournament was ended drops the kept fold."""
        add(store, edition, 0, 2)
        store.tournaments.end(edition.id)
        keep(store, edition)
        assert kept(store, edition) == (2, 0)
        add(store, edition, 1)
        assert kept(store, edition) is None

    def test_fold_made_before_late_match_is_not_kept(self, store: Store, edition: Edition) -> None:
        """A fold computed before a late match came in is not kept after it."""
        add(store, edition, 0, 2)
        store.tournaments.end(edition.id)
        mark = store.cache.mark(edition.id)
        assert mark is not None
        add(store, edition, 1)
        store.cache.keep(edition.id, None, mark, {"some": b"data"})
        assert kept(store, edition) is None

    def test_stop_drops_kept_folds(self, store: Store, edition: Edition) -> None:
        """A stop drops the kept folds of its tournament and of all together, no others."""
        second = store.tournaments.create("b", "f", {}, finished.entrants(NAMES))
        for number, one in enumerate((edition, second)):
            add(store, one, number)
            store.tournaments.end(one.id)
        for scope in (edition, second, None):
            keep(store, scope)
        store.tournaments.stop(edition.id, 3)
        assert [kept(store, one) for one in (edition, second, None)] == [None, (1, 0), None]
