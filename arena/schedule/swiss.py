"""Swiss: in each round all meet opponents with about as many points, and none twice.

The first round is drawn from the tournament's seed, and so is the order among those who have the
same points. With an odd number, the lowest of those with the fewest byes has a bye, which is worth
a point; only where that would make two meet again who need not, it is the bye of another of them.
A meeting is ``blocks`` blocks, in all seatings each, so that everybody sits everywhere equally
often in every round.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations

from arena.schedule.matching import match_up, pair_up
from arena.schedule.plan import Meeting, Past, Plan, TablePlace
from arena.schedule.seeds import round_seed
from arena.values.model import Tournament
from engines.core.chance import shuffled


class Swiss:
    """The format, for games for two."""

    name = "swiss"
    bot_order_counts = False
    grows_by = frozenset({"rounds"})
    keys = frozenset({"rounds", "blocks"})

    def plan(
        self,
        tournament: Tournament,
        entrants: Sequence[str],
        past: Sequence[Past],
        out: Collection[str],
    ) -> Plan | None:
        """Return the round after those that are over, or ``None`` when there is none.

        Args:
            tournament: the rules of it.
            entrants: the names of those who are entered, the best seed first.
            past: all rounds so far, with what they brought.
            out: those who are taken out or suspended now.
        """
        left = sorted(set(entrants).difference(out))
        if len(past) >= tournament.rounds or len(left) < 2:
            return None
        assert tournament.seed is not None, "a tournament that has started has a seed"
        number = len(past) + 1
        drawn = shuffled(random.Random(round_seed(tournament.seed, self.name, number)), left)
        points, byes, met = _history(past)
        order = sorted(drawn, key=lambda name: -points.get(name, 0))
        bye = _bye(order, byes, met)
        if bye is not None:
            order.remove(bye)

        def together(one: int, other: int) -> int:
            return met[frozenset((order[one], order[other]))]

        meetings = [
            Meeting((order[one], order[other])) for one, other in pair_up(len(order), together)
        ]
        if bye is not None:
            meetings.append(Meeting((bye,)))
        first = len(past) * tournament.blocks
        return Plan(number, tuple(range(first, first + tournament.blocks)), tuple(meetings))

    def most_matches(self, tournament: Tournament, entrants: int) -> int:
        """Return how many matches there are at most."""
        games = len(tournament.games)
        return tournament.rounds * (entrants // 2) * 2 * tournament.blocks * games

    def places(self, past: Sequence[Past], under_way: Plan | None) -> dict[str, TablePlace]:
        """Return each entrant's points from the rounds that are over."""
        points, _, _ = _history(past)
        for meeting in under_way.meetings if under_way is not None else ():
            for name in meeting.entrants:
                points.setdefault(name, Fraction(0))
        return {name: TablePlace(own, points=own) for name, own in points.items()}


def _history(
    past: Sequence[Past],
) -> tuple[dict[str, Fraction], Counter[str], Counter[frozenset[str]]]:
    """Return each entrant's points and number of byes, and how often two were to meet."""
    points: dict[str, Fraction] = {}
    byes: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    for plan, brought in past:
        for meeting, shares in zip(plan.meetings, brought, strict=True):
            for name, share in zip(meeting.entrants, shares, strict=True):
                points[name] = points.get(name, Fraction(0)) + share
            if len(meeting.entrants) == 1:
                byes.update(meeting.entrants)
            met.update(map(frozenset, combinations(meeting.entrants, 2)))
    return points, byes, met


def _bye(order: list[str], byes: Counter[str], met: Counter[frozenset[str]]) -> str | None:
    """Return who has a bye, if the number is odd; ``order`` has the best first."""
    if len(order) % 2 == 0:
        return None
    fewest = min(byes[name] for name in order)
    lowest = max(at for at, name in enumerate(order) if byes[name] == fewest)
    # the one beyond the last stands for the bye
    last = len(order)
    near = [
        [
            other
            for other in range(last)
            if met[frozenset((name, order[other]))] == 0 and other != at
        ]
        for at, name in enumerate(order)
    ]
    without = [[other for other in others if other != lowest] for others in near]
    without[lowest] = []
    if sum(other >= 0 for other in match_up(without)) == last - 1:
        return order[lowest]
    able = [at for at, name in enumerate(order) if byes[name] == fewest]
    for at in able:
        near[at].append(last)
    return order[match_up([*near, able], [(lowest, last)])[last]]


FORMAT = Swiss()
