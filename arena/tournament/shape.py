"""What a tournament file may hold, key by key: types, ranges and words, for pydantic to check.

The tables mirror the file: what each value is by itself. What concerns several keys at once is
checked in ``several_keys``; ``Tournament`` says what is usual where a key is left out. The checks
are made of pydantic's core alone: its classes take 60 ms to import, a fifth of a short run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from pydantic_core import PydanticCustomError, SchemaValidator
from pydantic_core import core_schema as core

from arena.schedule.formats import find_format
from arena.tournament.clocks import parse_limit
from arena.tournament.names import check_entrant_name, check_reference, check_tournament_name
from arena.tournament.problems import KeyPath, shown
from arena.tournament.supported import MAX_CHANCE, MAX_ELO, MAX_PLIES, MIN_CHANCE, check_sandbox
from arena.tournament.text_files import names_near
from arena.tournament.units import DURATION, SIZE, parse_memory
from arena.tournament.written import SECRET
from arena.values.arguments import MOST_ELO
from arena.values.costs import COSTS
from arena.values.errors import ArenaError, UsageError
from arena.values.model import CLOCK_KEYS
from arena.values.words import SECRET_NAME
from engines import EngineError, load_game

Check: TypeAlias = core.CoreSchema

MAX_NUMBER = 10**12
MAX_SEED = 2**128 - 1
MAX_WORKERS = 4096
MAX_GAMES = 1000
MOST_TRIES = 100
MAX_HINTS = 10  # missing files whose nearest name is reported
MIN_SIGMA, MAX_SIGMA = 0.01, 8.0  # a beginner has 25/3
MIN_COST, MAX_COST = 1e-6, 1e15


def _read_by(read: Callable[[str], object], expected: str) -> Check:
    """Return a check for texts that ``read`` reads, or refuses with an error of ours."""

    def validate(value: object) -> object:
        if not isinstance(value, str):
            raise PydanticCustomError("expected", "{text}", {"text": f"expected {expected}"})
        try:
            return read(value)
        except (ArenaError, EngineError) as error:
            raise PydanticCustomError("wrong", "{text}", {"text": str(error)}) from None

    return core.no_info_plain_validator_function(validate, json_schema_input_schema=_TEXT)


def _first(change: Callable[[Any], object], check: Check, written: Check) -> Check:
    """Return a check of what ``change`` makes of a value, which is ``written`` in another way."""
    either = core.union_schema([written, check])
    return core.no_info_before_validator_function(change, check, json_schema_input_schema=either)


def _or_none(check: Check) -> Check:
    """Return a check that takes the word by which the documentation names the default."""
    word = core.literal_schema(["none"])
    check = core.nullable_schema(check)
    return _first(lambda value: None if value == "none" else value, check, word)


def _whole(least: int, most: int) -> Check:
    return core.int_schema(ge=least, le=most, strict=True)


def _real(least: float, most: float) -> Check:
    return core.float_schema(ge=least, le=most, allow_inf_nan=False, strict=True)


def _list(item: Check, most: int | None = None) -> Check:
    return core.list_schema(item, max_length=most, strict=True)


def _mapping(keys: Mapping[str, Check], *needed: str) -> Check:
    """Return a check of a mapping, of which only the keys that it has are read."""
    fields = {
        key: core.typed_dict_field(check, required=key in needed) for key, check in keys.items()
    }
    return core.typed_dict_schema(fields, extra_behavior="forbid", strict=True)


def _secret_is_none(value: object) -> object:
    """Take the word for a seed that is drawn later."""
    if value == SECRET:
        return None
    if type(value) is not int:
        raise PydanticCustomError("expected", "expected a whole number or secret")
    return value


def _name_is_bot(value: object) -> object:
    """Take a bot's name, or its path, for the mapping that has no other key."""
    return {"run" if "/" in value else "bot": value} if isinstance(value, str) else value


def _all_is_a_pattern(value: object) -> object:
    """Take ``all``, alone or in a list, for the one pattern that every submitted bot fits."""
    items = [value] if value in ("all", "*") else value
    if not isinstance(items, list):
        return value
    return ["*" if item == "all" else item for item in items]


def _whole_games(value: object) -> object:
    """Refuse a list of games in which YAML took the comma between two parameters for the list's."""
    if not isinstance(value, list):
        return value
    texts = [text if isinstance(text, str) else "" for text in value]
    for number, text in enumerate(texts):
        if "(" in text and ")" not in text:
            end = next((n for n in range(number, len(texts)) if ")" in texts[n]), number)
            whole = ",".join(word.strip() for word in texts[number : end + 1])
            message = f'a comma ends "{shown(text)}" here; quote it: "{shown(whole)}"'
            raise PydanticCustomError("wrong", "{text}", {"text": message})
    return value


def _existing(value: object, info: core.ValidationInfo) -> str:
    """Return a path as it is if it exists, seen from the file's folder."""
    if not isinstance(value, str) or not value:
        raise PydanticCustomError("expected", "expected the path of a file or folder")
    assert info.context is not None, "the file's folder comes as the context"
    folder: Path | None = info.context["folder"]
    if folder is None:
        return value
    path = folder.absolute() / value
    if not os.path.exists(path):
        # looking for a near name takes time
        first = info.context["missing"] = info.context.get("missing", 0) + 1
        near = names_near(path) if first <= MAX_HINTS else ""
        hint = near or f"; looked for {shown(str(path))}"
        text = f'there is no "{shown(value)}"{hint}'
        raise PydanticCustomError("wrong", "{text}", {"text": text})
    return value


def _variable(text: str) -> str:
    if not text or "=" in text:
        raise UsageError(f'expected the name of a variable, without "=", found "{text}"')
    return text


def _secret(text: str) -> str:
    if not SECRET_NAME.fullmatch(text):
        raise UsageError(f'expected a variable like OPENAI_API_KEY, found "{shown(text)}"')
    return text


_TEXT = core.str_schema(strict=True)
_FLAG = core.bool_schema(strict=True)
_FILE = core.with_info_plain_validator_function(_existing, json_schema_input_schema=_TEXT)
_COUNT, _SEED = _whole(1, MAX_NUMBER), _whole(0, MAX_SEED)
_ELO, _CHANCE = _real(-MAX_ELO, MAX_ELO), _real(MIN_CHANCE, MAX_CHANCE)
_MEMORY = _read_by(parse_memory, SIZE)
_GAME = _read_by(lambda text: str(load_game(text)), 'a game, like leaves or "leaves(tree=plus)"')
_OPTIONAL = core.nullable_schema

# durations, which are read as milliseconds
_CLOCK = {key: _read_by(partial(parse_limit, key), DURATION) for key in CLOCK_KEYS}

# one of the two is given
_OPENING = {"plies": _OPTIONAL(_whole(0, MAX_PLIES)), "file": _OPTIONAL(_FILE)}

# which numbers go together is checked in ``several_keys``
_SPRT = {"elo0": _ELO, "elo1": _ELO, "alpha": _CHANCE, "beta": _CHANCE}

# the sums of what bots report that their answers cost
_COSTS = dict.fromkeys(COSTS, _real(MIN_COST, MAX_COST))

# one of the four is given
_STOP = {
    "matches": _OPTIONAL(_COUNT),
    "sigma": _OPTIONAL(_real(MIN_SIGMA, MAX_SIGMA)),
    "sprt": _OPTIONAL(_mapping(_SPRT)),
    "info": _OPTIONAL(_mapping(_COSTS)),
}

# one of ``run``, ``ask`` and ``bot`` is given
_BOT = {
    "name": _OPTIONAL(_read_by(check_entrant_name, "a name")),
    "run": _OPTIONAL(_FILE),
    "ask": _OPTIONAL(_FILE),
    "bot": _OPTIONAL(_read_by(check_reference, "a bot's name")),
    "args": _list(_TEXT),
    "env": core.dict_schema(_read_by(_variable, "a variable's name"), _TEXT, strict=True),
    "clock": _mapping(_CLOCK),
    "memory": _OPTIONAL(_MEMORY),
    "most": _OPTIONAL(_mapping(_COSTS)),
    "secrets": _OPTIONAL(_list(_read_by(_secret, "a variable's name"))),
    "at_once": _OPTIONAL(_COUNT),
}
_LINE = _first(_name_is_bot, _mapping(_BOT), _TEXT)

# by Python a name may hold what one in a file cannot, a bot may be the version of a function, and
# setups need no file
_OF_PYTHON = {**_BOT, "name": _OPTIONAL(_TEXT), "function": _OPTIONAL(_TEXT)}
_LINE_OF_PYTHON = _first(_name_is_bot, _mapping(_OF_PYTHON), _TEXT)

# the whole file; one of ``game`` and ``games`` is given
_TOURNAMENT = {
    "name": _read_by(check_tournament_name, "a name"),
    "game": _OPTIONAL(_GAME),
    "games": core.no_info_before_validator_function(
        _whole_games, _OPTIONAL(_list(_GAME, MAX_GAMES)), json_schema_input_schema=_list(_TEXT)
    ),
    "format": _read_by(lambda text: find_format(text).name, "a format"),
    "rounds": _COUNT,
    "seed": _first(_secret_is_none, _OPTIONAL(_SEED), core.literal_schema([SECRET])),
    "bots": _first(_all_is_a_pattern, _list(_LINE), core.literal_schema(["all"])),
    "clock": _mapping(_CLOCK),
    "opening": _or_none(_mapping(_OPENING)),
    "memory": _MEMORY,
    "bot_size": _MEMORY,
    "workers": _OPTIONAL(_whole(1, MAX_WORKERS)),
    "processes": core.literal_schema(["fresh", "reuse"]),
    "on_timeout": core.literal_schema(["forfeit", "published"]),
    "rethink": _whole(0, MOST_TRIES),
    "unable_for": _read_by(partial(parse_limit, "unable_for"), DURATION),
    "ponder": _FLAG,
    "pin": _FLAG,
    "sandbox": _read_by(check_sandbox, "a level"),
    "max_faults": _COUNT,
    "faults": core.literal_schema(["startup", "any"]),
    "max_decisions": _or_none(_COUNT),
    "durability": core.literal_schema(["normal", "full"]),
    "stop": _or_none(_mapping(_STOP)),
    "challengers": _COUNT,
    "blocks": _COUNT,
    "batch": _OPTIONAL(_COUNT),
    "seeding": _OPTIONAL(_TEXT),
    "without": _or_none(_list(_TEXT)),
    "apart": _or_none(
        core.union_schema(
            [core.literal_schema(["group"]), _list(_list(_TEXT))],
            custom_error_type="expected",
            custom_error_message="expected group or lists of names",
        )
    ),
    "anchor": _or_none(
        core.dict_schema(_TEXT, _real(-MOST_ELO, MOST_ELO), min_length=1, max_length=1, strict=True)
    ),
}

# the keys of each mapping, by the path that leads to it, numbers of items left out
SHAPES: Mapping[KeyPath, Mapping[str, Check]] = {
    (): _TOURNAMENT,
    ("clock",): _CLOCK,
    ("opening",): _OPENING,
    ("stop",): _STOP,
    ("stop", "sprt"): _SPRT,
    ("stop", "info"): _COSTS,
    ("bots",): _BOT,
    ("bots", "clock"): _CLOCK,
    ("bots", "most"): _COSTS,
}

NEEDED = {"name": "the tournament's name", "bots": "the list of bots"}
WHOLE = _mapping(_TOURNAMENT, *NEEDED)
OF_FILE = SchemaValidator(_mapping(_TOURNAMENT))
OF_PYTHON = SchemaValidator(
    _mapping(
        {
            **_TOURNAMENT,
            "bots": _first(_all_is_a_pattern, _list(_LINE_OF_PYTHON), _TEXT),
            "opening": _or_none(_mapping({**_OPENING, "setups": _list(_TEXT)})),
        }
    )
)
