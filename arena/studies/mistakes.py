"""``explain --lost``: where a bot goes wrong, over many matches that it lost."""

from __future__ import annotations

from collections.abc import Callable

from arena.results.matches import list_matches
from arena.review.explain import explain, usual_simulations
from arena.review.reproduction import find_record
from arena.values.arguments import PathLike
from arena.values.explained import LostMatch, LostMatches
from arena.values.model import Record

SHARE = 10  # of the simulations that one match has if it is explained alone: one of so many


def explain_lost(
    bot: str,
    home: PathLike,
    tournament: str | None = None,
    *,
    limit: int = 10,
    seed: int | None = None,
    simulations: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> LostMatches:
    """Explain the newest matches that a bot lost.

    >>> arena.explain_lost("random-sh", ".arena", limit=2, simulations=100).lost
    14

    Args:
        bot: the entrant or bot. Matches in which it was at fault are left out.
        home: the arena's home.
        tournament: ``NAME``, several with commas; left out, the one run last.
        limit: how many, at most.
        seed: as for ``explain``.
        simulations: for each match, about; left out, what takes up to ten seconds.
        progress: called with how many matches are done and how many there will be.

    Raises:
        UsageError: there is no such tournament or bot.
        EngineError: a game is not here.
        RecordError: a match was played by other rules.
    """
    label, rows = list_matches(home, tournament, bot=bot, lost=True)
    lost = [
        row
        for row in sorted(rows, key=lambda row: -row.arrived)
        if row.by == "rules" and row.counted
    ]
    found = []
    for number, row in enumerate(lost[:limit]):
        record = find_record(row.id, home, shown=True)
        explanation = explain(
            row.id,
            home,
            player=_seat(record, bot),
            seed=seed,
            simulations=simulations or max(1, usual_simulations(record.game) // SHARE),
        )
        bots = tuple([player.bot for player in record.players])
        found.append(LostMatch(record.game, bots, explanation))
        progress(number + 1, min(limit, len(lost)))
    return LostMatches(bot, label, len(lost), tuple(found))


def _seat(record: Record, bot: str) -> int:
    """Return the seat in which a bot lost; of several the one that came last.

    An entrant may have another name than its bot; then it is any that lost.
    """
    lost = [seat for seat, rank in enumerate(record.ranks) if rank > 1]
    players = record.players
    named = [s for s in lost if bot in (players[s].bot, f"{players[s].bot}@{players[s].version}")]
    return max(named or lost, key=lambda seat: record.ranks[seat])
