"""The Tree against a second, plain reading of its rules, on random games.

That nothing hidden is seen or told is asked of all games: ``test_conformance.py``.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

import engines
from engines.core.chance import pick

GAMES = [
    "the_tree",
    "the_tree(players=1)",
    "the_tree(players=3,play_on=yes,hand=4)",
    "the_tree(players=4)",
    "the_tree(players=2,hand=2)",
    "the_tree(above=half)",
    "the_tree(players=3,play_on=yes,above=half)",
]


class Plain(NamedTuple):
    """A position in the plainest terms: symbols by cell, hands and supply as lists of tiles."""

    cells: dict[tuple[int, int], int]
    lefts: set[tuple[int, int]] | None  # where tiles begin, if none may lie exactly above another
    hands: list[list[str]]
    supply: list[str]
    to: int | None
    out: list[int]


def read(observation: str, *, half: bool = False) -> Plain:
    """Read the five fields of ``observation(None)``."""
    board, hands, supply, to, out = observation.split(" ")
    cells, lefts = {}, set()
    for tile in board.split(","):
        symbols, _, place = tile.partition("@")
        x, y = map(int, place.split(":"))
        cells[x, y], cells[x + 1, y] = map(int, symbols)
        lefts.add((x, y))
    return Plain(
        cells,
        lefts if half else None,
        [[] if hand == "-" else hand.split(",") for hand in hands.split("/")],
        [] if supply == "-" else supply.split(","),
        None if to == "-" else int(to),
        [] if out == "-" else [int(player) for player in out.split(",")],
    )


def may_stand(above: int, below: int) -> bool:
    """Ring rule: the rings above are those below and one more."""
    return above in {below + ring for ring in (1, 2, 4) if not below & ring}


def legal(cells: dict[tuple[int, int], int], left: int, right: int, x: int, y: int) -> bool:
    """Rules a to d, one after another."""
    halves = {(x, y): left, (x + 1, y): right}
    if any(cell in cells for cell in halves):
        return False
    if not any((cx, cy - 1) in cells for cx, cy in halves):
        return False
    for (cx, cy), symbol in halves.items():
        if (cx, cy - 1) in cells and not may_stand(symbol, cells[cx, cy - 1]):
            return False
        if (cx, cy + 1) in cells and not may_stand(cells[cx, cy + 1], symbol):
            return False
    return True


def all_legal(position: Plain, player: int) -> list[str]:
    """Try every tile of the hand in every place, in the documented order."""
    xs = [x for x, _ in position.cells]
    ys = [y for _, y in position.cells]
    found = []
    for tile in position.hands[player]:
        low, high = int(tile[0]), int(tile[1])
        for y in range(max(ys) + 2):
            for x in range(min(xs) - 2, max(xs) + 3):
                for left, right in [(low, high), (high, low)][: 1 if low == high else 2]:
                    whole = position.lefts is not None and (x, y - 1) in position.lefts
                    if not whole and legal(position.cells, left, right, x, y):
                        found.append(f"{left}{right}@{x}:{y}")
    return found


def after(game: engines.Game, position: Plain, action: str) -> tuple[Plain, list[str]]:
    """Play an action: the next position, and the public events."""
    cells, hands, supply = dict(position.cells), [*map(list, position.hands)], [*position.supply]
    lefts = position.lefts
    out, player, n = [*position.out], position.to, len(position.hands)
    assert player is not None
    left, right = int(action[0]), int(action[1])
    x, y = map(int, action[3:].split(":"))
    hands[player].remove("".join(sorted(action[:2])))
    both_below = (x, y - 1) in cells and (x + 1, y - 1) in cells
    some_above = (x, y + 1) in cells or (x + 1, y + 1) in cells
    cells[x, y], cells[x + 1, y] = left, right
    lefts = None if lefts is None else {*lefts, (x, y)}
    events = []

    def following(p: int) -> int:
        return next(q % n for q in range(p + 1, p + n + 1) if q % n not in out)

    if not hands[player]:
        out.append(player)
        events.append(f"out {player} {len(out)}")
        last = n if n == 1 else n - 1
        if game.parameters["play_on"] == "no" or len(out) == last:
            return Plain(cells, lefts, hands, supply, None, out), events
        player = following(player)
    elif both_below or some_above:
        events.append(f"extra {player}")
    else:
        player = following(player)

    passed: set[int] = set()
    while not all_legal(Plain(cells, lefts, hands, supply, player, out), player):
        if supply:
            events.append(f"draw {player}")
            hands[player] = sorted([*hands[player], supply.pop(0)])
            passed = set()
        else:
            passed.add(player)
        events.append(f"pass {player}")
        if len(passed) == n - len(out):
            events.append("blocked")
            return Plain(cells, lefts, hands, supply, None, out), events
        player = following(player)
    return Plain(cells, lefts, hands, supply, player, out), events


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_engine_agrees_with_the_plain_reading(name: str) -> None:
    """Legal actions in order, the next position and the public events are those of the rules."""
    game = engines.load_game(name)
    for seed in range(3):
        state = game.new_initial_state(game.setup(seed))
        rng = random.Random(seed)
        while not state.is_terminal():
            (player,) = state.players_to_act()
            half = game.parameters["above"] == "half"
            position = read(state.observation(None), half=half)
            assert state.legal_actions(player) == tuple(all_legal(position, player))
            action = pick(rng, state.legal_actions(player))
            state = state.apply_action(player, action)
            expected, events = after(game, position, action)
            assert read(state.observation(None), half=half) == expected
            assert [event.text for event in state.events() if event.player is None] == events
