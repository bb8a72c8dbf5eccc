"""A finished match as text: ``Record`` ↔ one line of JSON, format 1.

The text is described in docs/reference/record.md. Reading it trusts nothing: whatever is not a
record is a ``RecordError`` that names the place and what was expected there.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import TypeVar

from arena.match.info import info_text
from arena.values.arguments import require
from arena.values.costs import COSTS, NO_COSTS, Costs, all_of
from arena.values.errors import RecordError
from arena.values.model import (
    CLOCK_KEYS,
    DEFAULT_MEMORY,
    Clock,
    Decision,
    Fault,
    Player,
    Record,
    Termination,
)
from arena.values.origins import ASK, FUNCTION, PERSON
from arena.values.words import HASH

FORMAT = 1

_WHOLE = 1 << 53  # up to here every whole float is that integer
_SEED = re.compile(r"-?(?:0|[1-9][0-9]{0,38})")
_FAULT_KEYS = ("player", "code", "decision", "detail", "stderr")
# json.dumps would build an encoder each time; no value holds itself, and to look for that takes a
# third of the time
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode
T = TypeVar("T")
Read = Callable[[object], T]
"""Returns what a value of JSON means; raises ``_Wrong``."""


def format_record(record: Record) -> str:
    """Write a record as one line of ASCII JSON, without a line feed.

    Times are rounded to 1 microsecond and whole scores written as integers. A player's clock is
    written only where it differs from the match's, ``costs``, ``on_timeout``,
    ``ponder`` and ``host`` only where they are not what a record without them has.
    """
    require(record, Record, "record", "a Record")
    r = record
    head: dict[str, object] = {
        "format": FORMAT,
        "id": r.id,
        "tournament": r.tournament,
        "block": r.block,
        "seating": r.seating,
        "game": r.game,
        "rules_version": r.rules_version,
        "setup": r.setup,
        "opening": r.opening,
        "seed": None if r.seed is None else str(r.seed),
        "clock": _limits(r.clock),
    }
    if r.on_timeout != "forfeit":
        head["on_timeout"] = r.on_timeout
    if r.ponder:
        head["ponder"] = True
    head["players"] = [_player_values(player, r.clock) for player in r.players]
    head["actions"] = r.actions
    tail = {
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
    decisions = ",".join([_decision_text(decision) for decision in r.decisions])
    return f'{_encode(head)[:-1]},"decisions":[{decisions}],{_encode(tail)[1:]}'


def parse_record(text: str) -> Record:
    """Read what ``format_record`` wrote, by this version or an older one; unknown keys are ignored.

    Raises:
        RecordError: the text is no record of format 1; the message names the key.
    """
    require(text, str, "text", "a text")
    top = _JsonObject(_loaded(text), "")
    found = top.get("format", _integer)
    if found != FORMAT:
        raise RecordError(f"record: format: expected {FORMAT}, found {found}")
    clock = _clock_in(top.at("clock"))
    players = tuple(_player_in(place, clock) for place in top.each("players"))
    if not players:
        raise RecordError("record: players: expected at least one")
    count = len(players)
    player = _kind(int, f"a player from 0 to {count - 1}", lambda number: 0 <= number < count)
    rank = _kind(int, f"{count} numbers from 1 to {count}", lambda number: 1 <= number <= count)
    pairs = f'pairs like [0,"E3"], players 0 to {count - 1}'
    actions = top.get("actions", _acts(player, _or_none(_text), pairs))
    decisions = tuple(_decision_in(place) for place in top.each("decisions"))
    if len(decisions) != len(actions):
        raise RecordError(
            f"record: decisions: expected {len(actions)}, one an action, found {len(decisions)}"
        )
    return Record(
        id=top.get("id", _text),
        tournament=top.get("tournament", _or_none(_text)),
        block=top.get("block", _text),
        seating=top.get("seating", _natural),
        game=top.get("game", _text),
        rules_version=top.get("rules_version", _natural),
        setup=top.get("setup", _text),
        opening=top.get("opening", _acts(player, _text, pairs)),
        seed=top.get("seed", _or_none(_seed)),
        clock=clock,
        players=players,
        actions=actions,
        decisions=decisions,
        scores=top.get("scores", _or_none(_exactly(count, _number, f"{count} numbers"))),
        ranks=top.get("ranks", _exactly(count, rank, f"{count} numbers from 1 to {count}")),
        by=top.get("by", _termination),
        faults=tuple(_fault_in(place, player) for place in top.each("faults")),
        arena_version=top.get("arena_version", _text),
        sandbox=top.get("sandbox", _text),
        started=top.get("started", _text),
        elapsed_ms=top.get("elapsed_ms", _natural),
        on_timeout=top.default("on_timeout", _on_timeout, "forfeit"),
        ponder=top.default("ponder", _boolean, False),
        host=top.default("host", _text, ""),
    )


def without_seed(text: str) -> str:
    """Return a record's text with ``null`` in place of the deal's seed; the bots' own stay.

    >>> without_seed('{"id":"ab","seed":"5","players":[{"seed":"7"}]}')
    '{"id":"ab","seed":null,"players":[{"seed":"7"}]}'

    Raises:
        RecordError: the text is not one JSON object.
    """
    return _encode({**_loaded(text), "seed": None})


# reading


class _Wrong(Exception):
    """A value is not what was expected; ``str(error)`` says what that was."""


def _kind(kind: type[T], expected: str, fits: Callable[[T], object] | None = None) -> Read[T]:
    """Return a reader of values that are exactly of a kind, and fit."""

    def read(value: object) -> T:
        # not isinstance: a bool is an int, too
        if type(value) is not kind or not (fits is None or fits(value)):
            raise _Wrong(expected)
        return value

    return read


def _or_none(read: Read[T]) -> Read[T | None]:
    def read_unless_none(value: object) -> T | None:
        try:
            return None if value is None else read(value)
        except _Wrong as wrong:
            raise _Wrong(f"{wrong} or null") from None

    return read_unless_none


def _each(read: Read[T]) -> Read[tuple[T, ...]]:
    return lambda value: tuple(read(item) for item in _list(value))


def _items(read: Read[T]) -> Read[tuple[tuple[str, T], ...]]:
    return lambda value: tuple((key, read(item)) for key, item in _object(value).items())


_text = _kind(str, "a text")
_boolean = _kind(bool, "true or false")
_list = _kind(list, "a list")
_object = _kind(dict, "an object")
_integer = _kind(int, "a whole number", lambda n: -_WHOLE <= n <= _WHOLE)
_natural = _kind(int, "a whole number from 0", lambda n: 0 <= n <= _WHOLE)
_on_timeout = _kind(str, "forfeit or published", {"forfeit", "published"}.__contains__)
_level = _kind(str, "person, function or ask", {PERSON, FUNCTION, ASK}.__contains__)
_code = _kind(str, f"one of {', '.join(Termination)}", frozenset(Termination).__contains__)
_hash = _kind(str, "a hash like sha256:<64 hex>", HASH.fullmatch)
_digits = _kind(str, "a decimal number in quotes", _SEED.fullmatch)


def _termination(value: object) -> Termination:
    return Termination(_code(value))


def _seed(value: object) -> int:
    return int(_digits(value))


def _number(value: object) -> float:
    if type(value) is float and math.isfinite(value):  # 1e999 is read as infinity
        return value
    try:
        return float(_integer(value))
    except _Wrong:
        raise _Wrong("a number") from None


def _said(value: object) -> float | str:
    """Read a value that a bot gave by ``info``; a whole number stays one."""
    if isinstance(value, str):
        return value
    return _integer(value) if type(value) is int else _number(value)


def _sum(value: object) -> float:
    if (found := _number(value)) < 0:
        raise _Wrong("a number from 0")
    return found


def _acts(player: Read[int], action: Read[T], expected: str) -> Read[tuple[tuple[int, T], ...]]:
    """Return a reader of pairs like ``[0,"E3"]``."""

    def read(value: object) -> tuple[tuple[int, T], ...]:
        try:
            return tuple((player(who), action(what)) for who, what in map(_list, _list(value)))
        except (_Wrong, ValueError):  # ValueError: not two of them
            raise _Wrong(expected) from None

    return read


def _exactly(count: int, read: Read[T], expected: str) -> Read[tuple[T, ...]]:
    def read_all(value: object) -> tuple[T, ...]:
        try:
            items = _each(read)(value)
        except _Wrong:
            raise _Wrong(expected) from None
        if len(items) != count:
            raise _Wrong(expected)
        return items

    return read_all


_texts = _each(_text)
_number_or_none = _or_none(_number)
_info = _items(_said)


class _JsonObject:
    """One object of the record, and its name, so that an error can say where it happened."""

    __slots__ = ("prefix", "value")

    def __init__(self, value: object, name: str) -> None:
        if not isinstance(value, dict):
            raise RecordError(f"record: {name}: expected an object, found {_shown(value)}")
        self.value = value
        self.prefix = f"{name}." if name else ""

    def get(self, key: str, read: Read[T]) -> T:
        if key not in self.value:
            raise RecordError(f"record: {self.prefix}{key}: missing")
        try:
            return read(self.value[key])
        except _Wrong as wrong:
            found = _shown(self.value[key])
            message = f"record: {self.prefix}{key}: expected {wrong}, found {found}"
            raise RecordError(message) from None

    def default(self, key: str, read: Read[T], absent: T) -> T:
        return self.get(key, read) if key in self.value else absent

    def at(self, key: str) -> _JsonObject:
        return _JsonObject(self.get(key, _object), f"{self.prefix}{key}")

    def each(self, key: str) -> list[_JsonObject]:
        found = enumerate(self.get(key, _list))
        return [_JsonObject(item, f"{self.prefix}{key}[{index}]") for index, item in found]


def _loaded(text: str) -> dict[str, object]:
    """Return the object that a text is; raises ``RecordError``."""
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


def _clock_in(place: _JsonObject) -> Clock:
    keys = [key for key in CLOCK_KEYS if key in place.value]
    if place.value.get("move") is None:  # as some records say that there is no limit a move
        keys = [key for key in keys if key != "move"]
    return Clock(move_ms=None, first_ms=0).but({key: place.get(key, _natural) for key in keys})


def _player_in(place: _JsonObject, common: Clock) -> Player:
    clock = _clock_in(place.at("clock")) if "clock" in place.value else common
    return Player(
        bot=place.get("bot", _text),
        version=place.get("version", _natural),
        hash=place.get("hash", _text),
        args=place.get("args", _texts),
        seed=place.get("seed", _seed),
        sent=place.get("sent", _text),
        want=place.default("want", _texts, ("obs",)),
        clock=None if clock == common else clock,
        env=place.default("env", _items(_text), ()),
        memory_bytes=place.default("memory", _natural, DEFAULT_MEMORY),
        pondered=place.default("pondered", _boolean, False),
        info_dropped=place.default("info_dropped", _natural, 0),
        packages=place.default("environment", _hash, ""),
        sandbox=place.default("sandbox", _level, ""),
        costs=_costs_in(place.at("costs")) if "costs" in place.value else NO_COSTS,
    )


def _costs_in(place: _JsonObject) -> Costs:
    sums = [place.default(key, _sum, 0.0) for key in COSTS]
    return all_of([Costs._make([*sums, place.default("ignored", _natural, 0)]), NO_COSTS])


def _decision_in(place: _JsonObject) -> Decision:
    return Decision(
        ms=place.get("ms", _number),
        cpu_ms=place.default("cpu_ms", _number_or_none, None),
        charged_ms=place.get("charged_ms", _number),
        late=place.default("late", _boolean, False),
        forced=place.default("forced", _boolean, False),
        info=place.default("info", _info, ()),
        tries=place.default("tries", _natural, 0),
    )


def _fault_in(place: _JsonObject, player: Read[int]) -> Fault:
    return Fault(
        player=place.get("player", player),
        code=place.get("code", _termination),
        decision=place.get("decision", _natural),
        detail=place.get("detail", _text),
        stderr=place.default("stderr", _text, ""),
    )


def _shown(value: object) -> str:
    """Name a value for an error: in ASCII, on one line, short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    text = json.dumps(value) if not isinstance(value, int) or abs(value) < _WHOLE else "a number"
    return text if len(text) <= 60 else text[:59] + "…"


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
    if player.pondered:
        values["pondered"] = True
    if player.info_dropped:
        values["info_dropped"] = player.info_dropped
    if player.packages:
        values["environment"] = player.packages
    if player.sandbox:
        values["sandbox"] = player.sandbox
    if player.costs.there:
        values["costs"] = player.costs.there
    return values


def _limits(clock: Clock) -> dict[str, int]:
    limits = clock.limits().items()
    return {key: ms for key, ms in limits if ms is not None and (ms or key != "inc")}


def _decision_text(decision: Decision) -> str:
    """Write how an answer came about, times to 1 microsecond."""
    ms, cpu_ms, charged_ms, late, forced, info, tries = decision
    wall = f"{ms:.3f}"
    cpu = "null" if cpu_ms is None else f"{cpu_ms:.3f}"
    charged = wall if charged_ms == ms else f"{charged_ms:.3f}"
    more = ',"forced":true' if forced else ""
    if tries:
        more += f',"tries":{tries}'
    if info:
        more += info_text(info)
    was_late = "true" if late else "false"
    return f'{{"ms":{wall},"cpu_ms":{cpu},"charged_ms":{charged},"late":{was_late}{more}}}'


def _whole(score: float) -> float:
    return int(score) if -_WHOLE <= score <= _WHOLE and score == int(score) else score
