"""Results made up for tests of the order-free table: of players whose skills are known."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from arena.ratings.closed_form import BETA, MU
from arena.ratings.likelihoods import Block
from arena.ratings.order_free import Outcome


def won(*names: str) -> Outcome:
    """Return the outcome in which these came in this order."""
    return names, tuple(range(1, len(names) + 1))


def drawn(*names: str) -> Outcome:
    """Return the outcome in which these shared the first rank."""
    return tuple(sorted(names)), (1,) * len(names)


def order(ranks: Mapping[str, int]) -> Outcome:
    """Return the outcome in which these had those ranks."""
    ranked = sorted((rank, name) for name, rank in ranks.items())
    return tuple([name for _, name in ranked]), tuple([rank for rank, _ in ranked])


class Rules(NamedTuple):
    """Who plays what: round-robins of players with skills of a normal law.

    ``deal`` is how much a deal favours one seat, and ``mood`` how much it favours one player from
    whatever seat, as standard deviations of a performance; ``margin`` makes draws.
    """

    bots: int
    rounds: int
    players: int = 2
    skills: float = 4.0
    margin: float = 1.0
    deal: float = 0.0
    mood: float = 0.0


class Simulated(NamedTuple):
    """Blocks that were played, and by how much each player is truly above the mean, in mu.

    What deals add to performances makes every result less sure, as if skills were less apart; that
    is what ratings can know of, and so it is the truth here.
    """

    blocks: dict[Block, int]
    truth: dict[str, float]


def simulate(rules: Rules, rng: random.Random) -> Simulated:
    """Play a tournament."""
    names = [f"bot{number:02}" for number in range(rules.bots)]
    skill = {name: rng.gauss(MU, rules.skills) for name in names}
    blocks: dict[Block, int] = {}
    for group in combinations(names, rules.players):
        for _ in range(rules.rounds):
            seats = [rng.gauss(0.0, rules.deal) for _ in group]
            luck = {name: skill[name] + rng.gauss(0.0, rules.mood) for name in group}
            block = tuple(sorted(_matches(group, seats, luck, rules.margin, rng)))
            blocks[block] = blocks.get(block, 0) + 1
    mean = sum(skill.values()) / len(names)
    shrink = sqrt(1.0 + (rules.deal**2 + rules.mood**2) / BETA**2)
    return Simulated(blocks, {name: (skill[name] - mean) / shrink for name in names})


def _matches(
    group: tuple[str, ...],
    seats: list[float],
    luck: Mapping[str, float],
    margin: float,
    rng: random.Random,
) -> Iterable[Outcome]:
    for turn in range(len(group)):
        turned = group[turn:] + group[:turn]
        performances = sorted(
            (-(luck[name] + seat + rng.gauss(0.0, BETA)), name)
            for name, seat in zip(turned, seats, strict=True)
        )
        ranks: dict[str, int] = {}
        for place, (performance, name) in enumerate(performances):
            before, rival = performances[place - 1] if place else (0.0, "")
            level = place > 0 and performance - before <= margin
            ranks[name] = ranks[rival] if level else place + 1
        yield order(ranks)
