"""Players who never began share the last rank; records of matches that nobody played.

Earlier versions of the arena kept a record of every match that a suspended entrant forfeited
unplayed. It has the deal that the match would have been played on, and nothing but the drops of
those who were suspended, who share the last rank; the others share the first. Such records are
still verified; they count in no table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from arena.model import Record, Termination
from engines import Game

__all__ = ["forfeit_differences", "share_last"]

_NOTHING_SENT = "sha256:" + hashlib.sha256().hexdigest()


def forfeit_differences(record: Record, game: Game) -> list[str]:
    """Return what is wrong with the record of an unplayed match, one sentence each.

    Raises:
        EngineError: the setup is none of the game.
        ValueError: the rules cannot drop these players.
    """
    wrong = []
    if record.opening or any(action is not None for _, action in record.actions):
        wrong.append("it was never played, and yet has actions")
    away = [player for player, _ in record.actions]
    codes = {fault.code for fault in record.faults}
    if away != sorted(set(away)) or away != [fault.player for fault in record.faults]:
        wrong.append("those who were dropped are not those with a fault, once each")
    if not away or codes - {Termination.STARTUP} or record.by is not Termination.STARTUP:
        wrong.append(f"an unplayed match is forfeited by {Termination.STARTUP}")
    if record.scores is not None:
        wrong.append(f"the scores are None, not {record.scores}")
    for player, seat in enumerate(record.players):
        if seat.sent != _NOTHING_SENT:
            wrong.append(f"player {player} ({seat.bot}) was sent something, and never started")
    ranks = share_last([1] * len(record.players), away)
    if record.ranks != ranks:
        wrong.append(f"the ranks are {ranks}, not {record.ranks}")
    state = game.new_initial_state(record.setup)
    for player in away:
        state = state.drop_player(player)
    return wrong


def share_last(ranks: Sequence[int], away: Collection[int]) -> tuple[int, ...]:
    """Rank those last, all together, who never began; everybody else as they are.

    >>> share_last((2, 4, 1, 3), (1, 3))
    (2, 3, 1, 3)
    """
    if not away:
        return tuple(ranks)
    last = len(ranks) - len(away) + 1
    return tuple(last if player in away else rank for player, rank in enumerate(ranks))
