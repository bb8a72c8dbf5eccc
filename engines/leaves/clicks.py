"""What a person clicks to build a turn: where a leaf is pushed in, and the cell that it comes to.

Both lie on the tree as it is before the turn, so that they stay where they are when the first leaf
makes the tree longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engines.core.choices import Choices
from engines.core.typed import NamedTuple
from engines.leaves.moves import Placement, Rules
from engines.leaves.text import parse_turn
from engines.leaves.tree import line_of, outline, push, size


class Click(NamedTuple):
    """The end of a line at a side, or with the side ``""`` a cell; rows and columns are from 0.

    Of the end of a row the column is 0, and of the end of a column the row. Lines outside the
    tree, which a first leaf can open, have numbers below 0 or beyond the last one.
    """

    side: str
    row: int
    column: int


def clicks(board: bytes, actions: Sequence[str], leaves: int, rules: Rules) -> Choices[Click]:
    """Return the clicks of turns: for each leaf a side's line, then the cell if there is a choice.

    Args:
        board: the tree.
        actions: turns that are legal on it.
        leaves: how many leaves such a turn places.
        rules: the parameters.
    """
    shape = outline(board)

    @cache
    def first(leaf: Placement) -> tuple[bytes, int, int]:
        """Return the tree after a leaf, and where its north-western corner lies now."""
        after = push(shape, *leaf, b"1")
        row, column = divmod(after.index(b"1"), size(after)[1] + 1)
        _, landed_row, landed_column = _landing(shape, leaf)
        return after, landed_row - row, landed_column - column

    def parts(action: str) -> list[Click]:
        found = []
        tree, top, left = shape, 0, 0
        turn = parse_turn(action, leaves, rules)
        for leaf in turn:
            line = leaf.line - 1
            vertical = leaf.side in "NS"
            found.append(
                Click(leaf.side, 0, left + line) if vertical else Click(leaf.side, top + line, 0)
            )
            if rules.any_distance:
                _, row, column = _landing(tree, leaf)
                found.append(Click("", top + row, left + column))
            if leaf is not turn[-1]:
                tree, top, left = first(leaf)
        return found

    return Choices(actions, parts)


def _landing(tree: bytes, leaf: Placement) -> Click:
    """Return the cell that a leaf comes to, in the rows and columns from before it is pushed."""
    side, line, distance = leaf
    cells = line_of(tree, side, line)
    far = side in "SE"
    passed = len(cells) - len(cells.rstrip(b".") if far else cells.lstrip(b".")) + distance - 1
    at = len(cells) - 1 - passed if far else passed
    return Click("", at, line - 1) if side in "NS" else Click("", line - 1, at)
