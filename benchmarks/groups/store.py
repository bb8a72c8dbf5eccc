"""What keeping a match costs: time to store it, its part of a quick match, bytes on the disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from arena.match.record import parse_record
from arena.model import Bot, Entrant, MatchResult
from arena.store import open_store
from arena.store.checksums import row_hash
from arena.store.entrants import Entry
from arena.store.stored_match import StoredMatch, pack
from arena.workers.local import MOST
from benchmarks.measuring import Measured, Sizes
from benchmarks.stores import results_of
from benchmarks.workshop import Played, Workshop
from benchmarks.yardsticks import commit_us

__all__ = ["ROWS", "measure"]

ROWS = ("store-add", "store-share", "bytes")


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield matches stored, the percentage of one that packing and storing take, and bytes."""
    rates: list[float] = []
    bare: list[float] = []
    shares: list[float] = []
    sizes_found: list[float] = []
    decisions = 0.0
    for _ in range(sizes.pick(3, 1)):
        played = shop.play(shop.tournament(rounds=sizes.pick(600, 150)))
        decisions = played.decisions
        results = results_of(played.home)
        files = [path for path in played.home.iterdir() if path.name.startswith("arena.db")]
        sizes_found.append(sum(path.stat().st_size for path in files) / len(results))
        pack_us = _pack_us(results)
        bare_us = commit_us(shop.path("bare.db"), len(results))
        add_us = _add_us(played.home, results)
        bare.append(1e6 / bare_us)
        rates.append(1e6 / add_us)
        shares.append((pack_us + add_us) / _match_us(played) * 100)
    yield Measured("store-add", tuple(rates), tuple(bare))
    yield Measured("store-share", tuple(shares))
    yield Measured("bytes", tuple(sizes_found), (), f"{decisions:.1f} decisions a match")


def _match_us(played: Played) -> float:
    return played.seconds / played.matches * 1e6


def _pack_us(results: tuple[StoredMatch, ...]) -> float:
    """Return the µs of writing a record and taking from it what tables are made from."""
    read = [MatchResult(result.number, parse_record(result.text)) for result in results]
    begin = time.perf_counter()
    for result in read:
        pack(result)
    return (time.perf_counter() - begin) / len(read) * 1e6


def _add_us(home: Path, results: tuple[StoredMatch, ...]) -> float:
    """Return the µs of storing a match, in an edition of its own with the same entrants.

    They are stored as by a run: as many in a transaction as there are at most.
    """
    with open_store(home, create=False) as store:
        old = store.tournaments.last_run()
        assert old is not None
        entries = store.tournaments.entries(old.id)
        entrants = map(_entrant, entries)
        edition = store.tournaments.create("again", old.fingerprint, old.config, entrants)
        again = [_renamed(result) for result in results]
        begin = time.perf_counter()
        for start in range(0, len(again), MOST):
            assert store.matches.add(edition.id, *again[start : start + MOST])
        return (time.perf_counter() - begin) / len(again) * 1e6


def _entrant(entry: Entry) -> Entrant:
    """Return an entrant as it has to be entered once more."""
    bot = Bot(entry.bot, entry.version, entry.hash, (), "/")
    return Entrant(entry.name, bot, entry.args)


def _renamed(result: StoredMatch) -> StoredMatch:
    """Return the same match under another id: a store keeps each once."""
    name = result.id[::-1]
    text = result.text.replace(result.id, name, 1)
    return result._replace(id=name, text=text, hash=row_hash((name, text)))
