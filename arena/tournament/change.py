"""What of a tournament counts, and how two states of one tournament differ."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.schedule.formats import find_format
from arena.tournament.units import format_size
from arena.values.model import BotEntry, Clock, Tournament

__all__ = [
    "ANCHOR",
    "ASIDE",
    "CLOSED",
    "Change",
    "Difference",
    "canonical",
    "difference",
    "fingerprint",
    "hash_of_form",
]

# the values that are compared as they are, for every format
PLAIN = (
    *("format", "rounds", "processes", "on_timeout", "ponder", "pin", "sandbox"),
    *("max_faults", "max_decisions"),
)
SPRT = ("elo0", "elo1", "alpha", "beta")  # the values of `Stop.sprt`

# keys of the stored form that are no part of the fingerprint: whose Elo is fixed, and `true` where
# a person ended the tournament
ANCHOR, CLOSED = ASIDE = ("anchor", "closed")
_NONE = "none"
_ORDER = "order of bots"
_SECRET = "secret"
_PROGRAM = ".program"
_ENV = ".env."  # in the path of a variable of a bot's environment


class Change(StrEnum):
    """How far a tournament is from what it was."""

    NOTHING = "nothing"
    ADDS = "adds"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two states of a tournament; ``lines`` is empty if nothing did.

    ``change`` is ``ADDS`` if every match of the old one is a match of the new one, so that it can
    go on with what it has.
    """

    change: Change
    lines: tuple[str, ...] = ()


def canonical(
    tournament: Tournament, bot_hashes: Mapping[str, str], rules_versions: Mapping[str, int]
) -> dict[str, Any]:
    """Return what counts in a tournament, as plain values that JSON keeps, and its anchor.

    Left out are its name, ``workers`` and ``durability``; the order of bots too, where the format
    does not look at it.

    Args:
        tournament: the tournament.
        bot_hashes: each entrant's name and its bot's hash.
        rules_versions: each game's canonical name and the version of its rules.
    """
    opening, stop = tournament.opening, tournament.stop
    result: dict[str, Any] = {
        **{key: getattr(tournament, key) for key in PLAIN},
        "games": {game: f"rules {rules_versions[game]}" for game in tournament.games},
        "bots": {bot.name: _bot(bot, bot_hashes, tournament) for bot in tournament.bots},
        "seed": _SECRET if tournament.seed is None else str(tournament.seed),
        "clock": _clock(tournament.clock),
        "opening": {"plies": opening.plies, "setups": _setups(opening.setups)},
        "memory": format_size(tournament.memory_bytes),
        "stop": {"matches": stop.matches},
    }
    if stop.sprt is not None:
        result["stop"]["sprt"] = dict(zip(SPRT, stop.sprt, strict=True))
    if stop.sigma is not None:
        result["stop"]["sigma"] = stop.sigma
    format_ = find_format(tournament.format)
    if "challengers" in format_.keys:
        result["challengers"] = sorted(
            bot.name for bot in tournament.bots[: tournament.challengers]
        )
    for key in ("blocks", "batch", "seeding"):
        if key in format_.keys:
            result[key] = getattr(tournament, key)
    if tournament.anchor is not None:
        result[ANCHOR] = dict([tournament.anchor])
    if format_.bot_order_counts or stop.sprt is not None:
        result[_ORDER] = [bot.name for bot in tournament.bots]
    return result


def fingerprint(
    tournament: Tournament, bot_hashes: Mapping[str, str], rules_versions: Mapping[str, int]
) -> str:
    """Return the SHA-256 (64 hexadecimal digits) over what counts; see ``canonical``."""
    return hash_of_form(canonical(tournament, bot_hashes, rules_versions))


def hash_of_form(form: Mapping[str, Any]) -> str:
    """Return the fingerprint of a tournament by its stored form: all but ``ASIDE``."""
    counts = {key: value for key, value in form.items() if key not in ASIDE}
    text = json.dumps(counts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def difference(
    old: Mapping[str, Any], new: Mapping[str, Any], programs: Mapping[str, str] | None = None
) -> Difference:
    """Compare two canonical forms of one tournament.

    Only adding are: more rounds, bots or games, or a later stop, as far as the format can grow by
    them; bots or games only where no stop counts the matches they come between. What a ladder will
    plan may change in any way, as all that was planned stays.

    Args:
        old: the tournament as it was.
        new: the tournament as it is.
        programs: what people call the bot of a hash, such as ``oak@2``.
    """
    lines: list[str] = []
    grown: set[str] = set()
    shrunk = False
    for part in ("bots", "games"):
        come = [name for name in new[part] if name not in old[part]]
        gone = [name for name in old[part] if name not in new[part]]
        lines += [f"{part}: + {name}" for name in come] + [f"{part}: - {name}" for name in gone]
        grown |= {part} if come else set()
        shrunk |= bool(gone)
    was, now = _texts(old, common_with=new), _texts(new, common_with=old)
    changed = [path for path in {**now, **was} if was.get(path, _NONE) != now.get(path, _NONE)]
    lines += [_line(path, was.get(path, _NONE), now.get(path, _NONE), programs) for path in changed]
    grown |= {path.partition(".")[0] for path in changed if _is_further(path, old, new)}
    if not lines:
        return Difference(Change.NOTHING)
    moved = old["stop"]["matches"] is not None and grown & {"bots", "games"} and "batch" not in new
    adds = not shrunk and not moved and all(_is_further(path, old, new) for path in changed)
    if adds and grown <= find_format(new["format"]).grows_by:
        return Difference(Change.ADDS, tuple(lines))
    return Difference(Change.OTHER, tuple(lines))


def _line(path: str, was: str, now: str, programs: Mapping[str, str] | None) -> str:
    """Say in words what a value was and is; nobody can compare hashes, or is to see a key."""
    if path == "opening.setups":
        was, now = (text if text == _NONE else "the setups of the file" for text in (was, now))
    elif path.startswith("bots.") and path.endswith(_PROGRAM):
        path = path.removesuffix(_PROGRAM)
        was, now = ((programs or {}).get(text, "its program") for text in (was, now))
    elif path.startswith("bots.") and _ENV in path:  # one of them may be a key
        return f"{path}: {'added' if was == _NONE else 'removed' if now == _NONE else 'changed'}"
    return f"{path}: {was} changed" if was == now else f"{path}: {was} → {now}"


def _is_further(path: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Return whether a changed value only means that the tournament is played further."""
    if "batch" in new and path.partition(".")[0] in ("rounds", "stop", "batch"):
        return True
    if path == "rounds":
        return bool(old["rounds"] < new["rounds"])
    if path == "stop.matches":
        before, after = old["stop"]["matches"], new["stop"]["matches"]
        return before is not None and (after is None or before < after)
    return False


def _bot(bot: BotEntry, hashes: Mapping[str, str], tournament: Tournament) -> dict[str, Any]:
    common = _clock(tournament.clock)
    own = _clock(bot.clock or tournament.clock)
    memory = bot.memory_bytes
    return {
        "program": hashes[bot.name],
        "args": list(bot.args),
        "env": dict(bot.env),
        "clock": {key: text for key, text in own.items() if text != common[key]},
        "memory": None if memory in (None, tournament.memory_bytes) else format_size(memory),
    }


def _clock(clock: Clock) -> dict[str, str]:
    limits = clock.limits().items()
    return {key: "no limit" if ms is None else f"{ms} ms" for key, ms in limits}


def hash_of_setups(text: str) -> str:
    """Return what is kept of a file of setups, given one a line."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _setups(setups: tuple[str, ...]) -> str | None:
    return hash_of_setups("\n".join(setups)) if setups else None


def _texts(counts: Mapping[str, Any], common_with: Mapping[str, Any]) -> dict[str, str]:
    """Return each value's path and text, without the bots and games that the other has not."""
    bots = {name: bot for name, bot in counts["bots"].items() if name in common_with["bots"]}
    games = {name: text for name, text in counts["games"].items() if name in common_with["games"]}
    order = [name for name in counts.get(_ORDER, ()) if name in common_with["bots"]]
    rest = {key: value for key, value in counts.items() if key not in ASIDE}
    return dict(_leaves({**rest, "bots": bots, "games": games, _ORDER: order}, ""))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        yield path, shlex.join(value) or _NONE
    elif isinstance(value, bool):
        yield path, str(value).lower()
    else:
        yield path, _NONE if value is None else str(value)
