"""Rounds in the store: both the points of the last and the next plan are written, or neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import finished

from arena.store import open_store
from arena.store.rounds import StoredRound
from arena.values.errors import StoreError

NAMES = ("oak", "elm", "fir")


def test_a_round_is_planned_with_the_points_of_the_one_before(tmp_path: Path) -> None:
    """Points belong to the last round; without a next round they alone are written."""
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("cup", "f", "{}", finished.entrants(NAMES)).id
        other = store.tournaments.create("open", "f", "{}", finished.entrants(NAMES)).id
        assert store.rounds.all(edition) == []
        store.rounds.go_on(edition, "", "one")
        store.rounds.go_on(other, "", "its own")
        assert store.rounds.all(edition) == [StoredRound("one", "")]
        store.rounds.go_on(edition, "1:0", "two")
        store.rounds.go_on(edition, "0:1", None)
        assert store.rounds.all(edition) == [StoredRound("one", "1:0"), StoredRound("two", "0:1")]
        assert store.rounds.all(other) == [StoredRound("its own", "")]


def test_a_tournament_with_another_round_has_not_ended(tmp_path: Path) -> None:
    """A tournament is unfinished from the moment a round is planned, even if the run is killed."""
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("cup", "f", "{}", finished.entrants(NAMES)).id
        store.rounds.go_on(edition, "", "one")
        store.tournaments.end(edition)
        store.rounds.go_on(edition, "0:1", None)
        assert store.tournaments.get(edition).ended is not None
        store.rounds.go_on(edition, "0:1", "two")
        assert store.tournaments.get(edition).ended is None


def test_newer_versions_come_with_their_round_or_not_at_all(tmp_path: Path) -> None:
    """They are entered with the round that they first play in, beside the one they replace."""
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.create("term", "f", "{}", finished.entrants(NAMES)).id
        (newer,) = finished.entrants(["elm@2"])
        store.rounds.go_on(edition, "", "one", [("elm", newer)])
        entries = store.tournaments.entries(edition)
        assert [(entry.name, entry.line) for entry in entries] == [
            ("oak", ""),
            ("elm", ""),
            ("elm@2", "elm"),
            ("fir", ""),
        ]
        with pytest.raises(StoreError):  # it is there already
            store.rounds.go_on(edition, "1:0", "two", [("elm", newer)])
        assert store.rounds.all(edition) == [StoredRound("one", "")]
        assert not store.check()
