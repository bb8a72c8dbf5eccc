"""The parts of a record's text, each as JSON; what many records have in common is written once.

``record.py`` puts them together.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from json.encoder import encode_basestring_ascii

from arena.model import DEFAULT_MEMORY, Clock, Decision, Fault, Player

__all__ = [
    "decision",
    "encoded",
    "entrant",
    "fault",
    "forget",
    "place",
    "player",
    "quoted",
    "ranks",
    "rest",
    "scores",
    "seed",
    "terms",
]

_WHOLE = 1 << 53  # up to here every whole float is that integer
_FAULT_KEYS = ("player", "code", "decision", "detail", "stderr")
# a decision as nearly all are; for numbers % takes half the time of a format
_USUAL = '{"ms":%.3f,"cpu_ms":%.3f,"charged_ms":%.3f,"late":false}'

# json.dumps would build an encoder each time; no value holds itself, and to look for that takes a
# third of the time
encoded = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode
quoted = encode_basestring_ascii


def seed(value: int | None) -> str:
    """Write a seed: digits in quotes, as JSON has no such numbers."""
    return "null" if value is None else f'"{value}"'


@lru_cache(maxsize=16)  # a tournament has few
def terms(clock: Clock, on_timeout: str, ponder: bool) -> str:
    """Write a clock, and after it what else is agreed, where that is not the usual."""
    text = _clock(clock)
    if on_timeout != "forfeit":
        text += f',"on_timeout":{quoted(on_timeout)}'
    if ponder:
        text += ',"ponder":true'
    return text


def player(value: Player, common: Clock) -> str:
    """Write a player; ``common`` is the clock of the match."""
    own = None if value.clock == common else value.clock
    return (
        f"{entrant(value.bot, value.version, value.hash, value.args)}{value.seed}"
        f'","sent":{quoted(value.sent)},"want":'
        f"{rest(value.want, own, value.env, value.memory_bytes, value.pondered)}"
    )


@lru_cache(maxsize=1024)
def entrant(bot: str, version: int, digest: str, args: tuple[str, ...]) -> str:
    """Write the beginning of a player, up to its seed's digits."""
    args_text = encoded(args)
    return (
        f'{{"bot":{quoted(bot)},"version":{version},"hash":{quoted(digest)}'
        f',"args":{args_text},"seed":"'
    )


@lru_cache(maxsize=1024)
def rest(
    want: tuple[str, ...],
    clock: Clock | None,
    env: tuple[tuple[str, str], ...],
    memory_bytes: int,
    pondered: bool,
) -> str:
    """Write the end of a player: which lines it wanted, and what is not as usual."""
    text = encoded(want)
    if clock is not None:
        text += f',"clock":{_clock(clock)}'
    if env:
        text += f',"env":{encoded(dict(env))}'
    if memory_bytes != DEFAULT_MEMORY:
        text += f',"memory":{memory_bytes}'
    return text + (',"pondered":true}' if pondered else "}")


def decision(value: Decision) -> str:
    """Write how an answer came about, times to 1 microsecond."""
    ms, cpu_ms, charged_ms, late, forced, info = value
    if cpu_ms is None or late or forced or info:
        cpu = "null" if cpu_ms is None else f"{cpu_ms:.3f}"
        text = f'{{"ms":{ms:.3f},"cpu_ms":{cpu},"charged_ms":{charged_ms:.3f}'
        text += ',"late":true' if late else ',"late":false'
        if forced:
            text += ',"forced":true'
        if info:
            text += f',"info":{encoded(_info(info))}'
        return text + "}"
    return _USUAL % (ms, cpu_ms, charged_ms)


def scores(values: tuple[float, ...] | None) -> str:
    """Write scores; a whole one as an integer."""
    if values is None:
        return "null"
    # beyond that, equal numbers may be written differently
    usual = min(values) >= -_WHOLE and max(values) <= _WHOLE
    return _scores(values) if usual else _scores.__wrapped__(values)


@lru_cache(maxsize=256)  # most games have few results
def _scores(values: tuple[float, ...]) -> str:
    return encoded([_whole(score) for score in values])


@lru_cache(maxsize=256)
def ranks(values: tuple[int, ...]) -> str:
    """Write ranks, seat 0 first."""
    return encoded(values)


def fault(value: Fault) -> str:
    """Write what a player did wrong."""
    return encoded({key: getattr(value, key) for key in _FAULT_KEYS})


@lru_cache(maxsize=16)
def place(sandbox: str, host: str) -> str:
    """Write the isolation level, and after it the host, if it was another than the runner."""
    return quoted(sandbox) + (f',"host":{quoted(host)}' if host else "")


def forget() -> None:
    """Forget what was written, which may be long where a record is from elsewhere."""
    for kept in (terms, entrant, rest, place, ranks, _scores):
        kept.cache_clear()


def _clock(clock: Clock) -> str:
    limits = clock.limits().items()
    return encoded({key: ms for key, ms in limits if ms is not None and (ms or key != "inc")})


def _info(info: tuple[tuple[str, float | str], ...]) -> dict[str, float | str]:
    # a number that JSON cannot say is kept as a word
    return {
        key: str(value) if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in info
    }


def _whole(score: float) -> float:
    return int(score) if -_WHOLE <= score <= _WHOLE and score == int(score) else score
