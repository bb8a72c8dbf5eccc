"""One walk over a tournament's matches → what its report shows of them.

However many matches there are, what is held grows with the bots alone: sums, samples of ratings,
the last matches of each bot, the first faults.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Literal

from arena.ratings.fitted_table import elo
from arena.ratings.fold import Standings, fold
from arena.report.site_values import BotTally, FaultRow, Tally
from arena.stats.by_decision import Reported
from arena.values.tables import MatchRow

SAMPLES = 200  # of the ratings, over the schedule
LAST_OF_ALL = 30  # matches that the first page lists
FAULTS = 200  # faults that are listed
# of a record; texts in it escape their quotes
_SCORES = re.compile(r'"scores":(null|\[[^]]*\])')

MatchPages = Literal["all", "faults"] | int  # which matches: a number means the last ones


def tally(
    matches: Iterable[MatchRow],
    expected: int,
    pages: MatchPages = 0,
    may_show: Callable[[int, str], bool] = lambda number, game: True,
) -> Tally:
    """Walk over matches in schedule order.

    Args:
        matches: those that count.
        expected: about how many there are, of which ratings are sampled evenly.
        pages: which matches to choose: all, those with faults, or the last ones.
        may_show: whether the deal of a match, by its number and game, may be shown; of others no
            match is chosen, and its scores and what bots reported are left out.
    """
    bots: dict[str, BotTally] = {}
    faults: list[FaultRow] = []
    chosen = deque[MatchRow](maxlen=pages if isinstance(pages, int) else None)
    last = deque[MatchRow](maxlen=LAST_OF_ALL)
    course: dict[str, list[tuple[int, float]]] = {}
    state, count, faulty = Standings(), 0, 0
    waiting, step = iter(matches), max(1, -(-expected // SAMPLES))
    while batch := [*islice(waiting, step)]:
        for match in batch:
            shown = may_show(match.number, match.game)
            told = _SCORES.search(match.text) if shown else None
            scores = json.loads(told[1]) if told else None
            listed = match._replace(text="", scores=tuple(scores) if scores else None)
            last.append(listed)
            _add(bots, match if shown else listed, listed)
            wrong = match.faults
            if wrong and len(faults) < FAULTS:
                faults.extend(_faults(match.text, listed))
            faulty += len(wrong)
            if shown and (wrong or pages != "faults"):
                chosen.append(listed)
        state = fold(batch, state)
        count += len(batch)
        for name, standing in state.items():
            course.setdefault(name, []).append((count, round(elo(standing.mu), 1)))
    found = {one.id: one.entrants for one in chosen}
    return Tally(count, course, faults[:FAULTS], faulty, bots, found, tuple(last))


def _add(bots: dict[str, BotTally], match: MatchRow, listed: MatchRow) -> None:
    names, ranks, game = match.entrants, match.ranks, match.game
    for seat, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        bot = bots.get(name)
        if bot is None:
            bot = bots[name] = BotTally()
        counts = bot.games.get(game)
        if counts is None:
            counts = bot.games[game] = [0, 0, 0]
        for other in ranks[:seat] + ranks[seat + 1 :]:
            counts[(other <= rank) + (other < rank)] += 1
        bot.last.append(listed)
    if '"info":' in match.text:
        _add_reported([bots[name].reported for name in names], _outcomes(ranks), match.text)


def _outcomes(ranks: tuple[int, ...]) -> list[str]:
    """Return what a match was for each seat: the only first rank has won, a shared one drawn."""
    first = "won" if ranks.count(1) == 1 else "drawn"
    return [first if rank == 1 else "lost" for rank in ranks]


def _add_reported(bots: list[Reported], outcomes: list[str], text: str) -> None:
    record = json.loads(text)
    made = [0] * len(bots)
    for (player, _), decision in zip(record["actions"], record["decisions"], strict=True):
        made[player] += 1
        for key, value in decision.get("info", _NOTHING).items():
            if not isinstance(value, str):
                bots[player].add(key, outcomes[player], made[player], value)


_NOTHING: dict[str, float] = {}


def _faults(text: str, match: MatchRow) -> Iterator[FaultRow]:
    for fault in json.loads(text)["faults"]:
        bot = match.entrants[fault["player"]]
        yield FaultRow(match, bot, fault["code"], fault["decision"], fault["detail"])
