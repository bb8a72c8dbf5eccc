"""Parts of a schedule, for machines that share a tournament without a network between them.

A part is dealt whole blocks, so that any N parts together are the schedule and no two have a match
in common. Each has as much to do as the others, give or take a block of each game, and as much with
any pairing and, roughly, with any bot: in a round-robin every second block may be one bot's, and
parts that took turns would not be alike. More rounds leave every block in the part it was in.
"""

from __future__ import annotations

import random
import re
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from arena.schedule.blocks import Blocks
from arena.schedule.seeds import part_seed
from arena.values.errors import UsageError
from arena.values.untrusted import show
from engines.core.chance import shuffled

__all__ = ["MOST_PARTS", "Part", "Share", "parse_part"]

MOST_PARTS = 10_000


class Part(NamedTuple):
    """Part ``number`` of ``of``, counted from 1; as text ``1/2``."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_part(text: str) -> Part:
    """Read ``I/N``; the inverse of ``str``.

    Raises:
        UsageError: it is written differently, or there is no such part.

    >>> parse_part("2/3")
    Part(number=2, of=3)
    """
    found = re.fullmatch("([1-9][0-9]{0,4})/([1-9][0-9]{0,4})", text)
    part = None if found is None else Part(*map(int, found.groups()))
    if part is not None and part.number <= part.of <= MOST_PARTS:
        return part
    raise UsageError(
        f"expected I/N, part I of N, such as 1/2, and N at most {MOST_PARTS:,}; "
        f'found "{show(text, 40)}"{_near(text)}'
    )


def _near(text: str) -> str:
    """Return what may have been meant, as the end of a sentence."""
    numbers = [max(1, int(digits)) for digits in re.findall("[0-9]{1,6}", text)]
    if len(numbers) == 1:
        numbers.insert(0, 1)
    if len(numbers) != 2 or max(numbers) > MOST_PARTS:
        return ""
    number, of = numbers
    if number > of:  # all machines must say the same N, so it is not guessed
        return f"; the last part of {of} is {Part(of, of)}"
    return f'; did you mean "{Part(number, of)}"?'


class Share:
    """The numbers of the matches in one part of a schedule."""

    def __init__(self, part: Part, schedule: Blocks) -> None:
        self._part, self._of = part.number - 1, part.of
        self._schedule = schedule
        # each game begins in another part, so that what is left over is not always the same one's
        self._first = [sum(schedule.meetings[:game]) for game in range(len(schedule.meetings))]
        self._length = sum(map(self._count, range(len(schedule.meetings))))

    def __len__(self) -> int:
        return self._length

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int) or not 0 <= number < len(self._schedule):
            return False
        place = self._schedule.place(number)
        return self._part_of(place.k, place.game, place.meeting) == self._part

    def _part_of(self, k: int, game: int, meeting: int) -> int:
        """Return whose a block is, counted from 0.

        The meetings of a game are taken N at a time. Each N of them are in N different parts, in
        an order that is drawn once, and every round moves them on by one part. The fewer than N at
        the end are dealt in turn, over all rounds.
        """
        of, meetings = self._of, self._schedule.meetings[game]
        group, slot = divmod(meeting, of)
        rest = meetings % of
        if meeting < meetings - rest:
            found = _order(of, group)[slot] + k
        else:
            found = _in_turn(k * rest + slot, rest, of)
        return (found + self._first[game]) % of

    def _count(self, game: int) -> int:
        """Return how many matches of a game are in the part, without looking at all of them."""
        of, meetings = self._of, self._schedule.meetings[game]
        rounds, last = self._schedule.rounds(game)  # whole ones, and meetings after them
        groups, rest = divmod(meetings, of)
        whole, some = divmod(min(last, groups * of), of)
        blocks = rounds * groups + whole
        blocks += sum(
            self._part_of(rounds, game, whole * of + slot) == self._part for slot in range(some)
        )
        dealt = rounds * rest + max(0, last - groups * of)
        blocks += dealt // of  # one of each N in turn
        mine = (self._part - self._first[game]) % of
        blocks += sum(_in_turn(n, rest, of) == mine for n in range(dealt - dealt % of, dealt))
        return blocks * self._schedule.players[game]


def _in_turn(number: int, each: int, of: int) -> int:
    """Return whose turn it is, so that each N in a row are in N parts.

    Where ``each`` blocks a round would always come to the same parts, it moves on by one.
    """
    return (number + number // lcm(each, of)) % of


@lru_cache(maxsize=64)
def _order(of: int, group: int) -> tuple[int, ...]:
    """Return the parts in the order drawn for some meetings in a row."""
    return tuple(shuffled(random.Random(part_seed(of, group)), range(of)))
