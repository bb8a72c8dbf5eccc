"""What must hold between several keys of a tournament file, beyond each being right by itself.

A check is left out where a key that it looks at is wrong by itself, as ``complaints`` reports that.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.tournament.clocks import make_clock
from arena.tournament.format_keys import COMPARE, LADDER, check_format_keys
from arena.tournament.names import check_path_as_name, same_look, same_name
from arena.tournament.problems import KeyPath, Problem, shown
from arena.tournament.text_files import check_setup, read_setups
from arena.tournament.written import SPRT
from arena.values.costs import COSTS
from arena.values.errors import ArenaError, UsageError, near_miss
from arena.values.model import PATTERN
from arena.values.untrusted import show
from engines import Game, load_game
from engines.core.interface import UNSTATED

Shape = Mapping[str, Any]  # the keys that a mapping of the file has, read by `shape`


def check_together(value: Shape, shape: Shape, folder: Path | None) -> Iterator[Problem]:
    """Yield the mistakes that concern several keys at once.

    Args:
        value: the file's mapping.
        shape: what its keys say, except those that are wrong by themselves.
        folder: what relative paths are relative to; ``None``: they are not looked at.
    """
    texts = filter(None, [shape.get("game"), *(shape.get("games") or ())])
    games = [load_game(text) for text in dict.fromkeys(texts)]
    bots = shape.get("bots", [])
    checks = (
        ({"games"}, _check_games(shape.get("games"))),
        ({"bots"}, _check_bots(bots)),
        ({"bots", "without", "anchor", "format"}, _check_entered(shape, bots)),
        ({"bots", "clock"}, _check_clocks(shape.get("clock", {}), bots)),
        ({"opening", "game", "games"}, _check_opening(shape.get("opening"), games, folder)),
        ({"processes"}, _check_processes(shape, games)),
        ({"format"}, check_format_keys(shape, games)),
        ({"stop", "format"}, _check_stop(shape, games)),
    )
    yield from _one_of(value, ("game", "games"), ())
    wrong = value.keys() - shape.keys()
    for keys, check in checks:
        if not keys & wrong:
            yield from check


def _check_games(games: Sequence[str] | None) -> Iterator[Problem]:
    if games is None:
        return
    if not games:
        yield Problem(("games",), "expected at least one game, found none")
    for number, game in enumerate(games):
        if game in games[:number]:
            yield Problem(("games", number), f"{game} is listed twice")


def _check_bots(bots: Sequence[Shape]) -> Iterator[Problem]:
    for number, bot in enumerate(bots):
        path: KeyPath = ("bots", number)
        if "function" not in bot:
            yield from _one_of(bot, ("run", "ask", "bot"), path)
        key, name = _name(bot)
        if key in ("run", "ask"):
            try:
                check_path_as_name(name)
            except UsageError as error:
                yield Problem((*path, key), f"give this bot a name, as {error}")
        if _is_pattern(bot) and key == "name":
            text = "a pattern of names means several bots, which cannot all have this name"
            yield Problem((*path, "name"), text)
        # only who has a network has secrets, and the file has not their values
        secrets = bot.get("secrets") or ()
        if secrets and bot.get("ask") is None:
            text = "only for a bot that asks (ask): others are isolated"
            yield Problem((*path, "secrets"), text)
        for variable in filter(bot.get("env", {}).__contains__, secrets):
            text = f"{shown(variable)} is in env, too, which records keep"
            yield Problem((*path, "secrets"), text)
    yield from _check_names(bots)


def _check_names(bots: Sequence[Shape]) -> Iterator[Problem]:
    """Check that no two entrants have names that people would take for one."""
    first: dict[str, tuple[int, str]] = {}
    for number, bot in enumerate(bots):
        key, name = _name(bot)
        for common in filter(None, (same_name(name), same_look(name))):
            if common in first:
                other, spelling = first[common]
                text = _too_alike(name, spelling, f"bots[{other}]")
                yield Problem(("bots", number, key), text)
                break
        else:
            first[same_name(name)] = first[same_look(name)] = (number, name)


def _too_alike(name: str, earlier: str, place: str) -> str:
    hint = "give one of them a name: of its own"
    if same_name(name) != same_name(earlier):
        letters = f'"{show(ascii(name)[1:-1])}" and "{show(ascii(earlier)[1:-1])}"'
        return f'"{shown(name)}" looks like the name of {place}: {letters}; {hint}'
    alike = "" if earlier == name else f' (as "{shown(earlier)}")'
    return f'two entrants are called "{shown(name)}": {place} is{alike} too; {hint}'


def _is_pattern(bot: Shape) -> bool:
    return not PATTERN.isdisjoint(bot.get("bot") or "")


def _check_entered(shape: Shape, bots: Sequence[Shape]) -> Iterator[Problem]:
    """Check that there are bots, and that the anchor and who is taken out are among them."""
    if not bots and "bots" in shape:
        yield Problem(("bots",), "expected at least one bot, found none")
    if any(map(_is_pattern, bots)):  # which bots fit it is known when they are looked up
        return
    named: list[tuple[KeyPath, str]] = [
        *((("without", number), name) for number, name in enumerate(shape.get("without") or ())),
        *((("anchor", name), name) for name in shape.get("anchor") or ()),
    ]
    names = [name for _, name in map(_name, bots)]
    known = {unicodedata.normalize("NFC", name) for name in names}
    for path, name in named:
        meant = [name]
        if shape.get("format") == LADDER:  # where oak@2 may be a newer version of oak
            meant.append(name.rpartition("@")[0])
        if known.isdisjoint([unicodedata.normalize("NFC", each) for each in meant]):
            hint = near_miss(name, names) or f"; there are {shown(', '.join(names[:20]), 300)}"
            yield Problem(path, f'no entrant is called "{shown(name)}"{hint}')


def _name(bot: Shape) -> tuple[str, str]:
    """Return the key that names an entrant, and the name; nothing if it has none."""
    keys = ("name", "bot", "run", "ask")
    return next(((key, bot[key]) for key in keys if bot.get(key)), ("name", ""))


def _check_clocks(common: Shape, bots: Sequence[Shape]) -> Iterator[Problem]:
    """Check that limits go together; a bot's clock goes on from the tournament's."""
    clocks: list[tuple[KeyPath, Shape]] = [(("clock",), common)]
    clocks += [(("bots", number, "clock"), bot.get("clock", {})) for number, bot in enumerate(bots)]
    for path, own in clocks:
        try:
            make_clock({**common, **own})
        except UsageError as error:
            if "inc" in own or None in own.values():  # otherwise it is the tournament's alone
                yield Problem((*path, "inc") if "inc" in own else path, str(error))


def _check_opening(
    opening: Shape | None, games: Sequence[Game], folder: Path | None
) -> Iterator[Problem]:
    if opening is None:
        return
    key = "setups" if "setups" in opening else "file"
    yield from _one_of(opening, ("plies", key), ("opening",))
    if opening.get(key) is None or folder is None:
        return
    path: KeyPath = ("opening", key)
    if len(games) > 1:
        yield Problem(path, "setups are for one game, and here are several games")
    for game in games[:1]:
        for number, setup in enumerate(opening.get("setups", ())):
            if wrong := check_setup(setup, game):
                yield Problem((*path, number), wrong)
        if key == "file":
            try:
                read_setups(folder / opening["file"], game)
            except ArenaError as error:
                yield from (Problem(path, line) for line in str(error).split("\n"))


def _check_processes(shape: Shape, games: Sequence[Game]) -> Iterator[Problem]:
    """Check that no process is kept that could know a deal from an earlier match."""
    hiding = [
        f"{game} (a plug-in that does not state its type)" if game.type is UNSTATED else str(game)
        for game in games
        if game.type.information != "perfect"
    ]
    if hiding and shape.get("processes") == "reuse":
        yield Problem(
            ("processes",),
            f"reuse is not for {' and '.join(hiding)}, where a deal is hidden: a kept bot meets "
            "each deal again, from the other seat and against others; expected fresh",
        )


def _check_stop(shape: Shape, games: Sequence[Game]) -> Iterator[Problem]:
    """Check what ends it; a comparison is of one game for two or more, ``elo0`` below ``elo1``."""
    stop, chosen = shape.get("stop") or {}, shape.get("format", "round-robin")
    if shape.get("stop") is not None:
        yield from _one_of(stop, ("matches", "sigma", "sprt", "info"), ("stop",))
    if stop.get("info") == {}:
        yield Problem(("stop", "info"), f"expected one of {', '.join(COSTS)}, found none")
    if stop.get("sigma") is not None and chosen != LADDER:
        yield Problem(("stop", "sigma"), f"only for the format {LADDER}, found {chosen}")
    sprt = stop.get("sprt")
    if sprt is None and chosen != COMPARE:
        return
    if chosen not in (COMPARE, "round-robin"):
        text = "a comparison of one bot with the others; expected the format compare"
        yield Problem(("stop", "sprt"), text)
    if len(games) > 1:
        yield Problem(("games",), f"a comparison is of one game, found {len(games)}")
    elif games and games[0].num_players < 2:
        path: KeyPath = ("game",) if shape.get("game") else ("games", 0)
        yield Problem(path, f"{games[0]} is for 1 player: there is nobody to compare")
    if sprt is not None:
        low, high = (sprt.get(key, SPRT[key]) for key in ("elo0", "elo1"))
        if low >= high:
            text = f"expected elo0 below elo1, found {low:g} and {high:g}"
            yield Problem(("stop", "sprt"), text)


def _one_of(mapping: Shape, keys: tuple[str, ...], path: KeyPath) -> Iterator[Problem]:
    """Check that just one of some keys is given."""
    given = [key for key in keys if mapping.get(key) is not None]
    names = " or ".join(keys)
    if not given:
        yield Problem(path, f"missing; expected {names}" + (" here" if path else ""))
    for key in given[1:]:
        yield Problem((*path, key), f"expected only one of {names}, found {given[0]} too")
