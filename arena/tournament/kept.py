"""A tournament as the store and bundles keep it: the mapping of a file, programs and rules.

The mapping says every value, so that it is read as a file is. It may come from another machine, and
is believed only if a tournament that is right has just this form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from arena.schedule.formats import find_format
from arena.tournament.change import CLOSED, ENVIRONMENTS, hash_of_setups
from arena.tournament.from_python import made
from arena.tournament.written import SETUPS, written
from arena.values.errors import ArenaError, UsageError
from arena.values.model import Bot, BotEntry, Tournament
from arena.values.words import HASH
from engines import load_game

HOW = ("workers", "durability", "without", "unable_for")  # not kept: of a run, or with the entrants
# what is kept beside the mapping
BESIDE = ("programs", ENVIRONMENTS, "rules", "setups", CLOSED)


def config_of(
    tournament: Tournament,
    programs: Mapping[str, str],
    rules: Mapping[str, int],
    environments: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return what is kept of a tournament: two that are the same differ in what does not count.

    Games are in alphabetical order, and bots where the format does not look at it.

    Args:
        tournament: the tournament, with bots as ``pinned`` gives them.
        programs: each entrant's name and its bot's hash.
        rules: each game's canonical name and the version of its rules.
        environments: the hash of the packages of each entrant that has an environment.
    """
    value = {key: found for key, found in written(tournament).items() if key not in HOW}
    value["games"].sort()
    format_, bots = find_format(tournament.format), value["bots"]
    if not format_.bot_order_counts and tournament.stop.sprt is None:
        first = tournament.challengers if "challengers" in format_.keys else 0
        name = itemgetter("name")
        value["bots"] = [*sorted(bots[:first], key=name), *sorted(bots[first:], key=name)]
    setups = tournament.opening.setups
    names = {bot["name"] for bot in bots}
    packages = {name: found for name, found in (environments or {}).items() if name in names}
    return {
        **value,
        **({ENVIRONMENTS: packages} if packages else {}),
        "programs": {bot["name"]: programs[bot["name"]] for bot in bots},
        "rules": {game: int(rules[game]) for game in tournament.games},
        "setups": hash_of_setups("\n".join(setups)) if setups else None,
    }


def config_of_bots(tournament: Tournament, bots: Mapping[str, Bot]) -> dict[str, Any]:
    """Return what is kept of a tournament whose entrants are these bots, by the rules of today."""
    programs = {name: bot.hash for name, bot in bots.items()}
    rules = {game: load_game(game).rules_version for game in tournament.games}
    environments = {name: bot.packages for name, bot in bots.items() if bot.packages}
    return config_of(tournament, programs, rules, environments)


def pinned(entry: BotEntry, bot: str, version: int, digest: str) -> BotEntry:
    """Return a line of a file that names a program so that a bundle's file can, too.

    A plain name means the version that it is pinned to, and in a ladder newer ones, too. A bot
    without a version lies beside the file that a bundle is made into.
    """
    if not version:
        return replace(entry, ref=None, run=bot_folder(digest))
    return replace(entry, ref=bot if entry.name == bot else f"{bot}@{version}", run=None)


def bot_folder(digest: str) -> str:
    """Return where the bot of a hash lies beside a tournament's file that a bundle is made into."""
    return f"bots/{digest.removeprefix('sha256:')[:12]}"


def file_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the mapping that is kept, as a file for people: what bots do not have is left out."""
    bots = [{key: value for key, value in bot.items() if value} for bot in config["bots"]]
    plain = [{"name": bot["name"], "bot": bot["name"]} for bot in bots]
    short = [bot["name"] if bot == name else bot for bot, name in zip(bots, plain, strict=True)]
    return {key: value for key, value in config.items() if key not in BESIDE} | {"bots": short}


def kept_tournament(config: Mapping[str, Any], programs: Mapping[str, str]) -> Tournament:
    """Return the tournament that is kept so, without the setups of a file.

    Args:
        config: what ``config_of`` gave; it may also say that the tournament was ended. What a key
            says that is not there, as an earlier version did not know it, is usual.
        programs: each entrant's name and its bot's hash, as they are known otherwise.

    Raises:
        UsageError: no tournament is kept so.
    """
    try:
        value = {key: found for key, found in config.items() if key not in BESIDE}
        tournament, again = read_kept(value, {**config, "programs": programs})
        if any(_text(again.get(key)) != _text(config[key]) for key in ("programs", *config)):
            raise UsageError("a file with these values would say more or less than that")
    except ArenaError as error:
        raise UsageError(f"no tournament file says this: {error}") from None
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise UsageError(f"no tournament file says this: {error!r}") from None
    return tournament


def read_kept(
    value: Mapping[str, Any], beside: Mapping[str, Any]
) -> tuple[Tournament, dict[str, Any]]:
    """Return the tournament of a mapping, and what would be kept of it.

    Args:
        value: the mapping, which may leave out what is usual.
        beside: what has ``programs``, ``rules`` and the rest that is kept beside it.

    Raises:
        UsageError: no file says this.
        LookupError, TypeError, ValueError, AttributeError: likewise.
    """
    bots = [{"name": bot, "bot": bot} if isinstance(bot, str) else bot for bot in value["bots"]]
    tournament = made({**value, "bots": bots}, None)
    if tournament.opening.setups:
        raise UsageError("opening: expected the name of the file of setups")
    packages = beside.get(ENVIRONMENTS, {})
    if any(not HASH.fullmatch(found) for found in packages.values()):
        raise UsageError(f"{ENVIRONMENTS}: expected hashes like sha256:<64 hex>")
    again = config_of(tournament, beside["programs"], beside["rules"], packages)
    setups = beside["setups"]
    if setups is not None and HASH.fullmatch(setups) and value["opening"] == {"file": SETUPS}:
        again |= {"opening": value["opening"], "setups": setups}
    if CLOSED in beside:
        again[CLOSED] = True
    if unknown := value.keys() - again.keys():
        raise UsageError(f"it does not know {', '.join(map(repr, sorted(unknown)))}")
    return tournament, again


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)
