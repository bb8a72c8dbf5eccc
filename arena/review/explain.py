"""``explain``: the decisions of a player that cost most, and what would have been better.

Where the rest of the game is small enough it is followed to the end, and what is found is exact.
Elsewhere a first search looks at every decision. If it finds something better than what was
played, new searches measure the difference. Each learns how play goes on after either action, and
at three sizes plays both in pairs: the same position that the player could not tell apart, the same
chance. The first search chooses and the new ones judge, so that the best of many guesses is not
taken at its word.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, inf, sqrt
from typing import NamedTuple

from arena.record.recorded import check_seat
from arena.review.decisions import Asked, asked
from arena.review.proofs import Proofs
from arena.review.reproduction import check_rules, find_record, positions
from arena.stats.intervals import t_quantile
from arena.values.arguments import PathLike, path_of
from arena.values.explained import Explained, Explanation
from arena.values.model import Record
from engines import Game, load_game
from engines.search import Search, knowledge_of

LEVEL = 0.95  # of all intervals of an explanation together
MEASURED = 5  # decisions whose difference is measured by new searches, at most
SEARCHES = 16  # that measure one difference
LEAST = 20  # simulations in the first search of one decision; of more decisions some are left out
SIZES = (4, 2, 1)  # by what a search's simulations are divided where it is asked
PAIRS = 4  # of one search, each time, at least
UNSEEN = 0.5  # of the span: how much better the better action may be for what no search tried
SHOWN = 6  # actions of a line that a search found
DOUBT = 0.5  # standard deviations by which a guess of the first search is lowered to rank it

# in all, so that a match takes up to a minute on one core, however long it is
USUAL = {
    "arborius": 10_000,
    "build_your_arboretum": 50_000,
    "connect_four": 200_000,
    "leaves": 150_000,
    "the_tree": 200_000,
    "treeblox": 400_000,
}
OTHERS = 20_000  # of a game that is not ours
SOLVED = 5  # positions made to solve decisions, for each simulation
MOST_SOLVED = 300_000  # of them, which takes about 15 s and 500 MB


class _Guess(NamedTuple):
    """What the first search found: the decision so far, and how sure a better action seems."""

    decision: Explained
    asked: Asked
    promise: float


def usual_simulations(game: str) -> int:
    """Return how many simulations an explanation has if none are given."""
    return USUAL.get(load_game(game).name, OTHERS)


def explain(
    match: PathLike,
    home: PathLike,
    *,
    player: int | None = None,
    seed: int | None = None,
    simulations: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Explanation:
    """Value a player's decisions in a match by search; the same arguments give the same values.

    >>> arena.explain("1ac9", ".arena", simulations=2000).player
    1

    Args:
        match: an id, the beginning of one, or a file.
        home: the arena's home.
        player: whose decisions; left out, those of who came last, the first of several.
        seed: where all chance comes from; left out, the match's id.
        simulations: how many there are in all, about; left out, what takes up to a minute.
        progress: called with how many are done and how many there will be.

    Raises:
        UsageError: there is no such player.
        EngineError: its game is not here.
        RecordError: there is no such match, or the rules are other ones now.
    """
    record = find_record(match, path_of(home, "home"), shown=True)
    if player is None:
        player = record.ranks.index(max(record.ranks))
    check_seat(record, player)
    check_rules(record, "explained")
    found = asked(record, positions(record), player)
    total = max(1, simulations or usual_simulations(record.game))
    return _Work(record, player, seed, total, progress).explain(found)


@dataclass
class _Work:
    """The searches for one explanation; ``done`` counts simulations, of ``total``."""

    record: Record
    player: int
    seed: int | None
    total: int
    progress: Callable[[int, int], None]
    done: int = 0

    def __post_init__(self) -> None:
        self.game: Game = load_game(self.record.game)
        self.proofs = Proofs(self.game, self.player, min(SOLVED * self.total, MOST_SOLVED))

    def explain(self, found: Sequence[Asked]) -> Explanation:
        """Solve what can be solved; search the rest, as far as there is work, and measure it."""
        known = self.proofs.solve(found)
        self._count(0)
        open_ones = [d for d in found if d.position not in known or known[d.position].gain is None]
        most = min(len(open_ones), max(1, self.total // (3 * LEAST)))
        # spread evenly, the last one among them
        searched = [open_ones[(index + 1) * len(open_ones) // most - 1] for index in range(most)]
        each = max(LEAST, self.total // (3 * max(1, len(searched))))
        guesses = [self._look(decision, each) for decision in searched]
        promising = sorted(
            (guess for guess in guesses if guess.promise > 0.0), key=lambda guess: -guess.promise
        )[:MEASURED]
        solved = {guess.asked.position: guess.decision for guess in guesses} | known
        unsure = []
        for index, guess in enumerate(promising):
            assert guess.decision.best is not None
            share = 1 / (len(promising) - index)
            proven = self.proofs.compare(guess.asked, guess.decision.best, share)
            if proven is None:
                unsure.append(guess)
            else:
                solved[guess.asked.position] = proven
        for guess in unsure:
            measured = self._measure(guess, len(unsure))
            before = known.get(guess.asked.position)
            if before is not None and self.game.num_players > 1:
                measured = _within(measured, before.action_value)
            solved[guess.asked.position] = measured
        self.progress(self.total, self.total)
        return Explanation(
            match=self.record.id,
            player=self.player,
            unit="score" if self.game.num_players > 1 else "points",
            seed=self.seed,
            simulations=self.done,
            decisions=tuple(
                self.proofs.with_lines(d, solved[d.position]) for d in found if d.position in solved
            ),
            not_searched=len(open_ones) - len(searched),
            positions=self.proofs.made,
        )

    def _look(self, decision: Asked, simulations: int) -> _Guess:
        """Search a decision for the first time."""
        rng = self._rng(decision, "look")
        search = self._search(decision, rng, keep=decision.action)
        for _ in range(simulations):
            search.simulate()
            self._count()
        entries = search.entries
        played = next(entry for entry in entries if entry.action == decision.action)
        others = [entry for entry in entries if entry is not played]
        # what was tried most often is best known; what was tried once or twice proves nothing
        best = others[0] if others else None
        value = max(played.mean, best.mean if best else -inf)
        values = Explained(
            *decision[:3],
            value=value,
            action_value=played.mean,
            best=best.action if best else None,
            best_value=best.mean if best else None,
        )
        promise = 0.0
        if best is not None:
            doubt = DOUBT * search.span * sqrt(1 / played.tried + 1 / best.tried)
            gain = best.mean - played.mean
            promise = gain if gain <= 0.0 else max(gain - doubt, 1e-6 * gain)
        return _Guess(values, decision, promise)

    def _measure(self, guess: _Guess, measured: int) -> Explained:
        """Measure by new searches how much better an action is than the played one."""
        decision, best = guess.decision, guess.decision.best
        assert best is not None
        both = (decision.action, best)
        each = self.total // (3 * measured * SEARCHES)  # and as much again to play the pairs
        pairs = max(PAIRS, each // 2 // len(SIZES))
        found: list[list[tuple[float, float]]] = [[] for _ in SIZES]
        for number in range(SEARCHES):
            rng = self._rng(guess.asked, f"measure {number}")
            search = self._search(guess.asked, rng, only=both)
            done = 0
            for values, part in zip(found, SIZES, strict=True):
                for _ in range(each // part - done):
                    search.simulate()
                    self._count()
                done = each // part
                values.append(search.compare(both, pairs))
                self._count(2 * pairs)
        played, other = (sum(values) / SEARCHES for values in zip(*found[-1], strict=True))
        gains = [[b - a for a, b in values] for values in found]
        low, high = _bounds(gains, _error(gains[-1], pairs, search.span, measured), search.span)
        if self.game.num_players > 1:
            low, high = _results(low, high, self.game.num_players)
        return replace(
            decision,
            value=max(played, other),
            action_value=played,
            best_value=other,
            gain=other - played,
            low=low,
            high=high,
            line=search.line(best, SHOWN),
            reply=search.line(decision.action, SHOWN),
        )

    def _search(
        self,
        decision: Asked,
        rng: random.Random,
        *,
        keep: str | None = None,
        only: Sequence[str] = (),
    ) -> Search:
        known = knowledge_of(self.game)
        return Search(
            self.game, decision.observation, self.player, rng, known, keep=keep, only=only
        )

    def _rng(self, decision: Asked, purpose: str) -> random.Random:
        source = self.record.id if self.seed is None else self.seed
        words = f"arena/1|explain|{source}|{self.player}|{decision.position}|{purpose}"
        return random.Random(int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big"))

    def _count(self, simulations: int = 1) -> None:
        self.done += simulations
        self.progress(min(self.done, self.total), self.total)


def _bounds(gains: Sequence[Sequence[float]], error: float, span: float) -> tuple[float, float]:
    """Return what a difference is at least and at most, from what searches of several sizes found.

    Between the sizes, and within the error of the largest, lies what more of the same search would
    change. What no search tried is not in that: a reply not seen may take the gain away, and one of
    one's own may add to it. In 64 positions whose values are known, bounds without ``UNSEEN``
    missed 3, all in Leaves, where they are 3 of 29, and with it none, nor in 190 others.

    Args:
        gains: of each search, for each size.
        error: of the largest, half the width of its interval.
        span: how far results can be apart.
    """
    means = [sum(values) / len(values) for values in gains]
    low, high = min(*means, means[-1] - error), max(*means, means[-1] + error)
    return min(low, max(0.0, low - UNSEEN * span)), high + UNSEEN * span


def _results(low: float, high: float, players: int) -> tuple[float, float]:
    """Widen bounds to differences of results that there are: 1 a win, 0 the last place.

    >>> _results(0.1, 0.7, 2)
    (0.0, 1.0)
    """
    steps = 2 * (players - 1)
    return max(-1.0, floor(low * steps) / steps), min(1.0, ceil(high * steps) / steps)


def _within(found: Explained, value: float) -> Explained:
    """Return what was measured within what is proven: what the played action is worth."""
    assert found.low is not None
    assert found.high is not None
    return replace(found, low=max(found.low, -value), high=min(found.high, 1 - value))


def _error(found: Sequence[float], pairs: int, span: float, measured: int) -> float:
    """Return half the width of an interval for a mean difference.

    It is Student's for the means of the searches, at a level at which all ``measured`` intervals
    hold together (Bonferroni). Two more pairs, a whole ``span`` apart one each way, are in the
    variance: that all pairs of a sample are alike does not prove that all there are would be
    (Agresti and Min, *Statistics in Medicine* 24, 2005).

    Args:
        found: the mean difference of each search.
        pairs: of each search.
        span: how far results can be apart.
        measured: how many differences there are.
    """
    n = len(found)
    mean = sum(found) / n
    variance = sum((value - mean) ** 2 for value in found) / (n - 1) / n
    variance += 2 * (span / (n * pairs)) ** 2
    return t_quantile(1 - (1 - LEVEL) / (2 * measured), n - 1) * sqrt(variance)
