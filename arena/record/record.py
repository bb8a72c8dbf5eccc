"""A finished match as text: ``Record`` ↔ one line of JSON, format 1.

The text is described in docs/reference/record.md. Reading it trusts nothing: whatever is not a
record is a ``RecordError`` that names the place and what was expected there.
"""

from __future__ import annotations

import json
from functools import lru_cache

from arena.match.info import info_text
from arena.record.line import FORMAT, WHOLE, loaded
from arena.values.arguments import require
from arena.values.costs import NO_COSTS
from arena.values.model import DEFAULT_MEMORY, Clock, Decision, Player, Record

_HEAD = (
    "id", "tournament", "block", "seating", "game", "rules_version", "setup", "opening", "seed",
    "clock",
)  # fmt: skip
_DECISIONS = ',"decisions":['
_FAULT_KEYS = ("player", "code", "decision", "detail", "stderr")
# json.dumps would build an encoder each time; no value holds itself, and to look for that takes a
# third of the time
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


def format_record(record: Record) -> str:
    """Write a record as one line of ASCII JSON, without a line feed.

    Times are rounded to 1 microsecond and whole scores written as integers. A player's clock is
    written only where it differs from the match's, ``costs``, ``on_timeout``,
    ``ponder`` and ``host`` only where they are not what a record without them has.
    """
    require(record, Record, "record", "a Record")
    r = record
    values = {"format": FORMAT} | {key: getattr(r, key) for key in _HEAD}
    values |= {"seed": None if r.seed is None else str(r.seed), "clock": _limits(r.clock)}
    if r.on_timeout != "forfeit":
        values["on_timeout"] = r.on_timeout
    if r.ponder:
        values["ponder"] = True
    values |= {
        "players": [_player_values(player, r.clock) for player in r.players],
        "actions": r.actions,
        "decisions": [],
        "scores": None if r.scores is None else [_whole(score) for score in r.scores],
        "ranks": r.ranks,
        "by": r.by,
        "faults": [{key: getattr(fault, key) for key in _FAULT_KEYS} for fault in r.faults],
        "arena_version": r.arena_version,
        "sandbox": r.sandbox,
        **({"host": r.host} if r.host else {}),
        "started": r.started,
        "elapsed_ms": r.elapsed_ms,
    }
    decisions = ",".join(
        [(_decision_text if one[1] or one[5] else _unmeasured)(one) for one in r.decisions]
    )
    # this is the key and no part of a text, where each quote has a backslash before it
    return _encode(values).replace(f"{_DECISIONS}]", f"{_DECISIONS}{decisions}]", 1)


def parse_record(text: str) -> Record:
    """Read what ``format_record`` wrote, by this version or an older one; unknown keys are ignored.

    Raises:
        RecordError: the text is no record of format 1; the message names the key.
    """
    require(text, str, "text", "a text")
    top = loaded(text)
    from arena.record.shape import record_of  # which takes 20 ms

    return record_of(top)


def without_seed(text: str) -> str:
    """Return a record's text with ``null`` in place of the deal's seed; the bots' own stay.

    >>> without_seed('{"id":"ab","seed":"5","players":[{"seed":"7"}]}')
    '{"id":"ab","seed":null,"players":[{"seed":"7"}]}'

    Raises:
        RecordError: the text is not one JSON object.
    """
    return _encode({**loaded(text), "seed": None})


def _player_values(player: Player, common: Clock) -> dict[str, object]:
    """Return what is written of a player; ``common`` is the clock of the match."""
    values: dict[str, object] = {
        "bot": player.bot,
        "version": player.version,
        "hash": player.hash,
        "args": player.args,
        "seed": str(player.seed),
        "sent": player.sent,
        "want": player.want,
    }
    if player.clock is not None and player.clock != common:
        values["clock"] = _limits(player.clock)
    if player.env:
        values["env"] = dict(player.env)
    if player.memory_bytes != DEFAULT_MEMORY:
        values["memory"] = player.memory_bytes
    more = (
        ("pondered", player.pondered),
        ("info_dropped", player.info_dropped),
        ("environment", player.packages),
        ("sandbox", player.sandbox),
        ("costs", player.costs is not NO_COSTS and player.costs.there),
    )
    values.update([one for one in more if one[1]])
    return values


@lru_cache(maxsize=4)
def _limits(clock: Clock) -> dict[str, int]:
    limits = clock.limits().items()
    return {key: ms for key, ms in limits if ms is not None and (ms or key != "inc")}


def _decision_text(decision: Decision) -> str:
    """Write how an answer came about, times to 1 microsecond."""
    ms, cpu_ms, charged_ms, late, forced, info, tries = decision
    wall = _ms_text(ms)
    cpu = "null" if cpu_ms is None else _ms_text(cpu_ms)
    charged = wall if charged_ms == ms else _ms_text(charged_ms)
    more = ',"forced":true' if forced else ""
    if tries:
        more += f',"tries":{tries}'
    if info:
        more += info_text(info)
    was_late = "true" if late else "false"
    return f'{{"ms":{wall},"cpu_ms":{cpu},"charged_ms":{charged},"late":{was_late}{more}}}'


# of functions and people, whose CPU nobody looks at: what a function takes is often the same
_unmeasured = lru_cache(maxsize=1 << 12)(_decision_text)
# short times come again and again
_ms_text = lru_cache(maxsize=1 << 12)("{:.3f}".format)


def _whole(score: float) -> float:
    return int(score) if -WHOLE <= score <= WHOLE and score == int(score) else score
