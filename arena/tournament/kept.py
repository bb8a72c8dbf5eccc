"""A tournament from what the store and bundles keep of its file: its canonical form.

It says all that counts, and nothing of how the file was written. It may come from another machine,
so it is believed only if a tournament that is right has just this form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from arena.schedule.formats import find_format
from arena.tournament.change import ANCHOR, CLOSED, PLAIN, SPRT, canonical
from arena.tournament.from_python import check_given
from arena.tournament.units import parse_memory
from arena.values.arguments import check_anchor
from arena.values.errors import ArenaError, UsageError
from arena.values.model import BotEntry, Clock, Opening, Stop, Tournament

__all__ = ["FileEntrant", "kept_tournament"]

_SETUPS = "sha256:"  # of a file of setups


class FileEntrant(NamedTuple):
    """An entrant of the file: its name, its program's hash, and where its bot is found."""

    name: str
    program: str
    bot: str = "bot"
    run: str | None = None


def kept_tournament(
    name: str, config: Mapping[str, Any], lines: Sequence[FileEntrant]
) -> Tournament:
    """Return the tournament that has a canonical form, without the setups of a file.

    Args:
        name: the tournament's.
        config: what ``canonical`` gave; it may also say that the tournament was ended.
        lines: the entrants, in the order of the file.

    Raises:
        UsageError: no tournament has this form.
    """
    try:
        if config.get(CLOSED) is True:
            config = {key: value for key, value in config.items() if key != CLOSED}
        if {line.name for line in lines} != config["bots"].keys():
            raise UsageError("bots: expected each entrant once")
        found = _read(name, config, lines)
        # names that a person gave on a command line may hold what those in a file cannot
        plain = [
            replace(bot, name=f"bot{number}", ref="bot", run=None)
            for number, bot in enumerate(found.bots)
        ]
        right = check_given(replace(found, bots=tuple(plain), anchor=None))
        found = replace(right, bots=found.bots, anchor=found.anchor)
        if found.anchor is not None and check_anchor(dict([found.anchor]))[0] not in config["bots"]:
            raise UsageError("anchor: expected an entrant")
        rules = config["games"].items()
        versions = {game: int(text.removeprefix("rules ")) for game, text in rules}
        again = canonical(found, {line.name: line.program for line in lines}, versions)
        again["opening"]["setups"] = _hash_of_setups(config)
        if odd := sorted(again.keys() ^ config.keys()):
            raise UsageError(f"it does not know, or lacks, {', '.join(map(repr, odd))}")
        if _text(again) != _text(config):
            raise UsageError("it does not say just what counts in a tournament")
    except ArenaError as error:
        raise UsageError(f"no tournament file says this: {error}") from None
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UsageError(f"no tournament file says this: {error!r}") from None
    return found


def _read(name: str, config: Mapping[str, Any], lines: Sequence[FileEntrant]) -> Tournament:
    keys = {*PLAIN, *find_format(config["format"]).keys} - {"stop", "challengers"}
    clock, stop = _clock(config["clock"]), config["stop"]
    sprt = stop.get("sprt")
    return Tournament(
        name,
        tuple(config["games"]),
        tuple([_entry(line, config["bots"][line.name], config["clock"]) for line in lines]),
        **{key: config[key] for key in keys},
        seed=None if config["seed"] == "secret" else int(config["seed"]),
        clock=clock,
        opening=Opening(plies=config["opening"]["plies"]),
        memory_bytes=parse_memory(config["memory"]),
        stop=Stop(
            matches=stop["matches"],
            sigma=stop.get("sigma"),
            sprt=None if sprt is None else tuple([sprt[key] for key in SPRT]),
        ),
        challengers=len(config.get("challengers", " ")),
        anchor=next(iter(dict(config.get(ANCHOR, {})).items()), None),
    )


def _entry(line: FileEntrant, kept: Mapping[str, Any], common: Mapping[str, str]) -> BotEntry:
    memory = kept["memory"]
    return BotEntry(
        line.name,
        ref=line.bot if line.run is None else None,
        run=line.run,
        args=tuple(kept["args"]),
        env=tuple(sorted(kept["env"].items())),
        clock=_clock({**common, **kept["clock"]}) if kept["clock"] else None,
        memory_bytes=None if memory is None else parse_memory(memory),
    )


def _clock(limits: Mapping[str, str]) -> Clock:
    read = {key: text.removesuffix(" ms") for key, text in limits.items()}
    given = {f"{key}_ms": None if ms == "no limit" else int(ms) for key, ms in read.items()}
    return Clock(**given)  # type: ignore[arg-type]


def _hash_of_setups(config: Mapping[str, Any]) -> str | None:
    found = config["opening"]["setups"]
    if found is not None and not (isinstance(found, str) and found.startswith(_SETUPS)):
        raise UsageError("opening: expected the hash of setups")
    return found


def _text(config: Mapping[str, Any]) -> str:
    return json.dumps(config, sort_keys=True)
