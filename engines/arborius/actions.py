"""Actions as tuples: a verb and four numbers, the unused ones 0 (rules section 8).

For example ``("move", tile, count, 0, 0)``; ``SHAPES`` says what the numbers of each verb are.
"""

from __future__ import annotations

Action = tuple[str, int, int, int, int]

LEFT, RIGHT = 3, 1  # quarters clockwise

SHAPES: dict[str, tuple[str, ...]] = {
    "move": ("tile", "count"),
    "attack": ("tile", "tile"),
    "unplay": ("tile",),
    "play": ("tile", "board", "cell", "face"),
    "enter": ("tile", "count", "cell"),
    "exit": ("tile", "count"),
    "thaw": ("tile",),
    "use": ("tile", "tile"),
    "rotate": ("tile", "turn"),
    "freeze": ("tile",),
    "reorder": ("tile", "count", "count"),
    "descend": ("tile", "count"),
    "ascend": ("tile", "count"),
    "chain": ("tile", "tile"),
    "give": ("tile", "cell"),
    "end": (),
    "pass": (),
}
