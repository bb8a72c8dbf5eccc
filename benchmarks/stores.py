"""Stores of any size without playing: a schedule's matches, written into a store that is there.

A store of a million matches is kept in the user's cache folder, as making it takes minutes, and is
used there. One of another shape is never taken for it. ``ARENA_BENCHMARKS_CACHE`` names another
folder.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.packed.match import pack
from arena.packed.record_text import Dictionary, pack_text, row_hash
from arena.record.record import parse_record
from arena.results.board import current
from arena.run.runner import FOLDED
from arena.schedule.round_robin import FORMAT
from arena.schedule.seeds import match_id
from arena.store import open_store
from arena.tournament.parse import read_tournament
from arena.values.model import Match, MatchResult
from arena.values.tables import MatchRow
from benchmarks.game import connect_four
from benchmarks.workshop import GAME, Workshop

__all__ = ["BOTS", "filled_home", "leave_cache", "made_of", "results_of"]

BOTS = 20
FILE = "filled.yaml"
CACHE = ("cache", "cache_part")  # tables of what is kept for leaderboards
PLAYED = 100  # matches that are played; the others are made from them
ROOT = Path(__file__).parent.parent
# what a store of this program looks like depends on these
SOURCES = (
    "arena/store", "arena/ratings", "arena/record/record.py", "arena/run/runner.py",
    "arena/schedule", "benchmarks/stores.py",
)  # fmt: skip


def filled_home(
    shop: Workshop, matches: int, *, bots: int = BOTS, keep: bool = False
) -> tuple[Path, Path]:
    """Return a home with a finished tournament of about so many matches, and the tournament's file.

    A few are played; the others are theirs under other names, each with an outcome of its own.

    Args:
        shop: where the home is made.
        matches: how many at least.
        bots: how many took part.
        keep: have the home in the cache folder, for the next run of the benchmarks as well; it is
            not for two at a time.
    """
    kept = _cache() / f"{_shape()}-{bots}-{matches}"
    home = kept.with_suffix(".part") if keep else shop.path("home")
    if not keep or not kept.exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        program = Path(shutil.copy(shop.program("instant"), home))
        rounds = -(-matches // (bots * (bots - 1)))
        # relative to the file, so that both can be moved
        relative = Path(program.name)
        file = shop.tournament(bots, rounds=rounds, name="filled", program=relative)
        shutil.copy(file, home / FILE)
        shop.play(home / FILE, workers=2, stop=PLAYED, home=home)
        connect_four()
        _fill(home, home / FILE)
        if keep:
            home.rename(kept)
    home = kept if keep else home
    return home, home / FILE


def results_of(home: Path) -> tuple[MatchRow, ...]:
    """Return the finished matches of the tournament run last, their records not packed."""
    with open_store(home, create=False) as store:
        edition = store.tournaments.last_run()
        assert edition is not None
        texts = store.matches.texts(edition.id)
        return tuple(pack(MatchResult(n, parse_record(text))) for n, text in enumerate(texts))


def _fill(home: Path, file: Path) -> None:
    """Write all matches of a schedule that are not in the store yet."""
    tournament = read_tournament(file)
    names = tuple(entry.name for entry in tournament.bots)
    patterns = results_of(home)
    rng = random.Random(1)
    with open_store(home, create=False, change=True) as store:
        edition = store.tournaments.latest(tournament.name)
        assert edition is not None
        settled = store.matches.settled(edition.id)
        seeded = dataclasses.replace(tournament, seed=edition.seed)
        dictionary = store.matches.dictionary(edition.id)
        schedule = FORMAT.next_round(seeded, names, 0, ())
        assert schedule is not None
        for number in range(len(schedule)):
            if number in settled:
                continue
            match = schedule[number]
            made = made_of(match, edition.label, patterns[number % len(patterns)], rng, dictionary)
            store.matches.add(edition.id, made)
            if not (number + 1) % FOLDED:
                current(store.cache, edition.id)
        store.tournaments.end(edition.id)
    with _beside(home) as connection:
        for table in CACHE:
            connection.execute(f"CREATE TABLE beside.{table} AS SELECT * FROM {table}")


def leave_cache(home: Path, *, kept: bool) -> None:
    """Have nobody have looked at a table of a filled home yet.

    Args:
        home: what ``filled_home`` gave.
        kept: as a killed run leaves it; otherwise nothing is kept, as of matches of a bundle.
    """
    with _beside(home) as connection:
        for table in CACHE:
            connection.execute(f"DELETE FROM {table}")
            if kept:
                connection.execute(f"INSERT INTO {table} SELECT * FROM beside.{table}")


@contextmanager
def _beside(home: Path) -> Iterator[sqlite3.Connection]:
    """Return a home's store, with what it kept when its run ended in a database of its own."""
    connection = sqlite3.connect(home / "arena.db")
    connection.execute("ATTACH ? AS beside", (str(home / "cache.db"),))
    yield connection
    connection.commit()
    connection.close()


def made_of(
    match: Match, edition: str, pattern: MatchRow, rng: random.Random, dictionary: Dictionary
) -> MatchRow:
    """Return a match made from one that was played."""
    name = match_id(edition, match.block, match.seating)
    text = pattern.data.decode().replace(pattern.id, name, 1).replace(pattern.block, match.block, 1)
    for old, new in zip(pattern.entrants, match.seats, strict=True):
        # marked, as the second bot may be called what the first one is now
        text = text.replace(f'"bot":"{old}"', f'"bot":"{new}\x00"', 1)
    text = text.replace("\x00", "")
    used, data = pack_text(text, dictionary)
    # those with a smaller number win more often
    first = match.seats[0] < match.seats[1]
    ranks = (1, 2) if (rng.random() < 0.6) == first else (2, 1)
    return pattern._replace(
        id=name,
        position=(0, match.number),
        block=match.block,
        seating=match.seating,
        entrants=match.seats,
        ranks=ranks,
        moves_hash=rng.getrandbits(62),
        dictionary=used,
        data=data,
        hash=row_hash(name, used, data=data),
    )


def _cache() -> Path:
    named = os.environ.get("ARENA_BENCHMARKS_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(home) / "tree-arena-benchmarks"


def _shape() -> str:
    """Return a text that changes with what a store is made by."""
    digest = hashlib.sha256(GAME.encode())
    for source in SOURCES:
        path = ROOT / source
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
