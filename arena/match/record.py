"""A finished match as text: ``Record`` ↔ one line of JSON, format 1.

The text is described in docs/reference/record.md. Reading it trusts nothing: whatever is not a
record is a ``RecordError`` that names the place and what was expected there.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from arena.arguments import require
from arena.errors import RecordError
from arena.model import (
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

_WHOLE = 1 << 53  # up to here every whole float is that integer
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
    top = _Place(_object(text))
    found = top.get("format", _integer)
    if found != FORMAT:
        raise RecordError(f"record: format: expected {FORMAT}, found {found}")
    clock = _clock_in(top.at("clock"))
    players = tuple(_player_in(place, clock) for place in top.each("players"))
    if not players:
        raise RecordError("record: players: expected at least one")
    count = len(players)
    actions = top.get("actions", lambda value: _actions(value, count, dropped=True))
    opening = top.get("opening", lambda value: _actions(value, count, dropped=False))
    decisions = tuple(_decision_in(place) for place in top.each("decisions"))
    if len(decisions) != len(actions):
        raise RecordError(
            f"record: decisions: expected {len(actions)}, one an action, found {len(decisions)}"
        )
    return Record(
        id=top.get("id", _text),
        tournament=top.get("tournament", _text_or_none),
        block=top.get("block", _text),
        seating=top.get("seating", _natural),
        game=top.get("game", _text),
        rules_version=top.get("rules_version", _natural),
        setup=top.get("setup", _text),
        opening=tuple((player, action) for player, action in opening if action is not None),
        seed=top.get("seed", _seed_or_none),
        clock=clock,
        players=players,
        actions=actions,
        decisions=decisions,
        scores=top.get("scores", lambda value: _scores(value, count)),
        ranks=top.get("ranks", lambda value: _ranks(value, count)),
        by=top.get("by", _termination),
        faults=tuple(_fault_in(place, count) for place in top.each("faults")),
        arena_version=top.get("arena_version", _text),
        sandbox=top.get("sandbox", _text),
        started=top.get("started", _text),
        elapsed_ms=top.get("elapsed_ms", _natural),
        unplayed=top.default("unplayed", _boolean, False),
        on_timeout=top.default("on_timeout", _on_timeout, "forfeit"),
        ponder=top.default("ponder", _boolean, False),
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
        return _encode(_timeless(_object(text)))
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
    return _encode({**_object(text), "seed": None})


# writing


def _clock_out(clock: Clock) -> dict[str, int]:
    given = {
        "move": clock.move_ms,
        "first": clock.first_ms,
        "main": clock.main_ms,
        "inc": clock.inc_ms or None,
        "margin": clock.margin_ms,
        "start": clock.start_ms,
    }
    return {key: value for key, value in given.items() if value is not None}


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
    return int(score) if -_WHOLE <= score <= _WHOLE and score == int(score) else score


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


# reading: a place knows its name, so that an error can say where it happened


class _Wrong(Exception):
    """A value is not what was expected; ``str(error)`` says what that was."""


class _Place:
    """One object of the record, and how to name it."""

    __slots__ = ("prefix", "value")

    def __init__(self, value: Mapping[str, object], prefix: str = "") -> None:
        self.value = value
        self.prefix = prefix

    def get(self, key: str, read: Callable[[object], T]) -> T:
        if key not in self.value:
            raise RecordError(f"record: {self.prefix}{key}: missing")
        try:
            return read(self.value[key])
        except _Wrong as wrong:
            found = _shown(self.value[key])
            message = f"record: {self.prefix}{key}: expected {wrong}, found {found}"
            raise RecordError(message) from None

    def default(self, key: str, read: Callable[[object], T], absent: T) -> T:
        return self.get(key, read) if key in self.value else absent

    def at(self, key: str) -> _Place:
        return _Place(self.get(key, _mapping), f"{self.prefix}{key}.")

    def each(self, key: str) -> list[_Place]:
        places = []
        for index, item in enumerate(self.get(key, _list)):
            name = f"{self.prefix}{key}[{index}]"
            if not isinstance(item, dict):
                raise RecordError(f"record: {name}: expected an object, found {_shown(item)}")
            places.append(_Place(item, f"{name}."))
        return places


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise RecordError("record: expected a record, found too many brackets") from None
    except ValueError as error:  # not JSON, or a number of thousands of digits
        raise RecordError(f"record: expected one line of JSON: {error}") from None
    if not isinstance(value, dict):
        raise RecordError(f"record: expected an object, found {_shown(value)}")
    return value


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON number")


def _clock_in(place: _Place) -> Clock:
    return Clock(
        move_ms=place.default("move", _natural_or_none, None),
        first_ms=place.default("first", _natural, 0),
        main_ms=place.default("main", _natural_or_none, None),
        inc_ms=place.default("inc", _natural, 0),
        margin_ms=place.default("margin", _natural, Clock().margin_ms),
        start_ms=place.default("start", _natural, Clock().start_ms),
    )


def _player_in(place: _Place, common: Clock) -> Player:
    clock = _clock_in(place.at("clock")) if "clock" in place.value else None
    return Player(
        bot=place.get("bot", _text),
        version=place.get("version", _natural),
        hash=place.get("hash", _text),
        args=place.get("args", _texts),
        seed=place.get("seed", _seed),
        sent=place.get("sent", _text),
        want=place.default("want", _texts, ("obs",)),
        clock=None if clock == common else clock,
        env=place.default("env", _pairs, ()),
        memory_bytes=place.default("memory", _natural, DEFAULT_MEMORY),
        pondered=place.default("pondered", _boolean, False),
    )


def _decision_in(place: _Place) -> Decision:
    return Decision(
        ms=place.get("ms", _number),
        cpu_ms=place.default("cpu_ms", _number_or_none, None),
        charged_ms=place.get("charged_ms", _number),
        late=place.default("late", _boolean, False),
        forced=place.default("forced", _boolean, False),
        info=place.default("info", _info, ()),
    )


def _fault_in(place: _Place, count: int) -> Fault:
    return Fault(
        player=place.get("player", lambda value: _player_index(value, count)),
        code=place.get("code", _termination),
        decision=place.get("decision", _natural),
        detail=place.get("detail", _text),
        stderr=place.default("stderr", _text, ""),
    )


def _actions(value: object, count: int, *, dropped: bool) -> tuple[tuple[int, str | None], ...]:
    expected = f'pairs like [0,"E3"], players 0 to {count - 1}'
    found = []
    for item in _list(value):
        if not isinstance(item, list) or len(item) != 2:
            raise _Wrong(expected)
        player, action = item
        if type(player) is not int or not 0 <= player < count:
            raise _Wrong(expected)
        if not (isinstance(action, str) or (dropped and action is None)):
            raise _Wrong(expected)
        found.append((player, action))
    return tuple(found)


def _scores(value: object, count: int) -> tuple[float, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != count:
        raise _Wrong(f"{count} numbers or null")
    return tuple(_number(item) for item in value)


def _ranks(value: object, count: int) -> tuple[int, ...]:
    ranks = tuple(rank for rank in _list(value) if type(rank) is int and 1 <= rank <= count)
    if len(ranks) != count or ranks != tuple(_list(value)):
        raise _Wrong(f"{count} numbers from 1 to {count}")
    return ranks


def _info(value: object) -> tuple[tuple[str, float | str], ...]:
    pairs: list[tuple[str, float | str]] = []
    for key, item in _mapping(value).items():
        if isinstance(item, str):
            pairs.append((key, item))
        elif type(item) is int:
            pairs.append((key, _integer(item)))
        else:
            pairs.append((key, _number(item)))
    return tuple(pairs)


def _player_index(value: object, count: int) -> int:
    if type(value) is not int or not 0 <= value < count:
        raise _Wrong(f"a player from 0 to {count - 1}")
    return value


def _termination(value: object) -> Termination:
    try:
        return Termination(_text(value))
    except ValueError:
        raise _Wrong(f"one of {', '.join(Termination)}") from None


def _on_timeout(value: object) -> str:
    if value not in ("forfeit", "published"):
        raise _Wrong("forfeit or published")
    return str(value)


def _draw(value: object) -> int:
    if type(value) is not int or not 1 <= value <= DRAW:
        raise _Wrong(f"a whole number from 1 to {DRAW}")
    return value


def _seed(value: object) -> int:
    if not isinstance(value, str) or not _SEED.fullmatch(value):
        raise _Wrong("a decimal number in quotes")
    return int(value)


def _seed_or_none(value: object) -> int | None:
    if value is None:
        return None
    try:
        return _seed(value)
    except _Wrong as wrong:
        raise _Wrong(f"{wrong} or null") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _Wrong("a text")
    return value


def _text_or_none(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise _Wrong("a text or null")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_text(item) for item in _list(value))


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    return tuple((_text(key), _text(text)) for key, text in _mapping(value).items())


def _integer(value: object) -> int:
    if type(value) is not int or not -_WHOLE <= value <= _WHOLE:  # a bool is an int, too
        raise _Wrong("a whole number")
    return value


def _natural(value: object) -> int:
    if type(value) is not int or not 0 <= value <= _WHOLE:
        raise _Wrong("a whole number from 0")
    return value


def _natural_or_none(value: object) -> int | None:
    return None if value is None else _natural(value)


def _number(value: object) -> float:
    if type(value) is int and -_WHOLE <= value <= _WHOLE:
        return float(value)
    if type(value) is float and math.isfinite(value):  # 1e999 is read as infinity
        return value
    raise _Wrong("a number")


def _number_or_none(value: object) -> float | None:
    return None if value is None else _number(value)


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("true or false")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise _Wrong("a list")
    return value


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _Wrong("an object")
    return value


def _shown(value: object) -> str:
    """Name a value for an error: in ASCII, on one line, short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    text = json.dumps(value) if not isinstance(value, int) or abs(value) < _WHOLE else "a number"
    return text if len(text) <= 60 else text[:59] + "…"
