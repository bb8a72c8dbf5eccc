"""A position drawn in text."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.drawing import label, paint
from engines.core.interface import View
from engines.the_tree.grid import place_of
from engines.the_tree.svg import last_tile
from engines.the_tree.table import OVER, Table
from engines.the_tree.tiles import tiles_of, tiles_text


def draw_text(table: Table, to: int, play_on: bool, view: View) -> str:
    """Draw the position: the tree with its rows and columns, then hands and supply.

    A cell is three characters wide, a tile reads ``[5  3]``, and the last one ``<5  3>``. A viewer
    sees ``?`` for each tile that only others may know; ``None`` sees all.
    """
    viewer, names, last, color, _ = view
    laid = [(*place_of(anchor), anchor, way) for anchor, way in table.laid()]
    west = min(x for x, *_ in laid)
    east = max(x for x, *_ in laid) + 1
    top = laid[-1][1]
    marked = last_tile(table, last)
    rows = [[" "] * (3 * (east - west + 1) + 1) for _ in range(top + 1)]
    for x, y, anchor, way in laid:
        start = 3 * (x - west) + 1
        begin, end = (paint(c, "last", color) for c in "<>") if anchor == marked else "[]"
        rows[y][start : start + 6] = (begin, str(way >> 3), " ", " ", str(way & 7), end)
    lines = [f"{y:3} {''.join(rows[y])}".rstrip() for y in range(top, -1, -1)]
    lines.append("y/x " + "".join(f"{x:3}" for x in range(west, east + 1)))
    for player, hand in enumerate(table.hands):
        shown = tiles_text(tiles_of(hand), hidden=viewer not in (None, player))
        named = player < len(names) and names[player]
        notes = [paint(label(player, names), f"p{player}", color)] if named else []
        notes += _notes(table, to, player)
        lines.append(f"player {player}: {shown}" + (f" ({', '.join(notes)})" if notes else ""))
    lines.append(f"supply: {tiles_text(table.supply, hidden=viewer is not None)}")
    if to == OVER:
        lines.append(f"the game is over: {table.why_over(names, play_on=play_on)}")
    return "\n".join(lines)


def _notes(table: Table, to: int, player: int) -> Iterator[str]:
    if table.drops.has(player):
        yield "dropped"
    elif player in table.out:
        yield f"out, place {table.out.index(player) + 1}"
    elif player == to:
        yield "to act"
