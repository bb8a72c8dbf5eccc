"""How far one coordinator and one store go: ``python -m benchmarks.size WHAT BOTS``.

``swiss`` and ``ladder`` plan rounds of so many bots, ``fit`` makes their order-free table, ``home``
makes a store with some matches of each and looks at its leaderboard, ``start`` makes as many
programs ready to play, ``bundle`` plays and carries the results to another home. Each prints what
it took. The numbers in ``docs/performance.md`` are from here.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.ratings.block_counts import BlockCounts, fold_blocks
from arena.ratings.closed_form import MARGIN
from arena.ratings.information import information
from arena.ratings.likelihoods import make_table, match_counts
from arena.ratings.order_free import OrderFree
from arena.run.preparation import prepare
from arena.schedule.batches import BatchHistory, History
from arena.schedule.ladder import FORMAT as LADDER
from arena.schedule.plan import Past, Plan
from arena.schedule.swiss import FORMAT as SWISS
from arena.store import Edition, Store, open_store
from arena.tournament.parse import read_tournament
from arena.values.model import Bot, Entrant, Match, Tournament
from arena.values.tables import MatchRow
from benchmarks.stores import made_of, results_of
from benchmarks.workshop import arena_words, environment, run_quietly, workshop

__all__ = ["main"]

ROUNDS = 3
NEAR = 50  # places in the table between which bots meet
SEED = 2026
TOGETHER = 64  # matches in a transaction, as a run of quick matches has them


class Took(NamedTuple):
    """What was done, the seconds it took, and what else is to be said of it."""

    what: str
    seconds: float
    more: str = ""


def main() -> None:
    """Measure one thing, and print a line a step."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.size", description=__doc__)
    parser.add_argument("what", choices=sorted(MEASURES))
    parser.add_argument("bots", type=int)
    parser.add_argument("--each", type=int, default=10, help="matches of each bot, or pair: bundle")
    options = parser.parse_args()
    for took in MEASURES[options.what](options.bots, options.each):
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        more = took.more or f"{memory:,.0f} MiB at most until now"
        print(f"{took.what:<32} {took.seconds:>9.2f} s   {more}", flush=True)


def swiss(bots: int, each: int) -> Iterator[Took]:
    """Plan rounds, with points that are drawn."""
    names, rng = _names(bots), random.Random(1)
    tournament = Tournament("size", ("leaves",), (), format="swiss", rounds=ROUNDS, seed=SEED)
    past: list[Past] = []
    for number in range(1, ROUNDS + 1):
        begin = time.perf_counter()
        plan = SWISS.plan(tournament, names, past, ())
        assert plan is not None
        yield Took(f"round {number} of a Swiss tournament", time.perf_counter() - begin)
        points = ("1 0", "1/2 1/2", "0 1")
        drawn = [rng.choice(points) if meeting.is_played else "1" for meeting in plan.meetings]
        past.append(Past.from_texts(plan.to_text(), json.dumps([text.split() for text in drawn])))


def ladder(bots: int, each: int) -> Iterator[Took]:
    """Plan batches, each from the order-free table of those before it."""
    names, history, rng = _names(bots), History(), random.Random(1)
    tournament = Tournament("size", ("leaves",), (), format="ladder", rounds=1000, seed=SEED)
    blocks = BlockCounts()
    for number in range(1, ROUNDS + 1):
        begin = time.perf_counter()
        fitted = OrderFree(match_counts(blocks.counts))
        margin = fitted.margin if fitted.names else MARGIN
        known = BatchHistory(
            fitted.ratings(),
            sum(blocks.counts.values()),
            lambda gap, variance, margin=margin: information(gap, variance, margin),  # type: ignore[misc]
        )
        middle = time.perf_counter()
        plan = LADDER.plan_batch(tournament, names, (), history, known)
        assert isinstance(plan, Plan)
        yield Took(f"ratings before batch {number}", middle - begin)
        yield Took(f"batch {number} of a ladder", time.perf_counter() - middle)
        history.add(plan)
        pairs = [meeting.entrants for meeting in plan.meetings for _ in range(meeting.times)]
        blocks = fold_blocks(_blocks(pairs, rng, number), blocks)


def fit(bots: int, each: int) -> Iterator[Took]:
    """Count blocks of bots that meet others near them, and make the table of all."""
    names, rng = _names(bots), random.Random(1)
    pairs = [pair for _ in range(each // 2) for pair in _pairs(names, rng)]
    begin = time.perf_counter()
    blocks = fold_blocks(_blocks(pairs, rng, 1))
    yield Took(f"counting {2 * len(pairs):,} matches", time.perf_counter() - begin)
    begin = time.perf_counter()
    make_table(blocks.counts)
    yield Took("order-free table", time.perf_counter() - begin)


def home(bots: int, each: int) -> Iterator[Took]:
    """Make a store in a temporary folder, and look at it as people do."""
    with workshop() as shop:
        few = shop.path("few")
        shop.play(shop.tournament(2, rounds=20), home=few)
        names, folder = _names(bots), shop.path("home")
        made = _Made(names, results_of(few))
        with open_store(folder, create=True) as store:
            begin = time.perf_counter()
            edition = _create(store, names, made.game)
            yield Took(f"entering {bots:,} bots", time.perf_counter() - begin)
            for k in range(each // 2):
                made.add(store, edition, k)
            store.tournaments.end(edition.id)
        size = sum(path.stat().st_size for path in folder.glob("arena.db*"))
        rate = f"{made.count / made.seconds:,.0f} a second; {size / made.count:,.0f} bytes a match"
        yield Took(f"storing {made.count:,} matches", made.seconds, rate)
        yield _look("first leaderboard", folder)
        yield _look("leaderboard", folder)
        with open_store(folder, create=False, change=True) as store:
            made.add(store, edition, each // 2, most=2)
        yield _look("leaderboard after a new block", folder)


class _Made:
    """Matches made from a few that were played, each with an outcome of its own."""

    def __init__(self, names: list[str], patterns: Sequence[MatchRow]) -> None:
        self.count, self.seconds = 0, 0.0
        self.game = patterns[0].game
        self._names, self._patterns, self._rng = names, patterns, random.Random(1)

    def add(self, store: Store, edition: Edition, k: int, most: int = 1 << 40) -> None:
        """Store a block of each bot, or ``most`` matches of that; only storing is timed."""
        dictionary = store.matches.dictionary(edition.id)
        made = []
        for pair in _pairs(self._names, self._rng):
            for seating, seats in enumerate((pair, pair[::-1])):
                pattern = self._patterns[self.count % len(self._patterns)]
                match = Match(self.count, self.game, k, seating, seats)
                made.append(made_of(match, edition.label, pattern, self._rng, dictionary))
                self.count += 1
            if len(made) >= most:
                break
        begin = time.perf_counter()
        for first in range(0, len(made), TOGETHER):
            store.matches.add(edition.id, *made[first : first + TOGETHER])
        self.seconds += time.perf_counter() - begin


def _create(store: Store, names: list[str], game: str) -> Edition:
    """Enter a tournament that nobody can run, as its bots are no programs."""
    bot = Bot("b", 0, f"sha256:{0:064}", (), "/")
    config = {"format": "round-robin", "games": {game: "rules 1"}, "seed": str(SEED)}
    entrants = [Entrant(name, bot, (name,)) for name in names]
    return store.tournaments.create("size", "mark", config, entrants, SEED)


def start(bots: int, each: int) -> Iterator[Took]:
    """Read a file with so many programs, and prepare its run, for the first time and again."""
    with tempfile.TemporaryDirectory(prefix="arena-size-") as name:
        folder = Path(name)
        lines = ["name: size", "game: leaves", "sandbox: none", "bots:"]
        for number in range(bots):
            (folder / f"b{number}.py").write_text(f"# {number}\n")
            lines.append(f"  - {{name: b{number}, run: b{number}.py}}")
        (folder / "size.yaml").write_text("\n".join([*lines, ""]))
        begin = time.perf_counter()
        tournament = read_tournament(folder / "size.yaml")
        yield Took("reading the file", time.perf_counter() - begin)
        for what in ("preparing the first run", "preparing the next one"):
            with open_store(folder / "home", create=True) as store:
                begin = time.perf_counter()
                prepare(store, tournament, folder / "home")
                yield Took(what, time.perf_counter() - begin)


def bundle(bots: int, each: int) -> Iterator[Took]:
    """Play a tournament of instant bots, write its bundle, and take it into another home."""
    with workshop() as shop:
        begin = time.perf_counter()
        played = shop.play(shop.tournament(bots, rounds=each // 2), workers=2)
        yield Took("playing", time.perf_counter() - begin)
        file, other = shop.path("size.arena"), shop.path("other")
        for what, home, words in (
            ("writing the bundle", played.home, ("bundle", "create", "-o", str(file))),
            ("taking it into another home", other, ("bundle", "import", str(file))),
        ):
            begin = time.perf_counter()
            run_quietly(arena_words("--home", str(home), *words))
            took = time.perf_counter() - begin
            matches = bots * (bots - 1) // 2 * (each // 2) * 2
            size = f"{file.stat().st_size / matches:,.0f} bytes a match"
            yield Took(what, took, f"{matches / took:,.0f} matches a second; {size}")


def _look(what: str, home: Path) -> Took:
    """Run ``arena leaderboard`` from start to exit; say how much memory it took."""
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        command = arena_words("--home", str(home), "leaderboard")
        process = subprocess.Popen(command, env=environment(), stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"arena leaderboard failed: exit {process.returncode}")
    memory = f"{usage.ru_maxrss / 1024:,.0f} MiB at most"
    return Took(what, time.perf_counter() - begin, memory)


def _names(bots: int) -> list[str]:
    return [f"b{number:06}" for number in range(bots)]


def _pairs(names: list[str], rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield pairs in which everybody is about once, of those who are near one another."""
    order = sorted(range(len(names)), key=lambda place: place + rng.random() * NEAR)
    for one, other in zip(order[::2], order[1::2], strict=False):
        yield names[min(one, other)], names[max(one, other)]


def _blocks(pairs: Sequence[tuple[str, ...]], rng: random.Random, part: int) -> Iterator[MatchRow]:
    """Yield two matches a pair; who comes first in the order of names is better."""
    for number, pair in enumerate(pairs):
        for seating, seats in enumerate((pair, pair[::-1])):
            first = (seats[0] < seats[1]) == (rng.random() < 0.6)
            ranks = (1, 2) if first else (2, 1)
            position, play = (part, 2 * number + seating), rng.getrandbits(62)
            yield MatchRow(position, seats, ranks, block=f"leaves|{number}", moves_hash=play)


MEASURES = {
    **{"swiss": swiss, "ladder": ladder, "fit": fit},
    **{"home": home, "start": start, "bundle": bundle},
}

if __name__ == "__main__":
    main()
