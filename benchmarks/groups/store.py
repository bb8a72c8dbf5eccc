"""What keeping a match costs: time to store it, its part of a quick match, bytes on the disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from arena.packed.match import pack
from arena.packed.record_text import Dictionary, pack_text, row_hash
from arena.record.record import parse_record
from arena.store import open_store
from arena.store.entrants import Entry
from arena.values.model import Bot, Entrant, MatchResult
from arena.values.tables import MatchRow
from arena.workers.gather import MOST
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
        pack_us = _pack_us(played.home, results)
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


def _pack_us(home: Path, results: tuple[MatchRow, ...]) -> float:
    """Return the µs of packing a record and taking from it what tables are made from."""
    read = [MatchResult(result.number, parse_record(result.data.decode())) for result in results]
    with open_store(home, create=False) as store:
        edition = store.tournaments.last_run()
        assert edition is not None
        dictionary = store.matches.dictionary(edition.id)
    begin = time.perf_counter()
    for result in read:
        pack(result, dictionary)
    return (time.perf_counter() - begin) / len(read) * 1e6


def _add_us(home: Path, results: tuple[MatchRow, ...]) -> float:
    """Return the µs of storing a match, in an edition of its own with the same entrants.

    They are stored as by a run: as many in a transaction as there are at most.
    """
    with open_store(home, create=False, change=True) as store:
        old = store.tournaments.last_run()
        assert old is not None
        entries = store.tournaments.entries(old.id)
        entrants = map(_entrant, entries)
        edition = store.tournaments.create("again", old.fingerprint, old.config, entrants)
        dictionary = store.matches.dictionary(edition.id)
        again = [_renamed(result, dictionary) for result in results]
        begin = time.perf_counter()
        for start in range(0, len(again), MOST):
            assert store.matches.add(edition.id, *again[start : start + MOST])
        return (time.perf_counter() - begin) / len(again) * 1e6


def _entrant(entry: Entry) -> Entrant:
    """Return an entrant as it has to be entered once more."""
    bot = Bot(entry.bot, entry.version, entry.hash, (), "/")
    return Entrant(entry.name, bot, entry.args)


def _renamed(result: MatchRow, dictionary: Dictionary) -> MatchRow:
    """Return the same match under another id: a store keeps each once."""
    name = result.id[::-1]
    used, data = pack_text(result.data.decode().replace(result.id, name, 1), dictionary)
    said = row_hash(name, used, data=data)
    return result._replace(id=name, dictionary=used, data=data, hash=said)
