"""Output of bots in the store: with its match or not at all, and damage is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import finished
from support.sql import sql

from arena.store import Edition, Store
from arena.values.errors import StoreError
from arena.values.model import MatchResult
from arena.values.said import NOTHING_SAID, Piece, SaidWhere

WORDS = ((Piece(0, SaidWhere.STDERR, b"\xff\x00 oh\n"),), NOTHING_SAID)


def match(number: int) -> MatchResult:
    return finished.match(number, ["oak", "elm"], [1, 2])


def test_output_is_stored_only_with_its_match(store: Store, edition: Edition) -> None:
    """If one match of a transaction cannot be stored, no output of the others is."""
    stranger = finished.match(1, ["oak", "nobody"], [1, 2])
    with pytest.raises(StoreError):
        finished.add(store, edition.id, replace(match(0), said=WORDS), stranger)
    assert sql(store.path.parent, "SELECT count(*) FROM said") == [(0,)]


@pytest.mark.parametrize(
    "change",
    [
        "said = x'00'",
        "said = 'text'",
        "wrote = said",
        "said = wrote, wrote = said",
        "row_hash = x'00'",
        "record = 2",
    ],
)
def test_damaged_output_is_refused(store: Store, edition: Edition, change: str) -> None:
    """Output whose stored bytes were changed is a ``StoreError`` that says damaged."""
    first, second = replace(match(0), said=WORDS), match(1)
    finished.add(store, edition.id, first, second)
    sql(store.path.parent, f"UPDATE said SET {change}")
    hurt = second if change == "record = 2" else first
    with pytest.raises(StoreError, match="damaged"):
        store.said(store.matches.inspect(hurt.record.id), 2)
