"""Plots over a match: numbers as lines of SVG, one unit wide a position and 100 units high.

A page stretches a plot to its own width, so all words stand beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Curve", "Plot", "bar_plot", "line_plot", "value_plot"]

HEIGHT = 100

Points = Mapping[int, float]
"""A number at some of the positions."""


class Curve(NamedTuple):
    """The path of one player: ``d`` of an SVG path."""

    player: int
    path: str


class Plot(NamedTuple):
    """A plot.

    Attributes:
        title: what it shows.
        last: the number of the last position; the first is 0.
        top: the number at the upper edge, as text.
        bottom: the number at the lower edge.
        zero: how far zero is from the upper edge, if a line belongs there.
        curves: what there is to draw.
        errors: thin bars of errors, as curves.
    """

    title: str
    last: int
    top: str
    bottom: str
    zero: str | None
    curves: tuple[Curve, ...]
    errors: tuple[Curve, ...] = ()


def line_plot(title: str, last: int, series: Mapping[int, Points]) -> Plot:
    """Return a plot of each player's numbers, joined by lines.

    Args:
        title: what it shows.
        last: the number of the last position.
        series: by players, at least one number of each.
    """
    numbers = [value for points in series.values() for value in points.values()]
    low, high = min(numbers), max(numbers)
    curves = [
        Curve(player, "M" + "L".join(_place(at, value, low, high) for at, value in points.items()))
        for player, points in series.items()
    ]
    # a number alone is a line of no length, which round ends make a dot
    dotted = [curve._replace(path=curve.path + "h0") for curve in curves]
    zero = _y(0, low, high) if low < 0 < high else None
    return Plot(title, last, _text(high), _text(low), zero, tuple(dotted))


def bar_plot(title: str, last: int, series: Mapping[int, Points], unit: str) -> Plot:
    """Return a plot of each player's numbers, none below zero, as bars; see ``line_plot``."""
    high = max((value for points in series.values() for value in points.values()), default=0) or 1
    curves = [
        Curve(
            player, "".join(f"M{at} {HEIGHT}V{_y(value, 0, high)}" for at, value in points.items())
        )
        for player, points in series.items()
        if points
    ]
    return Plot(title, last, f"{_text(high)} {unit}", f"0 {unit}", None, tuple(curves))


def value_plot(
    title: str, last: int, player: int, points: Points, spans: Mapping[int, tuple[float, float]]
) -> Plot:
    """Return a plot of one player's numbers, joined by a line, with thin bars; see ``line_plot``.

    Args:
        title: what it shows.
        last: the number of the last position.
        player: whose numbers they are.
        points: the numbers, at least one.
        spans: where bars begin and end.
    """
    numbers = [*points.values(), *(end for span in spans.values() for end in span)]
    low, high = min(numbers), max(numbers)
    line = "M" + "L".join(_place(at, value, low, high) for at, value in points.items()) + "h0"
    bars = "".join(
        f"M{_place(at, begin, low, high)}V{_y(end, low, high)}"
        for at, (begin, end) in spans.items()
    )
    return Plot(
        title,
        last,
        _text(high),
        _text(low),
        _y(0, low, high) if low < 0 < high else None,
        (Curve(player, line),),
        (Curve(player, bars),) if bars else (),
    )


def _place(at: int, value: float, low: float, high: float) -> str:
    return f"{at} {_y(value, low, high)}"


def _y(value: float, low: float, high: float) -> str:
    # halves, as the whole may be more than a float can be
    span = high / 2 - low / 2
    share = (value / 2 - low / 2) / span if span else 0.5
    return f"{HEIGHT * (1 - share):.1f}".removesuffix(".0")


def _text(value: float) -> str:
    return f"{value:.4g}"
