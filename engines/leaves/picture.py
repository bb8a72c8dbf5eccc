"""The tree in text, and where the leaves of a turn lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.core.drawing import paint
from engines.core.typed import NamedTuple
from engines.leaves.moves import Turn
from engines.leaves.tree import line_of, lines, push, size


class Landing(NamedTuple):
    """Where a leaf of the last turn lies now, from 0, and the side that it came from."""

    row: int
    column: int
    side: str


def landings(before: bytes | None, board: bytes, turn: Turn, leaf: bytes) -> list[Landing]:
    """Return where the leaves of a turn lie on the board that it led to.

    Args:
        before: the tree before the turn. If it is not known, only the last leaf can be found: it
            is the first tile from its side.
        board: the tree after it.
        turn: the placements.
        leaf: the player's tile.
    """
    if before is None:
        side, line, _ = turn[-1]
        if line > lines(board, side):
            return []
        cells = line_of(board, side, line)
        at = len(cells) - 1 - cells[::-1].find(leaf) if side in "SE" else cells.find(leaf)
        near = cells[at + 1 :] if side in "SE" else cells[:at]
        if leaf not in cells or near.strip(b"."):
            return []
        return [Landing(at, line - 1, side) if side in "NS" else Landing(line - 1, at, side)]
    signs, marked = (b"1", b"2"), before
    for sign, (side, line, distance) in zip(signs, turn, strict=False):
        if line > lines(marked, side) or distance > max(size(marked)):
            return []
        marked = push(marked, side, line, distance, sign)
    if marked.replace(b"1", leaf).replace(b"2", leaf) != board:
        return []
    stride = size(board)[1] + 1
    places = [divmod(marked.index(sign), stride) for sign in signs[: len(turn)]]
    return [Landing(*place, leaf.side) for place, leaf in zip(places, turn, strict=True)]


def draw_text(
    board: bytes,
    hands: tuple[int, int],
    status: str,
    legend: Sequence[str] | None = None,
    landed: Iterable[Landing] = (),
    *,
    color: bool = False,
) -> str:
    """Draw the board with column numbers on top and row numbers at the left.

    Args:
        board: the tree.
        hands: leaves in hand.
        status: whose turn it is, or how the game ended.
        legend: what to say of each player instead of how many leaves are in hand.
        landed: the leaves of the last turn, which get a ``*``.
        color: whether the terminal shows colours.
    """
    last = {place[:2] for place in landed}
    drawn = ["   " + "".join(f"{column:3}" for column in range(1, size(board)[1] + 1))]
    for row, tiles in enumerate(board.decode().split("/")):
        cells = (_sign(tile, (row, column) in last, color) for column, tile in enumerate(tiles))
        drawn.append(f"{row + 1:3}" + "".join(cells))
    if legend is None:
        drawn.append(f"in hand: a {hands[0]}, b {hands[1]}")
    else:
        signs = (paint(leaf, f"p{player}", color) for player, leaf in enumerate("ab"))
        drawn += [f"{sign} {line}" for sign, line in zip(signs, legend, strict=True)]
    return "\n".join([*drawn, status])


def _sign(tile: str, last: bool, color: bool) -> str:
    painted = paint(tile, f"p{'ab'.index(tile)}", color) if tile in "ab" else tile
    return f" {paint('*', 'last', color)}{painted}" if last else f"  {painted}"
