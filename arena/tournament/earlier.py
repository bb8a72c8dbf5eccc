"""What stores of shape 17 and bundles of format 1 kept of a tournament, as it is kept now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from arena.tournament.format_keys import FORMAT_KEYS, format_of
from arena.tournament.kept import pinned
from arena.tournament.written import NO_LIMIT, SETUPS
from arena.values.model import BotEntry

DAMAGE = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
FileEntrant = tuple[str, str, int, str]
"""An entrant of the file: its name, its bot's name, version and hash."""


def kept_now(name: str, old: Mapping[str, Any], entrants: Iterable[FileEntrant]) -> dict[str, Any]:
    """Return what is kept now of a tournament.

    Args:
        name: the tournament's.
        old: what was kept of it, which may be anything.
        entrants: those of its file.

    Raises:
        DAMAGE: it was something else.
    """
    entries = {each[0]: pinned(BotEntry(each[0]), *each[1:]) for each in entrants}
    format_ = format_of(old["format"])
    taken = {"rounds", "stop", *old} if format_ is None else format_.keys
    first, bots, setups = sorted(old.get("challengers", ())), old["bots"], old["opening"]["setups"]
    names = old.get("order of bots") or [*first, *sorted(bots.keys() - {*first})]
    new = {
        **{key: value for key, value in old.items() if key != "order of bots"},
        "name": name,
        "games": sorted(old["games"]),
        "bots": [_bot(entries[each], bots[each]) for each in names],
        "seed": old["seed"] if old["seed"] == "secret" else int(old["seed"]),
        "clock": _clock(old["clock"]),
        "opening": {"plies": old["opening"]["plies"]} if setups is None else {"file": SETUPS},
        "stop": {key: value for key, value in old["stop"].items() if value is not None} or None,
        "challengers": len(first),
        "anchor": old.get("anchor"),
        "programs": {each: bots[each]["program"] for each in names},
        "rules": {game: int(text.removeprefix("rules ")) for game, text in old["games"].items()},
        "setups": setups,
    }
    return {key: value for key, value in new.items() if key in taken or key not in FORMAT_KEYS}


def _bot(entry: BotEntry, old: Mapping[str, Any]) -> dict[str, Any]:
    found = {"run": entry.run} if entry.ref is None else {"bot": entry.ref}
    kept = {key: old[key] for key in ("args", "env", "memory")}
    usual: dict[str, Any] = {"most": {}, "secrets": [], "at_once": None}
    return {"name": entry.name, **found, **kept, "clock": _clock(old["clock"]), **usual}


def _clock(limits: Mapping[str, str]) -> dict[str, str]:
    return {
        key: NO_LIMIT if text == "no limit" else text.replace(" ", "")
        for key, text in limits.items()
    }
