"""What counts of what is kept of a tournament, and how two states of one differ."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from arena.schedule.formats import find_format
from arena.tournament.written import written
from arena.values.model import Tournament

# whose Elo is fixed, and `true` where a person ended the tournament: these do not count
ANCHOR, CLOSED = "anchor", "closed"
ENVIRONMENTS = "environments"  # the hashes of the packages of those bots that have some
_ASIDE = frozenset(("name", ANCHOR, CLOSED))
ASIDE_OF_BOT = ("most", "secrets", "at_once")  # likewise, of a bot
_PLACES = ("name", "bot", "run", "ask")  # by which a program is found
_NONE = "none"
_ORDER = "order of bots"
_PROGRAM = ".program"
_PACKAGES = ".environment"
_COSTS = "stop.info."
_ENV = ".env."  # in the path of a variable of a bot's environment


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two states of a tournament; ``lines`` is empty if nothing did.

    ``adds``: every match of the old one is a match of the new one, so that it can go on with what
    it has.
    """

    lines: tuple[str, ...] = ()
    adds: bool = False


def fingerprint(config: Mapping[str, Any]) -> str:
    """Return the SHA-256 (64 hexadecimal digits) over what counts of what is kept."""
    text = json.dumps(_counted(config), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def difference(
    old: Mapping[str, Any], new: Mapping[str, Any], programs: Mapping[str, str] | None = None
) -> Difference:
    """Compare what is kept of one tournament and what would be.

    Only adding are: more rounds, bots or games, or a later stop, as far as the format can grow by
    them; bots or games only where no stop counts the matches they come between. What a ladder will
    plan may change in any way, as all that was planned stays.

    Args:
        old: the tournament as it was.
        new: the tournament as it is.
        programs: what people call the bot of a hash, such as ``oak@2``.
    """
    old, new = _counted(_filled(old)), _counted(_filled(new))
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
    stops = old["stop"]["matches"] is not None or "info" in old["stop"]
    moved = stops and grown & {"bots", "games"} and "batch" not in new
    adds = not shrunk and not moved and all(_is_further(path, old, new) for path in changed)
    return Difference(tuple(lines), adds and grown <= find_format(new["format"]).grows_by)


def _line(path: str, was: str, now: str, programs: Mapping[str, str] | None) -> str:
    """Say in words what a value was and is; nobody can compare hashes, or is to see a key."""
    if path == "opening.setups":
        was, now = (text if text == _NONE else "the setups of the file" for text in (was, now))
    elif path.startswith("bots.") and path.endswith(_PROGRAM):
        path = path.removesuffix(_PROGRAM)
        was, now = ((programs or {}).get(text, "its program") for text in (was, now))
    elif path.startswith("bots.") and path.endswith(_PACKAGES):
        return f"{path}: other packages are installed there"
    elif path.startswith("bots.") and _ENV in path:  # one of them may be a key
        return f"{path}: {'added' if was == _NONE else 'removed' if now == _NONE else 'changed'}"
    return f"{path}: {was} changed" if was == now else f"{path}: {was} → {now}"


def _is_further(path: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Return whether a changed value only means that the tournament is played further."""
    if "batch" in new and path.partition(".")[0] in ("rounds", "stop", "batch"):
        return True
    if path == "rounds":
        return "rounds" in old and "rounds" in new and bool(old["rounds"] < new["rounds"])
    if path == "stop.matches":
        before, after = old["stop"]["matches"], new["stop"]["matches"]
        return before is not None and (after is None or before < after)
    if path.startswith(_COSTS):
        key = path.removeprefix(_COSTS)
        before, after = (one["stop"].get("info", {}).get(key) for one in (old, new))
        return before is not None and (after is None or before < after)
    return False


def hash_of_setups(text: str) -> str:
    """Return what is kept of a file of setups, given one a line."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _filled(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is kept, with what is usual for keys that an earlier version did not know."""
    return {**written(Tournament("", (), (), format=config["format"])), **config}


def _counted(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what counts of what is kept, with bots and games by their names.

    By which of its names a program is found does not count.
    """
    found = {key: value for key, value in config.items() if key not in _ASIDE}
    programs, rules, setups = map(found.pop, ("programs", "rules", "setups"))
    packages = found.pop(ENVIRONMENTS, {})
    names = [bot["name"] for bot in config["bots"]]
    found["bots"] = {
        bot["name"]: {
            "program": programs[bot["name"]],
            **({"environment": packages[bot["name"]]} if bot["name"] in packages else {}),
            **{key: bot[key] for key in bot if key not in (*_PLACES, *ASIDE_OF_BOT)},
            **({"asks": True} if "ask" in bot else {}),
        }
        for bot in config["bots"]
    }
    if "apart" in found:
        groups = [combinations(sorted(group), 2) for group in found["apart"] or ()]
        found["apart"] = sorted({f"{one} - {other}" for group in groups for one, other in group})
    found["games"] = {game: f"rules {version}" for game, version in rules.items()}
    found["opening"] = {"plies": config["opening"].get("plies", 0), "setups": setups}
    found["stop"] = {"matches": None, **(config.get("stop") or {})}
    if "challengers" in config:
        found["challengers"] = names[: config["challengers"]]
    return {**found, _ORDER: names}


def _texts(counts: Mapping[str, Any], common_with: Mapping[str, Any]) -> dict[str, str]:
    """Return each value's path and text, without the bots and games that the other has not."""
    bots = {name: bot for name, bot in counts["bots"].items() if name in common_with["bots"]}
    games = {name: text for name, text in counts["games"].items() if name in common_with["games"]}
    apart = [pair for pair in counts.get("apart", ()) if bots.keys() >= {*pair.split(" - ")}]
    found = {**counts, "bots": bots, "games": games, _ORDER: list(bots)}
    return dict(_leaves(found | ({"apart": apart} if "apart" in counts else {}), ""))


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
