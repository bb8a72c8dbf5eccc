"""The numbers that matches get when the schedule of their tournament grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from arena.schedule.blocks import BlocksFormat
from arena.schedule.formats import find_format
from arena.schedule.interface import PlannedFormat
from arena.schedule.seeds import match_id
from arena.values.model import Match, Tournament

__all__ = ["renumbering"]


def renumbering(
    label: str,
    before: Mapping[str, Any],
    tournament: Tournament,
    names: tuple[str, ...],
) -> Callable[[int, str], int | None] | None:
    """Return what gives a match, by its number and its id, its number in the schedule it has now.

    Only more bots or games come between matches; more rounds come after them.

    Args:
        label: what the edition is called.
        before: what was kept of it: its ``programs`` and ``games``.
        tournament: what it is now, with its seed.
        names: of all its entrants, in the order of the file.

    Returns:
        It gives ``None`` for a match that the schedule does not have; ``None`` where every match
        keeps its number.
    """
    old_names = tuple([name for name in names if name in before["programs"]])
    format_, games = find_format(tournament.format), tuple(before["games"])
    grows = (len(names), len(tournament.games)) != (len(old_names), len(games))
    if isinstance(format_, PlannedFormat) or not grows:
        return None

    def name_of(match: Match) -> str:
        return match_id(label, match.block, match.seating)

    if not isinstance(format_, BlocksFormat):  # of a plug-in, in an order that only it knows
        round_ = format_.next_round(tournament, names, 0, ()) or ()
        matches = map(round_.__getitem__, range(len(round_)))
        numbers = {name_of(match): match.number for match in matches}
        return lambda number, name: numbers.get(name)
    old = format_.schedule(replace(tournament, games=games), old_names)
    new = format_.schedule(tournament, names)

    def renumber(number: int, name: str) -> int | None:
        known = number < len(old) and name_of(old[number]) == name
        return new.number(old[number]) if known else None

    return renumber
