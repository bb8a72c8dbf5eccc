"""A position of a recorded match, to play on from: ``MATCH#12`` is where 12 actions were played."""

from __future__ import annotations

from typing import NamedTuple

from arena.record.replay import nodes
from arena.review.reproduction import check_rules, find_record, positions
from arena.values.arguments import PathLike, require
from arena.values.errors import UsageError
from engines.core.text import natural


class Branch(NamedTuple):
    """A game, its setup, and what was played from there, the opening included."""

    game: str
    setup: str
    actions: tuple[tuple[int, str], ...]


def branch_at(position: str, home: PathLike) -> Branch:
    """Return how a position of a match was reached.

    Args:
        position: the match as everywhere, ``#``, and after how many actions, counted as ``arena
            show`` does.
        home: the arena's home.

    Raises:
        UsageError: there is no such position, or no match can begin there.
        EngineError: its game is not here.
        RecordError: there is no such match, or its rules are not those that are here.
    """
    require(position, str, "position", 'a text like "1ac9#12"')
    match, sign, text = position.rpartition("#")
    count = natural(text)
    if not match or not sign or count is None:
        raise UsageError(f'expected MATCH#N, such as 1ac9#12 or 1ac9#0, found "{position}"')
    record = find_record(match, home, shown=True)
    check_rules(record, "played on")
    states = positions(record)
    done = (*record.opening, *record.actions)
    if count > len(done):
        raise UsageError(f"{position}: the match has {len(done)} actions")
    actions = []
    for index, (player, action) in enumerate(done[:count]):
        if action is None:
            raise UsageError(
                f"{position}: player {player} was dropped before, so a match can be played on from "
                f"#{index} at the latest"
            )
        actions.append((player, action))
    if states[count].is_terminal():
        raise UsageError(f"{position}: the game is over there")
    begun = 0
    for start, end in nodes(actions, states):
        begun = end if end - start == len(states[start].players_to_act()) else start
    if begun != count:
        raise UsageError(
            f"{position}: players decide at the same time there, and not all of them have: "
            f"the position before is #{begun}"
        )
    return Branch(record.game, record.setup, tuple(actions))
