"""A match that nobody plays, as a suspended entrant forfeits it: its record, and the proof of it.

The record has the deal that the match would have been played on, and nothing but the drops of those
who are suspended. They share the last rank, as if they had failed at one node; the others had
nothing to show, and share the first. With everybody suspended nobody has won.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from functools import lru_cache

from arena.model import Decision, Fault, MatchJob, Player, Record, Termination
from arena.version import __version__
from engines import Game, load_game

__all__ = ["forfeit", "forfeit_differences", "share_last"]

_NOTHING_SENT = "sha256:" + hashlib.sha256().hexdigest()


def forfeit(job: MatchJob, away: Sequence[int], why: str, started: str) -> Record:
    """Return the record of a match that some players forfeit unplayed.

    Args:
        job: the match, as it would have been played; its opening is left out.
        away: the players who are suspended, in ascending order; at least one.
        why: the detail of their faults.
        started: UTC, for the record.
    """
    assert away
    assert job.seed is not None
    common = job.common_clock
    return Record(
        id=job.id,
        tournament=job.tournament,
        block=job.block,
        seating=job.seating,
        game=job.game,
        rules_version=load_game(job.game).rules_version,
        setup=_setup(job.game, job.seed) if job.setup is None else job.setup,
        opening=(),
        seed=job.seed,
        clock=common,
        players=tuple(
            Player(
                bot=seat.entrant,
                version=seat.bot.version,
                hash=seat.bot.hash,
                args=seat.args,
                seed=seat.seed,
                sent=_NOTHING_SENT,
                want=(),
                clock=None if seat.clock == common else seat.clock,
                env=seat.env,
                memory_bytes=seat.memory_bytes,
            )
            for seat in job.seats
        ),
        actions=tuple((player, None) for player in away),
        decisions=tuple(Decision() for _ in away),
        scores=None,
        ranks=share_last([1] * len(job.seats), away),
        by=Termination.STARTUP,
        faults=tuple(Fault(player, Termination.STARTUP, 0, why) for player in away),
        arena_version=__version__,
        sandbox=job.sandbox,
        started=started,
        elapsed_ms=0,
        unplayed=True,
        on_timeout=job.on_timeout,
        ponder=job.ponder,
    )


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
    last = len(ranks) - len(away) + 1
    return tuple(last if player in away else rank for player, rank in enumerate(ranks))


@lru_cache(maxsize=64)  # all pairings meet the same deals
def _setup(game: str, seed: int) -> str:
    return load_game(game).setup(seed)
