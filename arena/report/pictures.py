"""The boards of a match, without what they repeat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.core.drawing import STYLE

BOARDS = STYLE.removeprefix("<style>").removesuffix("</style>")  # rules of CSS


class Pictures(NamedTuple):
    """The boards of all positions, and those of what might have been.

    Attributes:
        lines: each distinct line, once.
        frames: for each position the numbers of its lines; then those of further boards.
        style: of the boards that our own games draw, which are without it in ``lines``; empty:
            they come from elsewhere or have some other style, and are whole.
    """

    lines: tuple[str, ...]
    frames: tuple[tuple[int, ...], ...]
    style: str


def pictures(drawn: Sequence[str], *, own: bool) -> Pictures:
    """Return boards as lines and lists of their numbers.

    Args:
        drawn: SVG, one element a line; the second line of ours is the style.
        own: whether our own games drew them. A plug-in may use our style, but what it draws can
            hold anything.
    """
    ours = own and all(picture.split("\n", 2)[1:2] == [STYLE] for picture in drawn)
    numbers: dict[str, int] = {}
    frames = []
    for picture in drawn:
        lines = picture.split("\n")
        if ours:
            del lines[1]
        frames.append(tuple(numbers.setdefault(line, len(numbers)) for line in lines))
    return Pictures(tuple(numbers), tuple(frames), BOARDS if ours else "")
