"""Matches in the store: once each, found by their ids, listed and counted in schedule order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import finished

from arena.packed.match import pack
from arena.record.record import format_record
from arena.store import Edition, Store
from arena.store.entrants import those_meant
from arena.values.errors import RecordError, StoreError, UsageError
from arena.values.model import MatchResult


def test_strangers_are_refused(store: Store, edition: Edition) -> None:
    """A match of somebody who is not entered is refused."""
    with pytest.raises(StoreError, match='"ash" is not entered'):
        finished.add(store, edition.id, finished.match(0, ["oak", "ash"], [1, 2]))


class TestPrefixes:
    """A match is found by any beginning of its id that no other has."""

    @pytest.fixture
    def ids(self, store: Store, edition: Edition) -> list[str]:
        names = ["00ab", "00ac", "0fff", "f" * 16]
        for number, name in enumerate(names):
            record = finished.record(number, ["oak", "elm"], [1, 2], id=name.ljust(16, "0"))
            finished.add(store, edition.id, MatchResult(number, record))
        return names

    def test_ambiguous_beginnings(self, store: Store, ids: list[str]) -> None:
        """The candidates are named."""
        with pytest.raises(RecordError, match=r'begin with "00a": 00ab0{12}, 00ac0{12}$'):
            store.matches.text("00a")

    @pytest.mark.parametrize("prefix", ["", "00ad", "1", "00AB", "%", "_", "\ud800", "é", "f" * 17])
    def test_beginning_of_no_id_is_refused(self, store: Store, ids: list[str], prefix: str) -> None:
        """A text that begins no id is refused, also with wild cards of SQL."""
        with pytest.raises((RecordError, StoreError)):
            store.matches.text(prefix)

    def test_many_candidates(self, store: Store, edition: Edition) -> None:
        """Of many candidates only some are named."""
        for number in range(20):
            record = finished.record(number, ["oak", "elm"], [1, 2], id=f"ab{number:014x}")
            finished.add(store, edition.id, MatchResult(number, record))
        with pytest.raises(RecordError) as caught:
            store.matches.text("ab")
        assert str(caught.value).count("ab0000") == 5
        assert str(caught.value).endswith(", …")


def test_by_a_stranger(store: Store, edition: Edition) -> None:
    """A bot that is not entered is a mistake, with a near miss."""
    store.tournaments.create("open", "g", {}, finished.entrants(["oak", "ash"]))
    entries = store.tournaments.entries(edition.id)
    with pytest.raises(UsageError, match='no bot "oka" is entered; did you mean "oak"'):
        those_meant(entries, ["oka"])
    with pytest.raises(UsageError, match="there are elm, fir, oak"):
        those_meant(entries, ["ash"])
    with pytest.raises(UsageError, match=r'"oak@7" is entered: there is oak@1$'):
        those_meant(entries, ["oak@7"])
    assert len(those_meant(store.tournaments.entries(None), ["ash"])) == 1
    aliases = [row._replace(bot="oak") for row in entries]
    oak = [row.id for row in aliases if row.name == "oak"]
    assert those_meant(aliases, ["oak"]) == {*oak}
    others = [row for row in aliases if row.name != "oak"]
    assert those_meant(others, ["oak"]) == {row.id for row in others}


class TestPacking:
    """What tables are made from."""

    def test_answers_and_time(self) -> None:
        """Answers are counted and their charged time is summed; a drop is no answer."""
        record = finished.record(0, ["oak", "elm"], [1, 2], ms=[[1.5, 0.25], [4.0]])
        dropped = replace(
            record,
            actions=(*record.actions, (1, None)),
            decisions=(*record.decisions, record.decisions[0]),
        )
        packed = pack(MatchResult(0, dropped))
        assert packed.answers == (2, 1)
        assert packed.charged_us == (1750, 4000)

    def test_plays_are_equal_for_duplicates_only(self) -> None:
        """Same deal and actions make the same play, whoever played it; any others do not."""
        record = finished.record(0, ["oak", "elm"], [1, 2], ms=[[1.0], [2.0]])
        same = finished.record(9, ["oak", "elm"], [2, 1], ms=[[3.0], [4.0]])
        play = pack(MatchResult(0, record)).moves_hash
        assert pack(MatchResult(9, same)).moves_hash == play
        others = finished.record(0, ["elm", "oak"], [1, 2], ms=[[1.0], [2.0]])
        assert pack(MatchResult(0, others)).moves_hash == play
        for other in (
            replace(record, actions=((0, "A0"), (1, "B1"))),
            replace(record, actions=((0, "A0"), (1, None))),
            replace(record, setup="other"),
            replace(record, opening=((0, "A0"),)),
        ):
            assert pack(MatchResult(0, other)).moves_hash != play


def played(store: Store, edition: Edition, number: int, **more: object) -> str:
    result = finished.match(number, ["oak", "elm"], [1, 2], **more)
    assert finished.add(store, edition.id, result)
    return result.record.id


def test_a_second_delivery_changes_nothing(store: Store, edition: Edition) -> None:
    """The first record of an id stays, whatever is delivered later under it."""
    first = finished.match(5, ["oak", "elm"], [2, 1])
    other = MatchResult(6, replace(first.record, ranks=(1, 2)))
    assert finished.add(store, edition.id, first)
    assert not finished.add(store, edition.id, first)
    assert not finished.add(store, edition.id, other)
    assert list(store.matches.texts(edition.id)) == [format_record(first.record)]
    settled = store.matches.settled(edition.id)
    assert {number for number in range(100) if number in settled} == {5}


def test_two_matches_cannot_have_one_number(store: Store, edition: Edition) -> None:
    """Another match under a number that is taken is refused, and leaves no trace."""
    played(store, edition, 0)
    other = finished.match(1, ["oak", "elm"], [1, 2])
    with pytest.raises(StoreError, match="holds something else"):
        finished.add(store, edition.id, MatchResult(0, other.record))
    with pytest.raises(RecordError):
        store.matches.text(other.record.id)
