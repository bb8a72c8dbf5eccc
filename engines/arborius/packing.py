"""Where rectangles go on a sheet of a given width: each as high up as it can, then as far left."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["pack"]


def pack(sizes: Sequence[tuple[int, int]], width: int, gap: int) -> list[tuple[int, int]]:
    """Return the upper left corners of rectangles that do not overlap.

    Nothing is put below what hangs over, so this is quick for any number of them.

    Args:
        sizes: widths and heights, in the order in which they are placed. One wider than the sheet
            stands out to the right.
        width: of the sheet.
        gap: the least distance between two of them.

    >>> pack([(50, 40), (30, 20), (30, 20), (90, 10)], 100, 10)
    [(0, 0), (60, 0), (60, 30), (0, 60)]
    """
    free = [0] * width  # in each column, where it is free from
    corners = []
    for wide, tall in sizes:
        steps = [x for x in range(1, width - wide + 1) if free[x] != free[x - 1]]
        y, x = min([(max(free[x : x + wide]), x) for x in (0, *steps)])
        corners.append((x, y))
        end = min(width, x + wide + gap)
        free[x:end] = [y + tall + gap] * (end - x)
    return corners
