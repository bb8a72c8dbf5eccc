"""A stored match held against its tournament: its id, its seeds, its deal, its row in tables."""

from __future__ import annotations

import json
from collections.abc import Iterator

from arena.errors import StoreError
from arena.match.opening import NoOpening, deal_from
from arena.match.replay import rules_difference
from arena.model import Match, Record, Termination
from arena.schedule.seeds import bot_seed, deal_seed, match_id
from arena.store import Edition, Store
from arena.store.match_rows import ListedRow
from engines import EngineError, load_game

__all__ = ["contradictions", "foreign"]


def foreign(store: Store, edition: Edition, row: ListedRow, record: Record) -> Iterator[str]:
    """Yield what of a stored record is not what its tournament says, a sentence each.

    No sentence gives a seed away: a tournament that goes on may keep its own secret.
    """
    if (record.id, record.tournament) != (row.id, edition.label):
        yield f"it is stored as match {row.id} of {edition.label}"
    if record.by is Termination.VOID or not _as_recorded(store, row, record):
        yield "lists and tables are not made from what its record says"
    k = record.block.rpartition("|")[2]
    names = tuple(player.bot for player in record.players)
    match = Match(row.number, record.game, int(k) if k.isdecimal() else -1, record.seating, names)
    yield from contradictions(edition, match, record)


def contradictions(edition: Edition, match: Match, record: Record) -> Iterator[str]:
    """Yield what of a record is not what a match of a tournament has: its name, seeds and deal."""
    if record.block != match.block:
        yield f'its block is "{match.block}", not "{record.block}"'
    if record.id != match_id(edition.label, record.block, record.seating):
        yield "its id is not that of its tournament, block and seating"
    yield from _seeds(edition.seed, match, record)
    yield from _deal(edition, record)


def _as_recorded(store: Store, row: ListedRow, record: Record) -> bool:
    try:
        return store.matches.is_as_recorded(row, record)
    except StoreError:  # a player is not entered
        return False


def _seeds(seed: int, match: Match, record: Record) -> Iterator[str]:
    if record.seed != deal_seed(seed, match.game, match.k):
        yield "the deal's seed is not the one that the tournament's seed gives"
    for place, player in enumerate(record.players):
        own = bot_seed(seed, match.game, match.seats, match.k, match.seating, place)
        if player.seed != own:
            yield (
                f"the seed of player {place} ({player.bot}) is not the one that the tournament's "
                "seed gives"
            )


def _deal(edition: Edition, record: Record) -> Iterator[str]:
    """Deal again, unless setups came from a file, of which the store has the hash only."""
    opening = json.loads(edition.config)["opening"]
    try:
        if (
            record.seed is None
            or opening["setups"] is not None
            or rules_difference(record) is not None
        ):
            return
        dealt = deal_from(load_game(record.game), record.seed, plies=opening["plies"])
    except (EngineError, NoOpening) as error:
        yield f"nothing can be dealt from its seed: {error}"
        return
    if record.setup != dealt.setup:
        yield "its setup is not the one of its seed"
    if record.opening != dealt.opening:
        yield "its opening is not the one of its seed"
