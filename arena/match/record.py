"""A finished match as text: ``Record`` ↔ one line of JSON, format 1.

The text is described in docs/reference/record.md. Reading it trusts nothing: whatever is not a
record is a ``RecordError`` that names the place and what was expected there.
"""

from __future__ import annotations

import json
import math
import re
from typing import TypeVar

from arena.arguments import require
from arena.errors import RecordError
from arena.match.readers import (
    WHOLE,
    Place,
    Read,
    Wrong,
    array,
    boolean,
    exact,
    exactly,
    integer,
    items,
    load_object,
    natural,
    number,
    number_or_none,
    or_none,
    string,
    strings,
)
from arena.model import (
    CLOCK_KEYS,
    DEFAULT_MEMORY,
    DRAW,
    Clock,
    Decision,
    Fault,
    Player,
    Record,
    Termination,
)

__all__ = ["FORMAT", "format_record", "parse_record", "without_seed", "without_times"]

FORMAT = 1

_SEED = re.compile(r"-?(?:0|[1-9][0-9]{0,38})")
_TIMELESS = {"late", "pondered", "started"}

T = TypeVar("T")
# json.dumps would build an encoder for every record
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def format_record(record: Record) -> str:
    """Write a record as one line of ASCII JSON, without a line feed.

    Times are rounded to 1 microsecond and whole scores written as integers. A player's clock is
    written only where it differs from the match's, ``unplayed``, ``on_timeout``, ``ponder`` and
    ``draw`` only where they are not what a record without them has.
    """
    require(record, Record, "record", "a Record")
    head = {
        "format": FORMAT,
        "id": record.id,
        "tournament": record.tournament,
        "block": record.block,
        "seating": record.seating,
        "game": record.game,
        "rules_version": record.rules_version,
        "setup": record.setup,
        "opening": record.opening,
        "seed": None if record.seed is None else str(record.seed),
        "clock": _clock_out(record.clock),
        **({"on_timeout": record.on_timeout} if record.on_timeout != "forfeit" else {}),
        **({"ponder": True} if record.ponder else {}),
        **({"draw": record.draw} if record.draw != 1 else {}),
        "players": [_player_out(player, record.clock) for player in record.players],
        "actions": record.actions,
    }
    tail = {
        "scores": None if record.scores is None else [_whole(s) for s in record.scores],
        "ranks": record.ranks,
        "by": record.by.value,
        "faults": [
            {
                "player": fault.player,
                "code": fault.code.value,
                "decision": fault.decision,
                "detail": fault.detail,
                "stderr": fault.stderr,
            }
            for fault in record.faults
        ],
        **({"unplayed": True} if record.unplayed else {}),
        "arena_version": record.arena_version,
        "sandbox": record.sandbox,
        "started": record.started,
        "elapsed_ms": record.elapsed_ms,
    }
    # most of a record, and so written by hand: 66 µs instead of 137 for 60 decisions
    decisions = ",".join([_decision_out(decision) for decision in record.decisions])
    return f'{_encode(head)[:-1]},"decisions":[{decisions}],{_encode(tail)[1:]}'


def parse_record(text: str) -> Record:
    """Read what ``format_record`` wrote, by this version or an older one; unknown keys are ignored.

    Raises:
        RecordError: the text is no record of format 1; the message names the key.
    """
    require(text, str, "text", "a text")
    top = Place(load_object(text))
    found = top.get("format", integer)
    if found != FORMAT:
        raise RecordError(f"record: format: expected {FORMAT}, found {found}")
    clock = _clock_in(top.at("clock"))
    players = tuple(_player_in(place, clock) for place in top.each("players"))
    if not players:
        raise RecordError("record: players: expected at least one")
    count = len(players)
    player = exact(int, f"a player from 0 to {count - 1}", lambda number: 0 <= number < count)
    rank = exact(int, f"{count} numbers from 1 to {count}", lambda number: 1 <= number <= count)
    pairs = f'pairs like [0,"E3"], players 0 to {count - 1}'
    actions = top.get("actions", _acts(player, or_none(string), pairs))
    decisions = tuple(_decision_in(place) for place in top.each("decisions"))
    if len(decisions) != len(actions):
        raise RecordError(
            f"record: decisions: expected {len(actions)}, one an action, found {len(decisions)}"
        )
    return Record(
        id=top.get("id", string),
        tournament=top.get("tournament", or_none(string)),
        block=top.get("block", string),
        seating=top.get("seating", natural),
        game=top.get("game", string),
        rules_version=top.get("rules_version", natural),
        setup=top.get("setup", string),
        opening=top.get("opening", _acts(player, string, pairs)),
        seed=top.get("seed", or_none(_seed)),
        clock=clock,
        players=players,
        actions=actions,
        decisions=decisions,
        scores=top.get("scores", or_none(exactly(count, number, f"{count} numbers"))),
        ranks=top.get("ranks", exactly(count, rank, f"{count} numbers from 1 to {count}")),
        by=top.get("by", _termination),
        faults=tuple(_fault_in(place, player) for place in top.each("faults")),
        arena_version=top.get("arena_version", string),
        sandbox=top.get("sandbox", string),
        started=top.get("started", string),
        elapsed_ms=top.get("elapsed_ms", natural),
        unplayed=top.default("unplayed", boolean, False),
        on_timeout=top.default("on_timeout", _on_timeout, "forfeit"),
        ponder=top.default("ponder", boolean, False),
        draw=top.default("draw", _draw, 1),
    )


def without_times(text: str) -> str:
    """Return a record's text without what two equal runs may differ in.

    These are the keys ``ms`` and ``…_ms`` (the bots' own in ``info``, too), ``late``, ``pondered``
    and ``started``, wherever they stand.

    >>> without_times('{"id":"ab","started":"2026","decisions":[{"ms":12.3,"late":false}]}')
    '{"id":"ab","decisions":[{}]}'

    Raises:
        RecordError: the text is not one JSON object.
    """
    try:
        return _encode(_timeless(load_object(text)))
    except RecursionError:
        raise RecordError("record: expected a record, found too many brackets") from None
    except ValueError:
        raise RecordError("record: a number is too large") from None


def without_seed(text: str) -> str:
    """Return a record's text with ``null`` in place of the deal's seed; the bots' own stay.

    >>> without_seed('{"id":"ab","seed":"5","players":[{"seed":"7"}]}')
    '{"id":"ab","seed":null,"players":[{"seed":"7"}]}'

    Raises:
        RecordError: the text is not one JSON object.
    """
    return _encode({**load_object(text), "seed": None})


# writing


def _clock_out(clock: Clock) -> dict[str, int]:
    limits = clock.limits()
    if not clock.inc_ms:
        del limits["inc"]
    return {key: ms for key, ms in limits.items() if ms is not None}


def _player_out(player: Player, common: Clock) -> dict[str, object]:
    written: dict[str, object] = {
        "bot": player.bot,
        "version": player.version,
        "hash": player.hash,
        "args": player.args,
        "seed": str(player.seed),
        "sent": player.sent,
        "want": player.want,
    }
    if player.clock is not None and player.clock != common:
        written["clock"] = _clock_out(player.clock)
    if player.env:
        written["env"] = dict(player.env)
    if player.memory_bytes != DEFAULT_MEMORY:
        written["memory"] = player.memory_bytes
    if player.pondered:
        written["pondered"] = True
    return written


def _decision_out(decision: Decision) -> str:
    cpu_ms = decision.cpu_ms
    text = '{"ms":%.3f,"cpu_ms":%s,"charged_ms":%.3f,"late":%s' % (  # noqa: UP031  # twice as fast
        decision.ms,
        "null" if cpu_ms is None else "%.3f" % cpu_ms,  # noqa: UP031  # the same
        decision.charged_ms,
        "true" if decision.late else "false",
    )
    if decision.forced:
        text += ',"forced":true'
    if decision.info:
        text += f',"info":{_encode(_info_out(decision.info))}'
    return text + "}"


def _info_out(info: tuple[tuple[str, float | str], ...]) -> dict[str, float | str]:
    # a number that JSON cannot say is kept as a word
    return {
        key: str(value) if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in info
    }


def _whole(score: float) -> float:
    return int(score) if -WHOLE <= score <= WHOLE and score == int(score) else score


def _timeless(value: object) -> object:
    if isinstance(value, dict):
        return {
            key: _timeless(item)
            for key, item in value.items()
            if key != "ms" and not key.endswith("_ms") and key not in _TIMELESS
        }
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    return value


# reading

_draw = exact(int, f"a whole number from 1 to {DRAW}", lambda n: 1 <= n <= DRAW)
_on_timeout = exact(str, "forfeit or published", {"forfeit", "published"}.__contains__)
_code = exact(str, f"one of {', '.join(Termination)}", frozenset(Termination).__contains__)
_digits = exact(str, "a decimal number in quotes", _SEED.fullmatch)


def _termination(value: object) -> Termination:
    return Termination(_code(value))


def _seed(value: object) -> int:
    return int(_digits(value))


def _said(value: object) -> float | str:
    """Read a value that a bot gave by ``info``; a whole number stays one."""
    if isinstance(value, str):
        return value
    return integer(value) if type(value) is int else number(value)


_info = items(_said)


def _acts(player: Read[int], action: Read[T], expected: str) -> Read[tuple[tuple[int, T], ...]]:
    """Return a reader of pairs like ``[0,"E3"]``."""

    def read(value: object) -> tuple[tuple[int, T], ...]:
        try:
            return tuple((player(who), action(what)) for who, what in map(array, array(value)))
        except (Wrong, ValueError):  # ValueError: not two of them
            raise Wrong(expected) from None

    return read


def _clock_in(place: Place) -> Clock:
    given = {key: place.get(key, natural) for key in CLOCK_KEYS if key in place.value}
    return Clock(move_ms=None, first_ms=0).but(given)


def _player_in(place: Place, common: Clock) -> Player:
    clock = _clock_in(place.at("clock")) if "clock" in place.value else common
    return Player(
        bot=place.get("bot", string),
        version=place.get("version", natural),
        hash=place.get("hash", string),
        args=place.get("args", strings),
        seed=place.get("seed", _seed),
        sent=place.get("sent", string),
        want=place.default("want", strings, ("obs",)),
        clock=None if clock == common else clock,
        env=place.default("env", items(string), ()),
        memory_bytes=place.default("memory", natural, DEFAULT_MEMORY),
        pondered=place.default("pondered", boolean, False),
    )


def _decision_in(place: Place) -> Decision:
    return Decision(
        ms=place.get("ms", number),
        cpu_ms=place.default("cpu_ms", number_or_none, None),
        charged_ms=place.get("charged_ms", number),
        late=place.default("late", boolean, False),
        forced=place.default("forced", boolean, False),
        info=place.default("info", _info, ()),
    )


def _fault_in(place: Place, player: Read[int]) -> Fault:
    return Fault(
        player=place.get("player", player),
        code=place.get("code", _termination),
        decision=place.get("decision", natural),
        detail=place.get("detail", string),
        stderr=place.default("stderr", string, ""),
    )
