"""A tournament as a file says it: the mapping that gives the same tournament when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.schedule.formats import find_format
from arena.tournament.change import SPRT
from arena.tournament.clocks import make_clock
from arena.tournament.format_keys import FORMAT_KEYS
from arena.tournament.parse import AS_THEY_ARE
from arena.tournament.shape import SECRET
from arena.tournament.units import format_size
from arena.values.arguments import require
from arena.values.errors import UsageError
from arena.values.model import BotEntry, Clock, Tournament

__all__ = ["as_in_a_file", "pinned"]

_USUAL = Tournament("", (), ())


def as_in_a_file(tournament: Tournament) -> dict[str, Any]:
    """Return the mapping of a file that says the same; what is usual is left out.

    Left out are clocks, sizes of memory, and setups, too, of which a file has other forms.

    Raises:
        TypeError, UsageError: the values of a sequential test are none.
    """
    given = {key: getattr(tournament, key) for key in (*AS_THEY_ARE, "rounds", "workers")}
    value = {key: found for key, found in given.items() if not _is_usual(key, found)}
    opening, stop = tournament.opening, tournament.stop
    stops: dict[str, Any] = {"matches": stop.matches, "sigma": stop.sigma}
    if stop.sprt is not None:
        require(stop.sprt, tuple, "tournament.stop.sprt", "a tuple of four numbers")
        if len(stop.sprt) != len(SPRT):
            raise UsageError(f"tournament.stop.sprt: expected {', '.join(SPRT)}, found {stop.sprt}")
        stops |= {"sprt": dict(zip(SPRT, stop.sprt, strict=True))}
    stops = {key: found for key, found in stops.items() if found is not None}
    value |= {"stop": stops} if stops else {}
    value |= {"opening": {"plies": opening.plies}} if opening.plies != 0 else {}
    value |= {"without": list(tournament.without)} if tournament.without else {}
    value |= {"anchor": dict([tournament.anchor])} if tournament.anchor is not None else {}
    bots = [_bot(entry) for entry in tournament.bots]
    return {"name": tournament.name, **value, "games": list(tournament.games), "bots": bots}


def pinned(tournament: Tournament, setups: str | None) -> dict[str, Any]:
    """Return the mapping of a file that says all that counts, whatever will be usual later.

    Args:
        tournament: which, as far as its fingerprint covers it.
        setups: the path of the file of setups, if openings come from one.
    """
    of_format = find_format(tournament.format).keys
    counts = [
        key
        for key in (*AS_THEY_ARE, "rounds")
        if key in of_format or key not in (*FORMAT_KEYS, "durability")
    ]
    value = {key: getattr(tournament, key) for key in counts}
    value["seed"] = SECRET if tournament.seed is None else tournament.seed
    value = {key: found for key, found in value.items() if found is not None}
    clock = _clock(tournament.clock, {})
    value["clock"] = {key: f"{ms}ms" for key, ms in clock.items()}
    value["memory"] = format_size(tournament.memory_bytes)
    value = as_in_a_file(tournament) | value
    if setups is not None:
        value["opening"] = {"file": setups}
    for bot, entry in zip(value["bots"], tournament.bots, strict=True):
        for key in ("args", "env"):
            if not bot[key]:
                del bot[key]
        if entry.clock is not None:
            own = _clock(entry.clock, clock).items()
            bot["clock"] = {key: f"{ms}ms" for key, ms in own}
        if entry.memory_bytes is not None:
            bot["memory"] = format_size(entry.memory_bytes)
    plain = [{"name": bot["name"], "bot": bot["name"]} for bot in value["bots"]]
    bots = zip(value["bots"], plain, strict=True)
    return value | {"bots": [bot["name"] if bot == name else bot for bot, name in bots]}


def _bot(entry: BotEntry) -> dict[str, Any]:
    found: dict[str, Any] = {} if entry.is_pattern else {"name": entry.name}
    found |= {"run": entry.run} if entry.ref is None else {"bot": entry.ref}
    return found | {"args": list(entry.args), "env": dict(entry.env)}


def _clock(clock: Clock, given: Mapping[str, int]) -> dict[str, int]:
    """Return the keys of a clock that are needed beside those that are given for all bots."""
    limits = {key: ms for key, ms in clock.limits().items() if ms is not None}
    main = {key: ms for key, ms in limits.items() if key == "main" and given.get(key) != ms}
    usual = make_clock({**given, **main}).limits()
    return main | {key: ms for key, ms in limits.items() if ms != usual[key]}


def _is_usual(key: str, value: object) -> bool:
    usual = getattr(_USUAL, key)
    return type(value) is type(usual) and value == usual
