"""A tournament as a file says it: the mapping that gives the same tournament when it is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from arena.tournament.format_keys import FORMAT_KEYS, format_of
from arena.tournament.units import format_size
from arena.values.model import BotEntry, Stop, Tournament

SECRET = "secret"  # the word for a seed that is drawn when the tournament starts
NO_LIMIT = "none"  # likewise for a limit of a clock that does not exist
SETUPS = "setups.txt"  # where the setups of a file lie beside what is written here
SPRT = {"elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05}  # and what is usual

_USUAL = {key: getattr(Tournament("", (), ()), key) for key in FORMAT_KEYS} | {
    "stop": None,
    "apart": None,
}


def written(tournament: Tournament) -> dict[str, Any]:
    """Return the mapping of a file that says every value, whatever will be usual later.

    Left out is only what its format does not take. A value that no file can have is still none.

    Raises:
        TypeError, ValueError, AttributeError: a value is of another kind.
    """
    value = {field.name: getattr(tournament, field.name) for field in fields(Tournament)}
    value["memory"] = format_size(value.pop("memory_bytes"))
    value["bot_size"] = format_size(tournament.bot_size)
    value["unable_for"] = f"{value.pop('unable_for_ms')}ms"
    opening, anchor = tournament.opening, tournament.anchor
    value |= {
        "bots": [_bot(bot, tournament) for bot in tournament.bots],
        "seed": SECRET if tournament.seed is None else tournament.seed,
        "clock": _clock(tournament.clock.limits()),
        "opening": {"file": SETUPS} if opening.setups else {"plies": opening.plies},
        "stop": _stop(tournament.stop),
        "apart": tournament.apart or None,
        "anchor": None if anchor is None else dict([anchor]),
    }
    format_ = format_of(tournament.format)
    others = {*FORMAT_KEYS} - (frozenset() if format_ is None else format_.keys)
    return {
        key: as_yaml(found)
        for key, found in value.items()
        if key not in others or (type(found), found) != (type(_USUAL[key]), _USUAL[key])
    }


def as_yaml(value: Any) -> Any:
    """Return a value with lists for all sequences and texts for paths, as a file has them."""
    if isinstance(value, Mapping):
        return {key: as_yaml(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_yaml(inner) for inner in value]
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def path_key(bot: BotEntry) -> str:
    """Return the key of the file that says where a bot lies."""
    return "ask" if bot.asks else "run"


def _bot(bot: BotEntry, tournament: Tournament) -> dict[str, Any]:
    common, memory = tournament.clock.limits(), bot.memory_bytes
    own = {} if bot.clock is None else bot.clock.limits()
    if bot.asks and bot.run is None:
        raise ValueError(f"{bot.name} asks: expected its path, as run")
    named = None if bot.is_pattern else bot.name
    meant = {"name": named, "bot": bot.ref, path_key(bot): bot.run, "function": bot.version}
    return {
        **{key: text for key, text in meant.items() if text is not None},
        "args": bot.args,
        "env": dict(bot.env),
        "clock": _clock({key: ms for key, ms in own.items() if ms != common[key]}),
        "most": dict(bot.most),
        "secrets": bot.secrets,
        "at_once": bot.at_once,
        "memory": None if memory in (None, tournament.memory_bytes) else format_size(memory),
    }


def _clock(limits: Mapping[str, int | None]) -> dict[str, str]:
    return {key: NO_LIMIT if ms is None else f"{ms}ms" for key, ms in limits.items()}


def _stop(stop: Stop) -> dict[str, Any] | None:
    found: dict[str, Any] = {"matches": stop.matches, "sigma": stop.sigma}
    found["sprt"] = stop.sprt and dict(zip(SPRT, stop.sprt, strict=True))
    found["info"] = dict(stop.info) or None
    return {key: value for key, value in found.items() if value is not None} or None
