"""What a tournament file may hold, key by key: types, ranges and words, for pydantic to check.

The classes mirror the file, and nothing of them leaves the room. What concerns several keys at once
is checked in ``together``. Importing this module costs some 90 ms, so it is done when a file is
read.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from arena.errors import ArenaError, UsageError
from arena.schedule.formats import find_format
from arena.tournament.clocks import parse_limit
from arena.tournament.files import names_near
from arena.tournament.names import check_entrant_name, check_reference, check_tournament_name
from arena.tournament.problems import shown
from arena.tournament.supported import MAX_CHANCE, MAX_ELO, MAX_PLIES, MIN_CHANCE, check_sandbox
from arena.tournament.units import DURATION, SIZE, format_size, parse_memory
from engines import EngineError, load_game

__all__ = [
    "BotShape",
    "ClockShape",
    "OpeningShape",
    "SprtShape",
    "StopShape",
    "TournamentShape",
    "file_schema",
]

T = TypeVar("T")

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MAX_NUMBER = 10**12
MAX_SEED = 2**128 - 1
SECRET = "secret"  # the word for a seed that is drawn when the tournament starts
MAX_WORKERS = 4096
MAX_GAMES = 1000
MAX_HINTS = 10  # missing files whose nearest name is told
MIN_SIGMA, MAX_SIGMA = 0.01, 8.0  # a beginner has 25/3


def _read_by(read: Callable[[str], T], expected: str) -> BeforeValidator:
    """Return a check for texts that ``read`` reads, or refuses with an error of ours."""

    def validate(value: object) -> T:
        if not isinstance(value, str):
            raise PydanticCustomError("expected", "{text}", {"text": f"expected {expected}"})
        try:
            return read(value)
        except (ArenaError, EngineError) as error:
            raise PydanticCustomError("wrong", "{text}", {"text": str(error)}) from None

    return BeforeValidator(validate, json_schema_input_type=str)


def _or_none(kind: Any) -> BeforeValidator:
    """Return a check that takes the word by which the documentation names the default."""
    return BeforeValidator(
        lambda value: None if value == "none" else value,
        json_schema_input_type=Literal["none"] | kind | None,
    )


def _secret_is_none(value: object) -> object:
    """Take the word for a seed that nobody knows yet."""
    if value == SECRET:
        return None
    if type(value) is not int:
        raise PydanticCustomError("expected", "expected a whole number or secret")
    return value


def _name_is_bot(value: object) -> object:
    """Take a bot's name for the mapping that has no other key."""
    return {"bot": value} if isinstance(value, str) else value


def _all_is_a_pattern(value: object) -> object:
    """Take ``all`` for the list with the one pattern that every submitted bot fits."""
    return [{"name": "all", "bot": "*"}] if value == "all" else value


def _format(text: str) -> str:
    return find_format(text).name


def _game(text: str) -> str:
    return str(load_game(text))


def _whole_games(value: object) -> object:
    """Refuse a list of games in which YAML took the comma between two parameters for the list's."""
    if not isinstance(value, list):
        return value
    texts = [text if isinstance(text, str) else "" for text in value]
    for number, text in enumerate(texts):
        if "(" in text and ")" not in text:
            end = next((n for n in range(number, len(texts)) if ")" in texts[n]), number)
            whole = ",".join(word.strip() for word in texts[number : end + 1])
            told = f'a comma ends "{shown(text)}" here; quote it: "{shown(whole)}"'
            raise PydanticCustomError("wrong", "{text}", {"text": told})
    return value


def _existing(value: object, info: ValidationInfo) -> str:
    """Return a path as it is if it exists, seen from the file's folder."""
    if not isinstance(value, str) or not value:
        raise PydanticCustomError("expected", "expected the path of a file or folder")
    assert info.context is not None, "the file's folder comes as the context"
    folder: Path = info.context["folder"]
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


def _limit(key: str) -> BeforeValidator:
    return _read_by(partial(parse_limit, key), DURATION)


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


Count = Annotated[int, Field(ge=1, le=MAX_NUMBER)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Elo = Annotated[float, Field(ge=-MAX_ELO, le=MAX_ELO, allow_inf_nan=False)]
Chance = Annotated[float, Field(ge=MIN_CHANCE, le=MAX_CHANCE, allow_inf_nan=False)]
File = Annotated[str, BeforeValidator(_existing, json_schema_input_type=str)]
Memory = Annotated[int, _read_by(parse_memory, SIZE)]
GameName = Annotated[str, _read_by(_game, 'a game, like leaves or "leaves(tree=plus)"')]
Variable = Annotated[str, _read_by(_variable, "a variable's name")]


class ClockShape(_Shape):
    """``clock``: durations, which are read as milliseconds."""

    move: Annotated[int | None, _limit("move")] = None
    first: Annotated[int | None, _limit("first")] = None
    main: Annotated[int | None, _limit("main")] = None
    inc: Annotated[int | None, _limit("inc")] = None
    margin: Annotated[int | None, _limit("margin")] = None
    start: Annotated[int | None, _limit("start")] = None

    def given(self) -> dict[str, int]:
        """Return the keys that are given, with their milliseconds."""
        return {key: value for key, value in self if value is not None}


class OpeningShape(_Shape):
    """``opening``; one of the two is given."""

    plies: Annotated[int, Field(ge=0, le=MAX_PLIES)] | None = None
    file: File | None = None


class SprtShape(_Shape):
    """``stop: {sprt: …}``; which numbers go together is checked in ``together``."""

    elo0: Elo = 0.0
    elo1: Elo = 20.0
    alpha: Chance = 0.05
    beta: Chance = 0.05


class StopShape(_Shape):
    """``stop``; one of the three is given."""

    matches: Count | None = None
    sigma: Annotated[float, Field(ge=MIN_SIGMA, le=MAX_SIGMA, allow_inf_nan=False)] | None = None
    sprt: SprtShape | None = None


class BotShape(_Shape):
    """One item of ``bots``; one of ``run`` and ``bot`` is given."""

    name: Annotated[str, _read_by(check_entrant_name, "a name")] | None = None
    run: File | None = None
    bot: Annotated[str, _read_by(check_reference, "a bot's name")] | None = None
    args: list[str] = Field(default_factory=list)
    env: dict[Variable, str] = Field(default_factory=dict)
    clock: ClockShape = ClockShape()
    memory: Memory | None = None


Line = Annotated[BotShape, BeforeValidator(_name_is_bot, json_schema_input_type=str | BotShape)]


class TournamentShape(_Shape):
    """The whole file; one of ``game`` and ``games`` is given."""

    name: Annotated[str, _read_by(check_tournament_name, "a name")]
    game: GameName | None = None
    games: Annotated[
        list[GameName] | None,
        Field(max_length=MAX_GAMES),
        BeforeValidator(_whole_games, json_schema_input_type=list[str]),
    ] = None
    format: Annotated[str, _read_by(_format, "a format")] = "round-robin"
    rounds: Count = 1
    seed: Annotated[
        Seed | None,
        BeforeValidator(_secret_is_none, json_schema_input_type=Literal["secret"] | Seed),
    ] = None
    bots: Annotated[
        list[Line],
        BeforeValidator(
            _all_is_a_pattern, json_schema_input_type=Literal["all"] | list[str | BotShape]
        ),
    ]
    clock: ClockShape = ClockShape()
    opening: Annotated[OpeningShape | None, _or_none(OpeningShape)] = None
    memory: Memory = 1 << 30
    workers: Annotated[int, Field(ge=1, le=MAX_WORKERS)] | None = None
    processes: Literal["fresh", "reuse"] = "fresh"
    on_timeout: Literal["forfeit", "published"] = "forfeit"
    ponder: bool = False
    pin: bool = True
    sandbox: Annotated[str, _read_by(check_sandbox, "a level")] = "auto"
    max_faults: Count = 3
    max_decisions: Annotated[Count | None, _or_none(Count)] = None
    durability: Literal["normal", "full"] = "normal"
    stop: Annotated[StopShape | None, _or_none(StopShape)] = None
    challengers: Count = 1
    blocks: Count = 1
    batch: Count | None = None
    seeding: str | None = None
    without: Annotated[list[str] | None, _or_none(list[str])] = None


def file_schema() -> dict[str, Any]:
    """Return the JSON Schema of a tournament file, by which editors complete and check keys.

    That keys fit one another is not in it.
    """
    schema = TournamentShape.model_json_schema(mode="validation")
    memory = schema["properties"]["memory"]
    memory["default"] = format_size(memory["default"])
    return {"$schema": DIALECT, **schema, "title": "A tournament of the arena"}
