"""The board in letters: the view from above and the layers, side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engines.treeblox.views import View, extent, views

__all__ = ["draw_text"]

_LETTERS = "BLbl"  # by code: Dark's branch and leaf, Light's
_LINE = 100  # characters, unless a single view is wider
_GAP = 7  # characters between two views


def draw_text(cubes: Mapping[int, int]) -> Iterator[str]:
    """Draw the cubes (cell → code) as lines of letters.

    ``B`` and ``L`` are Dark's branches and leaves, ``b`` and ``l`` Light's, ``+`` is a vacant
    ground cell, ``.`` anything else. y stands before a row, x above a column.
    """
    xs, ys = extent(cubes)
    panels = [[*_panel(view, xs, ys)] for view in views(cubes)]
    pitch = max(len(line) for panel in panels for line in panel) + _GAP
    per_line = max(1, (_LINE + _GAP) // pitch)
    for start in range(0, len(panels), per_line):
        if start:
            yield ""
        for lines in zip(*panels[start : start + per_line], strict=True):
            yield "".join(line.ljust(pitch) for line in lines).rstrip()


def _panel(view: View, xs: range, ys: range) -> Iterator[str]:
    width = max(len(str(x)) for x in xs)
    yield view.title
    yield " ".join([" " * 5, *(str(x).rjust(width) for x in xs)])
    for y in ys:
        signs = (_sign(view, x, y).rjust(width) for x in xs)
        yield " ".join([f"{y:4} ", *signs])


def _sign(view: View, x: int, y: int) -> str:
    code = view.codes.get((x, y))
    if code is not None:
        return _LETTERS[code]
    return "+" if view.ground and 0 <= x < 4 and 0 <= y < 4 else "."
