"""The boards of a match, without what they repeat."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.drawing import STYLE

BOARDS = STYLE.removeprefix("<style>").removesuffix("</style>")  # rules of CSS


def pictures(
    drawn: Sequence[str], *, own: bool
) -> tuple[Sequence[str], Sequence[Sequence[int]], str]:
    """Return each distinct line of boards, once; for each board the numbers of its lines; a style.

    The style is that of the boards that our own games draw, which are without it in their lines. It
    is empty if they come from elsewhere or have some other style; then they are whole.

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
        frames.append([numbers.setdefault(line, len(numbers)) for line in lines])
    return list(numbers), frames, BOARDS if ours else ""
