"""Tournaments without a file: names for a bot in several seats, openings, a name for it all."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace

from arena.tournament.names import MAX_COLUMNS, name_of_text, same_name
from arena.values.model import BotEntry, Opening, Tournament
from engines import Game

PLIES = 2  # random ones that open a game whose deals are all alike
LONGEST, DIGITS = 15, 10  # characters of a part of a made name, and of its mark
DEALS = 16  # looked at, for whether they are


def numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Give a bot that has several seats a number in each but the first.

    >>> numbered(["oak", "elm", "elm"])
    ('oak', 'elm', 'elm#2')
    """
    found: list[str] = []
    for name in names:
        number, choice = 1, name
        while same_name(choice) in map(same_name, found):
            number += 1
            mark = f"#{number}"
            choice = name_of_text(name, MAX_COLUMNS - len(mark)) + mark
        found.append(choice)
    return tuple(found)


def usual_opening(game: Game) -> Opening:
    """Return the random opening that a game needs so that not every match begins alike."""
    alike = len({game.setup(seed) for seed in range(DEALS)}) == 1
    return Opening(plies=PLIES if alike else 0)


def seat_two(tournament: Tournament, game: Game, lone: BotEntry, rest: BotEntry) -> Tournament:
    """Return a tournament with a bot in one seat of a game, one (maybe the same) in all others."""
    entries = [lone, *[rest] * (game.num_players - 1)]
    names = numbered([entry.name for entry in entries])
    bots = [replace(entry, name=name) for entry, name in zip(entries, names, strict=True)]
    return replace(tournament, games=(str(game),), bots=tuple(bots))


def made_name(*parts: str, mark: str) -> str:
    """Return a tournament's name for people, with the begin of a hash of what is played.

    >>> made_name("compare", "mcts --simulations 50", "leaves", mark="0123456789abcdef")
    'compare-mcts-simulation-leaves-0123456789'
    """
    plain = [_plain(part)[:LONGEST].strip("-.") for part in parts]
    return "-".join([*(part or "bot" for part in plain), mark[:DIGITS]])


def name_of_bots(games: Sequence[str], bots: Sequence[str]) -> str:
    """Return the name of a tournament that no file names: who plays what.

    >>> name_of_bots(["leaves"], ["./oak", "mcts --simulations 50"])
    'leaves-oak-mcts-simulations-50'
    """
    name = "-".join(filter(None, (_plain(part).strip("-.") for part in (*games, *bots))))
    if name and len(name) <= MAX_COLUMNS:
        return name
    mark = hashlib.sha256(repr((games, bots)).encode()).hexdigest()
    return made_name(games[0], f"{len(bots)} bots", mark=mark)


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9@._]+", "-", text)
