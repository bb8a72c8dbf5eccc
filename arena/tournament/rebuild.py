"""A tournament from what the store keeps of its file: the file as it could be written, and read.

What the store keeps is ``canonical``: all that counts, and nothing of how it was written. It may
come from another machine, so it is believed only if the file that follows from it is one that
people could have written, and says the same again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from arena.errors import ArenaError, UsageError
from arena.model import BotEntry, Clock, Tournament
from arena.schedule.formats import find_format
from arena.tournament.change import PLAIN, canonical, difference
from arena.tournament.parse import tournament_of

__all__ = ["Line", "file_document", "file_text", "rebuild"]

_SETUPS = "sha256:"  # of a file of setups


class Line(NamedTuple):
    """An entrant of the file: its name, its program's hash, and the keys that name its bot."""

    name: str
    program: str
    bot: Mapping[str, str]


def file_document(
    name: str, config: Mapping[str, Any], lines: Sequence[Line], *, setups: str | None = None
) -> dict[str, Any]:
    """Return what a tournament file says from which ``config`` would be kept.

    Args:
        name: the tournament's.
        config: what ``canonical`` gave.
        lines: the entrants, in the order of the file.
        setups: the path of the file of setups, if openings come from one.

    Raises:
        LookupError, TypeError, ValueError, AttributeError: nothing of the kind was given.
    """
    format_ = find_format(config["format"])
    document: dict[str, Any] = {"name": name, "games": list(config["games"])}
    document |= {
        key: config[key]
        for key in PLAIN
        if config.get(key) is not None and (key != "rounds" or key in format_.keys)
    }
    seed = config["seed"]
    document["seed"] = seed if seed == "secret" else int(seed)
    own_move = any("move" in bot["clock"] for bot in config["bots"].values())
    document["clock"] = _clock(config["clock"], move=not own_move)
    opening = config["opening"]
    if opening["setups"] is not None:
        document["opening"] = {} if setups is None else {"file": setups}
    elif opening["plies"]:
        document["opening"] = {"plies": opening["plies"]}
    if not document.get("opening", True):
        del document["opening"]
    document["memory"] = config["memory"]
    stop = {key: value for key, value in config["stop"].items() if value is not None}
    if stop:
        document["stop"] = stop
    if "challengers" in format_.keys:
        document["challengers"] = len(config["challengers"])
    for key in ("blocks", "batch", "seeding"):
        if key in format_.keys and config.get(key) is not None:
            document[key] = config[key]
    document["bots"] = [_bot(line, config["bots"][line.name]) for line in lines]
    return document


def file_text(document: Mapping[str, Any]) -> str:
    """Return a tournament file's text."""
    return yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=False, width=100)


def rebuild(name: str, config: Mapping[str, Any], lines: Sequence[Line]) -> Tournament:
    """Return the tournament that ``config`` is of, without the setups of a file.

    Its bots are named, and nothing says where they are.

    Raises:
        UsageError: no tournament file gives this.
    """
    try:
        plain = [
            Line(f"bot{number}", line.program, {"bot": "bot"}) for number, line in enumerate(lines)
        ]
        names = {line.name: other.name for line, other in zip(lines, plain, strict=True)}
        bots = {names[line.name]: config["bots"][line.name] for line in lines}
        if len(names) < len(lines) or len(config["bots"]) != len(lines):
            raise UsageError("bots: expected each entrant once")
        document = file_document(name, {**config, "bots": bots}, plain)
        found = tournament_of(document, Path())
        entries = tuple(
            dataclasses.replace(entry, name=line.name, ref=None)
            for entry, line in zip(found.bots, lines, strict=True)
        )
        found = dataclasses.replace(found, bots=_with_clocks(entries, found.clock))
        _compare(config, found, lines)
    except ArenaError as error:
        raise UsageError(f"no tournament file says this: {error}") from None
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UsageError(f"no tournament file says this: {error!r}") from None
    return found


def _compare(config: Mapping[str, Any], found: Tournament, lines: Sequence[Line]) -> None:
    """Raise ``UsageError`` unless a tournament says all that was kept of it."""
    versions = {game: int(text.removeprefix("rules ")) for game, text in config["games"].items()}
    again = canonical(found, {line.name: line.program for line in lines}, versions)
    again["opening"]["setups"] = _hash_of_setups(config)
    if unknown := config.keys() - again.keys():
        raise UsageError(f"it does not know {', '.join(sorted(map(repr, unknown)))}")
    # an older version wrote less of it down, and some of it in another way
    change = difference(config, {key: again[key] for key in config})
    if change.lines:
        raise UsageError(f"a file gives {'; '.join(change.lines)}")


def _hash_of_setups(config: Mapping[str, Any]) -> str | None:
    found = config["opening"]["setups"]
    if found is not None and not (isinstance(found, str) and found.startswith(_SETUPS)):
        raise UsageError("opening: expected the hash of setups")
    return found


def _with_clocks(entries: Sequence[BotEntry], common: Clock) -> tuple[BotEntry, ...]:
    return tuple(
        dataclasses.replace(entry, clock=None if entry.clock == common else entry.clock)
        for entry in entries
    )


def _clock(limits: Mapping[str, str], *, move: bool) -> dict[str, str]:
    """Return the keys of a file's clock; ``move`` says whether the usual one is written down."""
    written = {key: text.replace(" ", "") for key, text in limits.items() if text != "no limit"}
    if "main" not in written:
        written.pop("inc", None)  # which is 0
    if not move and written.get("move") == "1000ms":
        del written["move"]
    return written


def _bot(line: Line, kept: Mapping[str, Any]) -> str | dict[str, Any]:
    written: dict[str, Any] = {"name": line.name, **line.bot}
    for key in ("args", "env"):
        if kept[key]:
            written[key] = kept[key]
    clock = {key: text.replace(" ", "") for key, text in kept["clock"].items()}
    clock = {key: text for key, text in clock.items() if text != "nolimit"}
    if clock:
        written["clock"] = clock
    if kept["memory"] is not None:
        written["memory"] = kept["memory"]
    if written == {"name": line.name, "bot": line.name}:
        return line.name
    if written == {"name": line.name, "run": line.name}:  # which may hold what no name does
        del written["name"]
    return written
