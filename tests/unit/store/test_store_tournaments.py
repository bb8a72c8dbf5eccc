"""Tournaments in the store: editions, who is entered, and schedules that grow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import finished

from arena.store import Store
from arena.values.errors import StoreError
from arena.values.model import MatchResult


def test_a_seed_is_drawn_where_there_is_none(store: Store) -> None:
    """Each edition without a seed has 128 random bits of its own, for good; a given one stays."""
    drawn = [store.tournaments.create("open", "f", {}, []) for _ in range(64)]
    seeds = [edition.seed for edition in store.tournaments.all()]
    assert seeds == [edition.seed for edition in drawn]
    assert len(set(seeds)) == 64
    # in 64 draws each of the 128 bits is set and clear, but once in 2^56 runs of this test
    for bit in range(128):
        assert {seed >> bit & 1 for seed in seeds} == {0, 1}
    assert max(seeds) < 1 << 128
    for given in (0, 2026, (1 << 128) - 1):
        made = store.tournaments.create("open", "f", {}, [], given)
        assert store.tournaments.find("open") == made
        assert made.seed == given


def test_what_is_shown_of_a_secret_seed(store: Store) -> None:
    """Its hash is what ``sha256sum`` says of its digits; a written one is no secret."""
    secret = store.tournaments.create("open", "f", {"seed": "secret"}, [], 1 << 64)
    assert secret.secret
    # printf %s 18446744073709551616 | sha256sum
    assert secret.seed_hash == ("8b292fc2d32f1fd491784610c61b90dc4632a6e4add19261eca4c3979e4ea6d2")
    assert not store.tournaments.create("open", "f", {"seed": "7"}, [], 7).secret
    assert not store.tournaments.create("open", "f", {}, [], 7).secret


class TestEntrants:
    """Who is entered."""

    def test_nobody_changes_its_bot(self, store: Store) -> None:
        """An entrant with another bot than before is refused, and nothing is changed."""
        (oak,) = finished.entrants(["oak"])
        edition = store.tournaments.create("open", "f", {}, [oak])
        changed = replace(oak, bot=replace(oak.bot, version=2, hash="sha256:ff"))
        people = [*finished.entrants(["elm"]), changed]
        with pytest.raises(StoreError, match='"oak" is entered already, as version 1'):
            store.tournaments.extend(edition.id, "g", {}, people)
        assert [entry.name for entry in store.tournaments.entries(edition.id)] == ["oak"]


class TestExtending:
    """A schedule with more rounds or bots gives matches new numbers."""

    def test_matches_keep_their_records_under_new_numbers(self, store: Store) -> None:
        """Numbers may cross: 0 and 1 change places, 2 makes room for a match in between."""
        edition = store.tournaments.create("open", "f", {}, finished.entrants(["oak", "elm"]))
        results = [finished.match(number, ["oak", "elm"], [1, 2]) for number in range(3)]
        for result in results:
            finished.add(store, edition.id, result)
        ids = [result.record.id for result in results]
        given_up = "00000000000000aa"
        store.matches.give_up(edition.id, given_up, 7, "void")
        schedule = [(0, ids[1]), (1, ids[0]), (2, "new"), (3, ids[2]), (9, given_up)]
        store.tournaments.end(edition.id)
        store.tournaments.extend(
            edition.id,
            "g",
            {"more": 1},
            finished.entrants(["oak", "elm", "fir"]),
            finished.renumbered(schedule),
        )
        rows = [(row.number, row.id) for row in store.matches.read(edition.id)]
        assert rows == [(0, ids[1]), (1, ids[0]), (3, ids[2])]
        settled = store.matches.settled(edition.id)
        assert [number in settled for number in range(5)] == [True, True, False, True, False]
        assert [match.number for match in store.matches.undecided(edition.id)] == [9]
        found = store.tournaments.find("open")
        assert (found.fingerprint, found.config, found.id) == ("g", {"more": 1}, edition.id)
        assert found.ended is None, "it has a match to play"
        assert len(store.tournaments.entries(edition.id)) == 3
        # a late match is still compared with the new numbers
        new = finished.record(2, ["oak", "elm"], [1, 2], id="new")
        assert finished.add(store, edition.id, MatchResult(2, new))
        assert [result[0][1] for result in store.cache.results(edition.id)] == [0, 1, 2, 3]

    def test_all_or_nothing(self, store: Store) -> None:
        """A schedule that lacks a played match changes nothing at all."""
        edition = store.tournaments.create("open", "f", {}, finished.entrants(["oak", "elm"]))
        for number in range(2):
            finished.add(store, edition.id, finished.match(number, ["oak", "elm"], [1, 2]))
        ids = [row.id for row in store.matches.read(edition.id)]
        with pytest.raises(StoreError, match=f"match {ids[1]} was played"):
            store.tournaments.extend(edition.id, "g", {}, [], finished.renumbered([(5, ids[0])]))
        assert [row.number for row in store.matches.read(edition.id)] == [0, 1]
        assert store.tournaments.find("open").fingerprint == "f"
        # and it can be done right afterwards
        schedule = [(5, ids[0]), (4, ids[1])]
        store.tournaments.extend(edition.id, "g", {}, [], finished.renumbered(schedule))
        assert [row.id for row in store.matches.read(edition.id)] == ids[::-1]
