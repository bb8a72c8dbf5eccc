"""The legal turns of a position: listed, counted, drawn, counted in sequences, and done.

A turn is one placement, or two. What is legal depends on the outline of the tree alone, so counting
works on outlines: positions that differ in colours only are counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from engines.core.chance import below
from engines.core.errors import IllegalAction
from engines.core.interface import Game
from engines.core.typed import TYPE_CHECKING, NamedTuple
from engines.leaves.reach import distances
from engines.leaves.tree import (
    CLOCKWISE,
    GROWS,
    SIDES,
    grows,
    is_whole,
    lengthened,
    line_of,
    lines,
    outline,
    push,
    size,
)

if TYPE_CHECKING:
    import random


class Rules(NamedTuple):
    """The parameters that say which turns are legal."""

    any_distance: bool
    turns: str  # clockwise | single | free

    def second_sides(self, first: str) -> str:
        """Return the sides that a turn's second leaf may come from."""
        return SIDES if self.turns == "free" else CLOCKWISE[first]


class RuledGame(Game):
    """What positions ask of their game.

    Attributes:
        rules: the parameters.
        box: the most rows and columns of a game by one.
    """

    rules: Rules
    box: tuple[int, int]


class Placement(NamedTuple):
    """One leaf pushed in: the side it comes from, the line (from 1), the distance."""

    side: str
    line: int
    distance: int = 1


Turn = tuple[Placement, ...]

Plan = tuple[tuple[int, int], ...]  # players, and how many leaves they place


@lru_cache(maxsize=256)
def turn_sizes(rules: Rules, player: int, hands: tuple[int, int], leaves: int) -> Plan:
    """Return who places how many leaves in this turn and in all turns to come."""
    left, plan = list(hands), []
    while leaves:
        plan.append((player, leaves))
        left[player] -= leaves
        player, leaves = size_after(rules, player, left)
    return tuple(plan)


def size_after(rules: Rules, player: int, hands: Sequence[int]) -> tuple[int, int]:
    """Return who acts after ``player``'s turn, and how many leaves they place; 0 when over."""
    if hands[1 - player]:
        player = 1 - player
    return player, min(hands[player], 1 if rules.turns == "single" else 2)


def listing(board: bytes, sides: str, leaves: int, rules: Rules) -> list[str]:
    """Return the legal turns as text, in the documented order."""
    found: list[str] = []
    if not rules.any_distance:
        for texts in _texts_by_side(board, sides, leaves, rules):
            found += texts
        return found
    shape = outline(board)
    for side, line, distance in _placements(shape, sides, rules):
        first = f"{side}{line}:{distance}"
        if leaves == 1:
            found.append(first)
            continue
        after = push(shape, side, line, distance, b"#")
        for second in rules.second_sides(side):
            head = f"{first}-{second}" if rules.turns == "free" else f"{first}-"
            found += [
                f"{head}{number}:{far}"
                for number, legal in enumerate(distances(after, second), start=1)
                for far in legal
            ]
    return found


@cache
def turns_within(box: tuple[int, int], rules: Rules) -> tuple[str, ...]:
    """Return all turns by one in boxes of up to so many rows and columns, as text."""
    height, width = box
    ones = {side: _numbered(side, width if side in "NS" else height) for side in SIDES}
    texts = [text for side in SIDES for text in ones[side]]
    if rules.turns != "single":
        for side, firsts in ones.items():
            for second in rules.second_sides(side):
                seconds = [text if rules.turns == "free" else text[1:] for text in ones[second]]
                texts += [f"{first}-{text}" for first in firsts for text in seconds]
    return tuple(texts)


def _texts_by_side(
    board: bytes, sides: str, leaves: int, rules: Rules
) -> Iterator[tuple[str, ...]]:
    """Yield the turns of leaves pushed by one, for each side of the first leaf."""
    height, width = size(board)
    if leaves == 1:
        for side in sides:
            yield _numbered(side, width if side in "NS" else height)
        return
    columns, rows = lengthened(board)
    for side in sides:
        if side in "NS":
            yield _turns_from(side, width, height, columns.translate(GROWS[side]), rules.turns)
        else:
            yield _turns_from(side, height, width, rows.translate(GROWS[side]), rules.turns)


@lru_cache(maxsize=1 << 12)  # few patterns of lines that become longer make up most of all trees
def _turns_from(side: str, breadth: int, length: int, longer: bytes, turns: str) -> tuple[str, ...]:
    """Return the turns of two leaves whose first one comes from a side.

    Args:
        side: where from.
        breadth: the number of lines to push it along.
        length: the number of cells of each.
        longer: for each line 1 if the push makes it longer, else 0.
        turns: the parameter of this name.
    """
    texts: list[str] = []
    for line in range(breadth):
        for second in SIDES if turns == "free" else CLOCKWISE[side]:
            head = f"{side}{line + 1}-{second}" if turns == "free" else f"{side}{line + 1}-"
            across = (second in "NS") != (side in "NS")
            texts += _numbered(head, length + longer[line] if across else breadth)
    return tuple(texts)


@lru_cache(maxsize=1 << 12)
def _numbered(head: str, number: int) -> tuple[str, ...]:
    return tuple(f"{head}{line}" for line in range(1, number + 1))


def _placements(shape: bytes, sides: str, rules: Rules) -> Iterator[tuple[str, int, int]]:
    """Yield the legal placements of one leaf, in order: side, line, distance."""
    for side in sides:
        if rules.any_distance:
            for line, legal in enumerate(distances(shape, side), start=1):
                for distance in legal:
                    yield side, line, distance
        else:
            for line in range(1, lines(shape, side) + 1):
                yield side, line, 1


def count(board: bytes, sides: str, leaves: int, rules: Rules) -> int:
    """Return the number of legal turns."""
    shape = outline(board)
    if leaves == 1:
        return sum(_singles(shape, side, rules) for side in sides)
    if rules.any_distance:
        return sum(
            times * _singles(after, side, rules)
            for (after, seconds), times in _placed(shape, sides, rules).items()
            for side in seconds
        )
    return sum(map(len, _texts_by_side(board, sides, leaves, rules)))


def _singles(shape: bytes, side: str, rules: Rules) -> int:
    """Return the number of legal placements from one side."""
    return sum(map(len, distances(shape, side))) if rules.any_distance else lines(shape, side)


def _placed(shape: bytes, sides: str, rules: Rules) -> Counter[tuple[bytes, str]]:
    """Count the outlines, and the sides of the leaf after it, that placing one leaf leads to."""
    return Counter(
        (push(shape, side, line, distance, b"#"), rules.second_sides(side))
        for side, line, distance in _placements(shape, sides, rules)
    )


def sequences(board: bytes, sides: str, plan: Sequence[int], rules: Rules) -> int:
    """Count the sequences of turns in which the i-th turn places ``plan[i]`` leaves; it has one."""
    level = Counter({(outline(board), sides): 1})
    for leaves in plan[:-1]:
        for last in range(leaves, 0, -1):
            level = _next_level(level, rules, turn_ends=last == 1)
    return sum(
        times * count(shape, first, plan[-1], rules) for (shape, first), times in level.items()
    )


def _next_level(
    level: Counter[tuple[bytes, str]], rules: Rules, *, turn_ends: bool
) -> Counter[tuple[bytes, str]]:
    """Place one leaf in every way; the keys are outlines with the sides of the leaf to come."""
    found = Counter[tuple[bytes, str]]()
    for (shape, sides), times in level.items():
        for (after, seconds), ways in _placed(shape, sides, rules).items():
            again = turn_ends and rules.turns != "single"
            found[after, SIDES if again else seconds] += times * ways
    return found


def random_turn(board: bytes, sides: str, leaves: int, rules: Rules, rng: random.Random) -> Turn:
    """Draw a legal turn, uniformly: one of a larger set, again and again until it is legal."""
    find = _try_any if rules.any_distance else _try_one
    while (turn := find(board, sides, leaves, rules, rng)) is None:
        pass
    return turn


def _try_one(
    board: bytes, sides: str, leaves: int, rules: Rules, rng: random.Random
) -> Turn | None:
    """Draw placements by one: those of the second leaf as many as any first one may leave."""
    height, width = size(board)
    first = _nth(height, width, sides, below(rng, _total(height, width, sides)))
    if leaves == 1:
        return (first,)
    # no first push leaves more lines than these to the second leaf
    most = 2 * (height + width) + 2 if rules.turns == "free" else max(height, width) + 1
    seconds, number = rules.second_sides(first.side), below(rng, most)
    if rules.turns == "free" or number >= _total(height, width, seconds):
        longer = grows(line_of(board, first.side, first.line), first.side)
        height, width = (height + longer, width) if first.side in "NS" else (height, width + longer)
        if number >= _total(height, width, seconds):
            return None
    return first, _nth(height, width, seconds, number)


def _total(height: int, width: int, sides: str) -> int:
    return sum(width if side in "NS" else height for side in sides)


def _nth(height: int, width: int, sides: str, number: int) -> Placement:
    for side in sides:
        here = width if side in "NS" else height
        if number < here:
            return Placement(side, number + 1)
        number -= here
    raise AssertionError(f"no placement {number} from {sides} in a box of {height} by {width}")


def _try_any(
    board: bytes, sides: str, leaves: int, rules: Rules, rng: random.Random
) -> Turn | None:
    """Draw placements of any distance from two boxes: the tree's, and the largest it can get.

    A row and a column make a placement from any side: one is the line, the other the distance. A
    first push makes the box longer by its distance at most, so at most twice as long.
    """
    height, width = size(board)
    first = _in_box(height, width, sides, rng)
    after = push(board, *first, b"#")
    if leaves == 1:
        return (first,) if _is_legal(board, first, after) else None
    vertical = first.side in "NS"
    second = _in_box(
        height * 2 if vertical else height,
        width if vertical else width * 2,
        rules.second_sides(first.side),
        rng,
    )
    tall, wide = size(after)
    limits = (wide, tall) if second.side in "NS" else (tall, wide)
    if second.line > limits[0] or second.distance > limits[1]:
        return None
    if not _is_legal(board, first, after):
        return None
    return (first, second) if _is_legal(after, second, push(after, *second, b"#")) else None


def _in_box(height: int, width: int, sides: str, rng: random.Random) -> Placement:
    side = sides[below(rng, len(sides))]
    row, column = below(rng, height) + 1, below(rng, width) + 1
    return Placement(side, column, row) if side in "NS" else Placement(side, row, column)


def _is_legal(board: bytes, placement: Placement, after: bytes) -> bool:
    """Return whether a placement within the box, which leads to ``after``, keeps the rules."""
    if placement.distance == 1:
        return True
    breadth = size(board)[placement.side in "NS"]
    return breadth > 1 and is_whole(after)


def place(board: bytes, placement: Placement, leaf: bytes) -> bytes:
    """Push a leaf in by the rules; raises ``IllegalAction`` if they forbid it."""
    side, line, distance = placement
    height, width = size(board)
    vertical = side in "NS"
    breadth, length = (width, height) if vertical else (height, width)
    name = "column" if vertical else "row"
    if line > breadth:
        raise IllegalAction(f"there is no {name} {line}: {name}s are numbered 1 to {breadth} now")
    if distance == 1:
        return push(board, side, line, 1, leaf)
    if breadth == 1:
        raise IllegalAction(f"this {name} holds every tile: a push moves it by 1, not {distance}")
    after = push(board, side, line, distance, leaf) if distance <= length else b""
    if not after or not is_whole(after):
        raise IllegalAction(f"{side}{line}:{distance} breaks the tree in two")
    return after
