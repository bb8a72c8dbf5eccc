"""A new tournament file to begin from, with bots that are there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from arena.bots.bundled import list_bots
from arena.bots.find import parse_bot, parse_ref
from arena.tournament.new_file import new_file
from arena.tournament.two_bots import usual_opening
from arena.values.errors import BotError, UsageError, hint
from arena.values.model import PATTERN
from arena.values.shipped import shipped_tournaments
from engines import load_game

USUAL = ("greedy", "random")  # in a home without submitted bots


def new_tournament(file: Path, game: str, home: Path, bots: Sequence[str] = ()) -> None:
    """Write a tournament file with a comment beside each key.

    Args:
        file: where to; paths of bots are written as they are seen from its folder.
        game: what is played.
        home: where submitted bots are looked up.
        bots: who plays: names, paths, or the word ``all``; without any, all submitted bots, or two
            that come with the arena if there are none.

    Raises:
        BotError: there is no such bot.
        UsageError: the file is there already, or a bot has arguments.
        UnknownGame: there is no such game.
    """
    rules = load_game(game)
    there = {bot.name: bot.origin for bot in list_bots(home)}
    if not bots:
        bots = ("all",) if "submitted" in there.values() else USUAL
    lines = ["all"] if list(bots) == ["all"] else [_line(bot, file, [*there]) for bot in bots]
    _write(file, new_file(str(file), str(rules), lines, alike=usual_opening(rules).plies > 0))


def copy_shipped(file: Path, name: str) -> None:
    """Write a tournament file that comes with the arena.

    Raises:
        UsageError: there is no tournament of that name, or the file is there already.
    """
    shipped = shipped_tournaments()
    if name not in shipped:
        raise UsageError(f'no tournament "{name}" comes with the arena{hint(name, [*shipped])}')
    _write(file, shipped[name].read_text(encoding="utf-8"))


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise UsageError(f"{file} exists already, and is left as it is") from None


def _line(text: str, file: Path, known: Sequence[str]) -> str:
    """Return what a list of bots in the file says for a bot of the command line."""
    entry = parse_bot(text)
    if entry.args:
        raise UsageError(f'"{text}": the file that is written shows where arguments go')
    if entry.run is not None:
        if not os.path.exists(entry.run):
            raise BotError(f"{text}: there is no such file or folder")
        path = os.path.relpath(entry.run, file.parent)
        return path if "/" in path else f"./{path}"
    assert entry.ref is not None, "it is no path"
    if PATTERN.isdisjoint(entry.ref) and (name := parse_ref(entry.ref)[0]) not in known:
        raise BotError(f'there is no bot "{name}"{hint(name, known)}')
    return entry.ref
