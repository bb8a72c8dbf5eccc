"""A schedule that grows: who is in it, and the numbers that its matches get."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from typing import Protocol

from arena.schedule.formats import PlannedFormat, find_format
from arena.schedule.seeds import match_id
from arena.values.model import Tournament


class Version(Protocol):
    """An entrant, and the name of the line that it is another version of, if it is one."""

    @property
    def name(self) -> str: ...

    @property
    def line(self) -> str: ...


def with_versions(
    tournament: Tournament, names: Iterable[str], entries: Iterable[Version]
) -> tuple[Tournament, tuple[str, ...]]:
    """Return a tournament, and who is in its schedule: each line with all versions of it.

    A version that was replaced stays there, and is out. Not for formats that plan rounds.

    Args:
        tournament: it.
        names: those of the lines, in the order of the file.
        entries: the entrants.
    """
    versions: dict[str, list[str]] = {name: [name] for name in names}
    for entry in entries:
        if entry.line in versions:
            versions[entry.line].append(entry.name)
    every = list(versions.values())
    count = sum(map(len, every[: tournament.challengers]))
    if not isinstance(tournament.apart, str):
        groups = [[versions.get(name, []) for name in group] for group in tournament.apart]
        apart = tuple([tuple(chain.from_iterable(group)) for group in groups])
        tournament = replace(tournament, apart=apart)
    return replace(tournament, challengers=count), tuple(chain.from_iterable(every))


def renumbering(
    label: str, tournament: Tournament, names: tuple[str, ...]
) -> Callable[[str], int | None] | None:
    """Return a function that finds the number of a match, by its id, in a schedule that has grown.

    Matches of added bots or games stand between the earlier matches. The function goes through the
    schedule only as far as the last match that it was asked for.

    Args:
        label: what the edition is called.
        tournament: as for ``with_versions``, which gives it.
        names: likewise.

    Returns:
        The function, which returns ``None`` for a match that is not in the schedule. For a format
        that plans rounds there is no function but ``None``, since every match keeps its number.
    """
    format_ = find_format(tournament.format)
    if isinstance(format_, PlannedFormat):
        return None
    matches = iter(format_.schedule(tournament, names))
    numbers: dict[str, int] = {}

    def renumber(name: str) -> int | None:
        while name not in numbers and (match := next(matches, None)) is not None:
            numbers[match_id(label, match.block, match.seating)] = match.number
        return numbers.get(name)

    return renumber
