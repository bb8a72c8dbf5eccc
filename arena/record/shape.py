"""What the text of a record may hold, as a check by pydantic's core: the keys and types of values.

``record.py`` imports this where a record is read, as that takes 20 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from inspect import signature
from typing import Any, get_type_hints

from pydantic_core import SchemaValidator, ValidationError
from pydantic_core import core_schema as core

from arena.record.line import FORMAT, WHOLE, shown
from arena.values.costs import COSTS, NO_COSTS, Costs, all_of
from arena.values.errors import RecordError
from arena.values.model import CLOCK_KEYS, Clock, Decision, Fault, Player, Record, Termination
from arena.values.origins import ASK, FUNCTION, PERSON
from arena.values.words import HASH

Check = core.CoreSchema
_KEYS = {"memory_bytes": "memory", "packages": "environment"}  # where they are no fields' names
_MEANT = {"dict_type": "an object", "tuple_type": "a list", "too_short": "at least one"}


def record_of(top: Mapping[str, Any]) -> Record:
    """Return the record that an object of JSON is.

    Raises:
        RecordError: a key is missing, or has another value than it may have; the first of them.
    """
    players, found = top.get("players"), top.get("format")
    if type(found) is not int or found != FORMAT:
        raise RecordError(f"record: format: expected {FORMAT}, found {shown(found)}")
    check = _record(len(players) if isinstance(players, list) and players else 1)
    try:
        record: Record = check.validate_python(top)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False)[0]
        path = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in wrong["loc"])[1:]
        if wrong["type"] == "missing":
            raise RecordError(f"record: {path}: missing") from None
        expected = _MEANT.get(wrong["type"], wrong["msg"])
        message = f"record: {path}: expected {expected}, found {shown(wrong['input'])}"
        raise RecordError(message) from None
    actions, decisions = len(record.actions), len(record.decisions)
    if decisions != actions:
        raise RecordError(
            f"record: decisions: expected {actions}, one an action, found {decisions}"
        )
    own = [None if one.clock == record.clock else one.clock for one in record.players]
    pairs = zip(record.players, own, strict=True)
    return replace(record, players=tuple([replace(one, clock=clock) for one, clock in pairs]))


def _meant(expected: str, check: Check) -> Check:
    """Return a check whose errors say what was expected."""
    return core.custom_error_schema(check, "expected", custom_error_message=expected)


def _or_none(expected: str, check: Check) -> Check:
    return _meant(f"{expected} or null", core.nullable_schema(check))


def _each(check: Check, least: int = 0, most: int | None = None) -> Check:
    return core.tuple_schema(
        [check], variadic_item_index=0, min_length=least, max_length=most, fail_fast=True
    )


def _after(make: Callable[[Any], object], check: Check) -> Check:
    return core.no_info_after_validator_function(make, check)


def _items(values: Check) -> Check:
    return _after(lambda found: tuple(found.items()), core.dict_schema(values_schema=values))


def _whole(least: int, most: int) -> Check:
    return core.int_schema(ge=least, le=most, strict=True)


def _one_of(*words: str) -> Check:
    return _meant(f"one of {', '.join(words)}", core.literal_schema([*words]))


_TEXT = core.str_schema(strict=True)
# of an integer beyond that range a float would say something else
_INTEGER = _whole(-WHOLE, WHOLE)
_FLOAT = core.chain_schema(
    [core.is_instance_schema(float), core.float_schema(allow_inf_nan=False, strict=True)]
)
_NUMBER = core.union_schema([_FLOAT, _after(float, _INTEGER)], mode="left_to_right")
_SAID = core.union_schema([_TEXT, _INTEGER, _FLOAT], mode="left_to_right")
_SEED = _after(int, core.str_schema(pattern="^-?(?:0|[1-9][0-9]{0,38})$", strict=True))
_OF_SEED, _OF_NATURAL = "a decimal number in quotes", "a whole number from 0"
_natural = _meant(_OF_NATURAL, _whole(0, WHOLE))
_clock = _after(
    lambda found: Clock(move_ms=None, first_ms=0).but(found),
    core.typed_dict_schema(
        {
            # some records say by null that there is no limit a move
            key: core.typed_dict_field(
                _or_none(_OF_NATURAL, _whole(0, WHOLE)) if key == "move" else _natural,
                required=False,
            )
            for key in CLOCK_KEYS
        }
    ),
)
_BY_TYPE: dict[object, Check] = {
    str: _meant("a text", _TEXT),
    str | None: _or_none("a text", _TEXT),
    int: _natural,
    bool: _meant("true or false", core.bool_schema(strict=True)),
    float: _meant("a number", _NUMBER),
    float | None: _or_none("a number", _NUMBER),
    tuple[str, ...]: _meant("a list of texts", _each(_TEXT)),
    tuple[tuple[str, str], ...]: _meant("an object of texts", _items(_TEXT)),
    tuple[tuple[str, float | str], ...]: _meant("an object of values", _items(_SAID)),
    Clock: _clock,
    Clock | None: _clock,
    Termination: _after(Termination, _one_of(*Termination)),
}


def _made(
    make: Callable[..., object], own: Mapping[str, Check], needed: tuple[str, ...] = ()
) -> Check:
    """Return a check of an object with the keys and types of what is made of it.

    Other keys are ignored.

    Args:
        make: makes it; what has a default may be left out.
        own: checks of fields that have one of their own.
        needed: what may not be left out all the same.
    """
    types = get_type_hints(make)
    fields = {
        name: core.typed_dict_field(
            own.get(name) or _BY_TYPE[types[name]],
            required=field.default is field.empty or name in needed,
            validation_alias=_KEYS.get(name, name),
        )
        for name, field in signature(make).parameters.items()
        if name in own or types[name] in _BY_TYPE
    }
    return _after(lambda found: make(**found), core.typed_dict_schema(fields))


_sum = _meant("a number from 0", core.chain_schema([_NUMBER, core.float_schema(ge=0)]))
_costs = _made(Costs, dict.fromkeys(COSTS, _sum))
_hash = core.str_schema(pattern=f"^{HASH.pattern}$", strict=True)
_player = _made(
    Player,
    {
        "seed": _meant(_OF_SEED, _SEED),
        "packages": _meant("a hash like sha256:<64 hex>", _hash),
        "sandbox": _one_of(PERSON, FUNCTION, ASK),
        "costs": _after(lambda costs: all_of([costs, NO_COSTS]), _costs),
    },
)
_decision = _made(Decision, {}, ("ms", "charged_ms"))


@lru_cache(maxsize=8)
def _record(count: int) -> SchemaValidator:
    """Return what checks a record of so many players."""
    player = _meant(f"a player from 0 to {count - 1}", _whole(0, count - 1))
    ranks = f"{count} numbers from 1 to {count}"

    def acts(action: Check) -> Check:
        pairs = f'pairs like [0,"E3"], players 0 to {count - 1}'
        return _meant(pairs, _each(core.tuple_schema([player, action])))

    own = {
        "opening": acts(_TEXT),
        "seed": _or_none(_OF_SEED, _SEED),
        "players": _each(_player, 1),
        "actions": acts(core.nullable_schema(_TEXT)),
        "decisions": _each(_decision),
        "scores": _or_none(f"{count} numbers", _each(_NUMBER, count, count)),
        "ranks": _meant(ranks, _each(_whole(1, count), count, count)),
        "faults": _each(_made(Fault, {"player": player})),
        "on_timeout": _one_of("forfeit", "published"),
    }
    return SchemaValidator(_made(Record, own))
