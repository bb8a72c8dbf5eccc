"""What must hold between several keys of a tournament file, beyond each being right by itself.

These checks look at the file's plain values, so that they tell what they find even where other keys
are wrong; a value that is wrong by itself is passed over here, as ``complaints`` tells it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.tournament.clocks import make_clock, parse_limit
from arena.tournament.format_keys import COMPARE, LADDER, check_format_keys, too_few, too_many
from arena.tournament.names import MAX_COLUMNS, check_path_as_name, same_look, same_name
from arena.tournament.problems import KeyPath, Problem, shown
from arena.tournament.shape import MAX_GAMES
from arena.tournament.text_files import read_setups
from arena.values.costs import COSTS
from arena.values.errors import ArenaError, UsageError, near_miss
from arena.values.model import CLOCK_KEYS, PATTERN
from arena.values.untrusted import show
from engines import EngineError, Game, load_game
from engines.core.interface import UNSTATED

Values = Mapping[str, Any]
Limits = dict[str, int | None]


def check_together(value: Values, folder: Path | None) -> Iterator[Problem]:
    """Yield the mistakes that concern several keys at once.

    Args:
        value: the file's mapping.
        folder: what relative paths are relative to; ``None``: they are not looked at.
    """
    games = dict(_games(value))
    bots = value.get("bots")
    entries: list[Any] = bots if isinstance(bots, list) else []
    yield from _check_games(value, games)
    for number, entry in enumerate(entries):
        if isinstance(entry, dict):
            if "function" not in entry:
                yield from _one_of(entry, ("run", "ask", "bot"), ("bots", number))
            yield from _check_path(entry, number)
            yield from _check_pattern(entry, number)
            yield from _check_secrets(entry, number)
    yield from _check_names(entries)
    # how many bots fit a pattern is known when they are looked up
    if isinstance(bots, list) and not any(map(_is_pattern, entries)):
        yield from _check_numbers(value, entries, games)
        yield from _check_entered(value, entries)
    yield from _check_clocks(value, entries)
    yield from _check_opening(value, games, folder)
    yield from _check_processes(value, games)
    yield from _check_stop(value)
    yield from check_format_keys(value, dict.fromkeys(games.values()))
    yield from _check_comparison(value, entries, games)


def _games(value: Values) -> Iterator[tuple[KeyPath, Game]]:
    """Yield the games that can be loaded, with their paths."""
    listed = value.get("games")
    texts: list[tuple[KeyPath, Any]] = [(("game",), value.get("game"))]
    if isinstance(listed, list):
        texts += [(("games", number), text) for number, text in enumerate(listed[:MAX_GAMES])]
    for path, text in texts:
        if isinstance(text, str):
            try:
                yield path, load_game(text)
            except EngineError:
                continue


def _check_games(value: Values, games: Mapping[KeyPath, Game]) -> Iterator[Problem]:
    yield from _one_of(value, ("game", "games"), ())
    if value.get("games") == []:
        yield Problem(("games",), "expected at least one game, found none")
    seen: set[Game] = set()
    for path, game in games.items():
        if path == ("game",):
            continue
        if game in seen:
            yield Problem(path, f"{game} is listed twice")
        seen.add(game)


def _check_names(entries: list[Any]) -> Iterator[Problem]:
    """Check that no two entrants have names that people would take for one."""
    first: dict[str, tuple[int, str]] = {}
    for number, entry in enumerate(entries):
        key, name = _name(entry)
        if name is None or len(name) > 4 * MAX_COLUMNS:  # which is reported elsewhere
            continue
        path: KeyPath = ("bots", number, key) if key else ("bots", number)
        for common in (same_name(name), same_look(name)):
            if common in first:
                other, spelling = first[common]
                yield Problem(path, _too_alike(name, spelling, f"bots[{other}]"))
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


def _check_path(entry: Values, number: int) -> Iterator[Problem]:
    """Check that the path of a bot without a name can be its name."""
    key, path = _name(entry)
    if key in ("run", "ask") and path is not None:
        try:
            check_path_as_name(path)
        except UsageError as error:
            yield Problem(("bots", number, key), f"give this bot a name, as {error}")


def _is_pattern(entry: Any) -> bool:
    ref = entry.get("bot") if isinstance(entry, dict) else entry
    return entry == "all" or (isinstance(ref, str) and not PATTERN.isdisjoint(ref))


def _check_pattern(entry: Values, number: int) -> Iterator[Problem]:
    if _is_pattern(entry) and entry.get("name") is not None:
        text = "a pattern of names means several bots, which cannot all have this name"
        yield Problem(("bots", number, "name"), text)


def _check_secrets(entry: Values, number: int) -> Iterator[Problem]:
    """Check that only who has a network has secrets, and that the file has not their values."""
    names, path = entry.get("secrets"), ("bots", number, "secrets")
    if isinstance(names, list) and names:
        if entry.get("ask") is None:
            yield Problem(path, "only for a bot that asks (ask): others are isolated")
        env = entry.get("env")
        for name in filter(env.__contains__, names) if isinstance(env, dict) else ():
            yield Problem(path, f"{shown(str(name))} is in env, too, which records keep")


def _check_entered(value: Values, entries: list[Any]) -> Iterator[Problem]:
    """Check that the anchor, and the names that are taken out, are entrants."""
    without, anchor = value.get("without"), value.get("anchor")
    named: list[tuple[KeyPath, Any]] = []
    if isinstance(without, list):
        named += [(("without", number), name) for number, name in enumerate(without)]
    if isinstance(anchor, dict):
        named += [(("anchor", name), name) for name in anchor]
    names = [name for _, name in map(_name, entries) if name is not None]
    known = {unicodedata.normalize("NFC", name) for name in names}
    for path, name in named:
        if not isinstance(name, str):
            continue
        meant = [name]
        if value.get("format") == LADDER:  # where oak@2 may be a newer version of oak
            meant.append(name.rpartition("@")[0])
        if known.isdisjoint([unicodedata.normalize("NFC", each) for each in meant]):
            hint = near_miss(name, names) or f"; there are {shown(', '.join(names[:20]), 300)}"
            yield Problem(path, f'no entrant is called "{shown(name)}"{hint}')


def _name(entry: Any) -> tuple[str, str | None]:
    """Return the key that names an entrant (none if it is only a name), and the name."""
    if isinstance(entry, str):
        return "", entry
    if isinstance(entry, dict):
        for key in ("name", "bot", "run", "ask"):
            if isinstance(entry.get(key), str):
                return key, entry[key]
    return "", None


def _check_numbers(
    value: Values, entries: list[Any], games: Mapping[KeyPath, Game]
) -> Iterator[Problem]:
    if not entries:
        yield Problem(("bots",), "expected at least one bot, found none")
        return
    challengers = value.get("challengers")
    count = challengers if isinstance(challengers, int) else 1
    for game in games.values():
        if wrong := too_few(value.get("format"), game, len(entries), count):
            yield Problem(("bots",), wrong)


def _check_clocks(value: Values, entries: list[Any]) -> Iterator[Problem]:
    """Check that limits go together; a bot's clock goes on from the tournament's."""
    common = _limits(value.get("clock"))
    clocks: list[tuple[KeyPath, Limits]] = [(("clock",), common)]
    for number, entry in enumerate(entries):
        own = _limits(entry.get("clock")) if isinstance(entry, dict) else {}
        clocks.append((("bots", number, "clock"), own))
    for path, own in clocks:
        try:
            make_clock({**common, **own})
        except UsageError as error:
            if "inc" in own or None in own.values():  # otherwise it is the tournament's alone
                yield Problem((*path, "inc") if "inc" in own else path, str(error))


def _limits(mapping: Any) -> Limits:
    """Return the limits of a clock; an unreadable limit, reported elsewhere, counts as 1 ms."""
    found: Limits = {}
    for key in CLOCK_KEYS if isinstance(mapping, dict) else ():
        if key in mapping:
            found[key] = 1
            with suppress(UsageError, TypeError):
                found[key] = parse_limit(key, mapping[key])
    return found


def _check_opening(
    value: Values, games: Mapping[KeyPath, Game], folder: Path | None
) -> Iterator[Problem]:
    opening = value.get("opening")
    if not isinstance(opening, dict):
        return
    yield from _one_of(opening, ("plies", "file"), ("opening",))
    file = opening.get("file")
    if not isinstance(file, str) or folder is None or not (folder / file).exists():
        return
    path: KeyPath = ("opening", "file")
    if isinstance(value.get("games"), list) and len(value["games"]) > 1:
        yield Problem(path, "a file of setups is for one game, and here are several games")
    elif len(games) == 1:
        try:
            read_setups(folder / file, next(iter(games.values())))
        except ArenaError as error:
            yield from (Problem(path, line) for line in str(error).split("\n"))


def _check_processes(value: Values, games: Mapping[KeyPath, Game]) -> Iterator[Problem]:
    """Check that no process is kept that could know a deal from an earlier match."""
    if value.get("processes") != "reuse":
        return
    hiding = [
        f"{game} (a plug-in that does not state its type)" if game.type is UNSTATED else str(game)
        for game in dict.fromkeys(games.values())
        if game.type.information != "perfect"
    ]
    if hiding:
        yield Problem(
            ("processes",),
            f"reuse is not for {' and '.join(hiding)}, where a deal is hidden: a kept bot meets "
            "each deal again, from the other seat and against others; expected fresh",
        )


def _check_stop(value: Values) -> Iterator[Problem]:
    stop = value.get("stop")
    if not isinstance(stop, dict):
        return
    yield from _one_of(stop, ("matches", "sigma", "sprt", "info"), ("stop",))
    if stop.get("info") == {}:
        yield Problem(("stop", "info"), f"expected one of {', '.join(COSTS)}, found none")
    chosen = value.get("format", "round-robin")
    if stop.get("sigma") is not None and chosen != LADDER:
        yield Problem(("stop", "sigma"), f"only for the format {LADDER}, found {shown(chosen)}")


def _check_comparison(
    value: Values, entries: list[Any], games: Mapping[KeyPath, Game]
) -> Iterator[Problem]:
    """Check that one bot is compared with as many others as a match has room for, in one game."""
    stop = value.get("stop")
    sprt = stop.get("sprt") if isinstance(stop, dict) else None
    chosen = value.get("format", "round-robin")
    if sprt is None and chosen != COMPARE:
        return
    if chosen not in (COMPARE, "round-robin"):
        text = "a comparison of one bot with the others; expected the format compare"
        yield Problem(("stop", "sprt"), text)
    if len(games) > 1:
        yield Problem(("games",), f"a comparison is of one game, found {len(games)}")
    for game in list(games.values())[:1]:
        if game.num_players < 2:
            yield Problem(next(iter(games)), f"{game} is for 1 player: there is nobody to compare")
        elif len(entries) > game.num_players and not any(map(_is_pattern, entries)):
            yield Problem(("bots",), too_many(str(game), game.num_players, len(entries)))
    if isinstance(sprt, dict):
        low, high = (sprt.get(key, default) for key, default in (("elo0", 0), ("elo1", 20)))
        numbers = all(isinstance(elo, int | float) for elo in (low, high))
        if numbers and low >= high:
            text = f"expected elo0 below elo1, found {low:g} and {high:g}"
            yield Problem(("stop", "sprt"), text)


def _one_of(mapping: Values, keys: tuple[str, ...], path: KeyPath) -> Iterator[Problem]:
    """Check that just one of some keys is given."""
    given = [key for key in keys if mapping.get(key) is not None]
    names = " or ".join(keys)
    if not given:
        yield Problem(path, f"missing; expected {names}" + (" here" if path else ""))
    for key in given[1:]:
        yield Problem((*path, key), f"expected only one of {names}, found {given[0]} too")
