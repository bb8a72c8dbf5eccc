"""Whether a record is of the match that was asked for: a record compared with its job."""

from __future__ import annotations

from collections.abc import Iterator

from arena.match.opening import NoOpening, deal
from arena.match.player import PlayerState
from arena.values.model import MatchJob, Record, Termination
from arena.values.untrusted import show
from engines import EngineError, load_game

SHOWN = 200  # characters of a value
_OF_JOB = ("tournament", "game", "block", "seating", "id", "on_timeout", "ponder")
_OF_PLAYER = ("bot", "version", "hash", "args", "env", "clock", "memory_bytes", "seed", "sandbox")


def asked(record: Record) -> int:
    """Return how many decisions were asked for: a player dropped for a fault may not have been."""
    fell = {fault.player: fault.decision for fault in record.faults}
    others = sum(player not in fell for player, _ in record.actions)
    return others + sum(fell.values())


def job_differences(record: Record, job: MatchJob, rules_version: int) -> Iterator[str]:
    """Yield what of a record is not as its job asked for, a sentence each.

    Whether the record keeps to the rules of its game is another question: ``replay.verify``. No
    sentence holds a seed, a deal or the value of a variable.

    Args:
        record: what was sent back, or was stored.
        job: what was to be played.
        rules_version: of the game's engine.
    """
    clock = job.common_clock
    expected = {key: getattr(job, key) for key in _OF_JOB} | {"rules_version": rules_version}
    for key, given in expected.items():
        if (found := getattr(record, key)) != given:
            yield f"its {key} is {_shown(found)}, not {_shown(given)}"
    played = record.clock.limits()
    for key, limit_ms in clock.limits().items():
        if played[key] != limit_ms:
            yield f"the limit {key} of its clock is {played[key]} ms, not {limit_ms} ms"
    if len(record.players) != len(job.seats):
        yield f"it has {len(record.players)} players, not {len(job.seats)}"
        return
    for place, (player, seat) in enumerate(zip(record.players, job.seats, strict=True)):
        entered = PlayerState(place, seat).recorded(clock, pondered=False)
        wrong = [key for key in _OF_PLAYER if getattr(player, key) != getattr(entered, key)]
        if wrong:
            name = f"player {place} ({show(player.bot)})"
            yield f"{name} is not as it was entered: {', '.join(wrong)}"
    if record.seed != job.seed:
        yield "its seed is not that of its deal"
    elif record.by is Termination.VOID:
        yield "it was not played"
    else:
        yield from _deal_differences(record, job)
    yield from _limit_differences(record, job.max_decisions)


def _deal_differences(record: Record, job: MatchJob) -> Iterator[str]:
    """Deal again, if the rules here are those of the record."""
    try:
        game = load_game(job.game)
        if game.rules_version != record.rules_version:
            return
        setup, opening, _ = deal(job, game)
    except (EngineError, NoOpening) as error:
        yield f"nothing can be dealt from its seed: {show(str(error), SHOWN)}"
        return
    if record.setup != setup:
        yield "its setup is not that of its deal"
    if record.opening != opening:
        yield "its opening is not that of its deal"


def _limit_differences(record: Record, most: int | None) -> Iterator[str]:
    """Yield what contradicts the number of decisions after which a match ends, if there is one."""
    count = asked(record)
    cut = record.by is Termination.MAXMOVES
    # those who are asked at once may go past the limit together
    if cut and (most is None or count < most):
        yield f"it ended after {count} decisions, at which the tournament ends no match"
    if most is not None and count >= most + len(record.players):
        yield f"it went on after {most} decisions, at which the tournament ends a match"


def _shown(value: object) -> str:
    """Return a value for a message; a record may come from anybody."""
    return show(str(value), SHOWN)
