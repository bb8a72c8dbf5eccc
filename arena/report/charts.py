"""Charts as SVG, by our own template: lines with bands, marks that fit into a row, plots.

A chart has a title and a description; the page that shows it adds a table of its numbers. The
marks of a row say nothing that its cells do not say as numbers. A plot goes along a match: it is
one unit wide a position and 100 units high, its page stretches it, and all words stand beside it.
The colours are in ``static/style.css``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor, isfinite, log10
from typing import NamedTuple

from arena.report.templates import Markup, render_part
from arena.values.untrusted import show
from arena.values.words import duration

COLOURS = 6  # lines beyond these are thin and grey
_WIDTH, _HEIGHT = 400, 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 10, 10, 38
_LABEL, _LABEL_ROOM, _LABEL_HEIGHT = 11, 92, 15  # characters of a name at the end of its line
_ROW_WIDTH, _ROW_HEIGHT = 140, 20
_FLOOR = _HEIGHT - _BOTTOM  # where the horizontal axis is
_PLOT_HEIGHT = 100
_DIGIT = 9  # more than one is wide


class ChartLine(NamedTuple):
    """A line of a chart.

    Attributes:
        name: what it is called.
        points: from left to right; all numbers are finite.
        colour: the number of its colour, which is below ``COLOURS``, or of none.
        spread: how far its band reaches to either side, at each point; nothing: it has none.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    colour: int
    spread: tuple[float, ...] = ()

    @property
    def ends(self) -> str:
        """Where it begins and where it ends, in words."""
        return f"{self.name}: from {self.points[0][1]:.4g} to {self.points[-1][1]:.4g}"

    @property
    def edge(self) -> list[tuple[float, float]]:
        """The way around its band; nothing where it has none."""
        pairs = list(zip(self.points, self.spread, strict=False))
        above = [(at, value + spread) for (at, value), spread in pairs]
        return above + [(at, value - spread) for (at, value), spread in reversed(pairs)]


class Plot(NamedTuple):
    """A plot along a match.

    Attributes:
        title: what it shows.
        last: the number of the last position; the first is 0.
        top: the number at the upper edge, as text.
        bottom: the number at the lower edge.
        zero: how far zero is from the upper edge, if a line belongs there.
        curves: what there is to draw, by players: ``d`` of an SVG path.
        note: what else there is to know.
    """

    title: str
    last: int
    top: str
    bottom: str
    zero: str | None
    curves: Mapping[int, str]
    note: str = ""


Points = Mapping[int, float]
"""A number at some of the positions of a match."""


class _Scale(NamedTuple):
    """Where numbers stand between two borders."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> str:
        return _n(self.place(value))

    def place(self, value: float) -> float:
        if self.low == self.high:
            return (self.start + self.end) / 2
        # halves first: the whole may be more than a float can be
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.start + share * (self.end - self.start)


def line_chart(title: str, description: str, across: str, lines: Sequence[ChartLine]) -> Markup:
    """Return a chart of lines; of several, those with a colour have their names at their ends.

    Args:
        title: what it shows.
        description: the same in a sentence, with what is to be seen.
        across: what is on the horizontal axis.
        lines: at least one, with at least one point each.
    """
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for _, y in (*line.points, *line.edge)]
    labels = [line for line in lines if line.colour < COLOURS] if len(lines) > 1 else []
    end = _WIDTH - (_LABEL_ROOM if labels else _RIGHT)
    x = _Scale(*_apart(min(xs), max(xs)), _LEFT, end)
    ticks = _ticks(*_apart(min(ys), max(ys)))
    y = _Scale(min(ticks[0], *ys), max(ticks[-1], *ys), _FLOOR, _TOP)
    return render_part(
        "chart.svg",
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        floor=_FLOOR,
        digit=_DIGIT,
        number=_number,
        rounded=_n,
        title=title,
        description=description,
        across=across,
        x=x,
        y=y,
        below=[tick for tick in _ticks(x.low, x.high) if x.low <= tick <= x.high],
        beside=ticks,
        # what is grey lies below the rest
        lines=sorted(enumerate(lines), key=lambda each: -each[1].colour),
        labels=_labels(labels, y),
        colours=COLOURS,
        way=lambda points: _way(points, x, y),
    )


def _labels(lines: Sequence[ChartLine], y: _Scale) -> Iterable[tuple[ChartLine, str]]:
    """Yield lines with the heights of their names: none over another, from top to bottom."""
    ends = sorted([(y.place(line.points[-1][1]), line) for line in lines], key=lambda one: one[0])
    room = _FLOOR - _LABEL_HEIGHT * len(ends)  # above the last ones
    at = 0.0
    for number, (end, line) in enumerate(ends, start=1):
        at = min(max(at + _LABEL_HEIGHT, end), room + _LABEL_HEIGHT * number)
        yield line._replace(name=show(line.name, _LABEL)), _n(at)


def interval(
    value: float, begin: float | None, end: float | None, low: float, high: float
) -> Markup:
    """Return a dot on the line of its interval, for a row of a table.

    Args:
        value: where the dot is.
        begin, end: those of the interval; without one (``None``) the line runs out of the picture.
        low, high: the ends of the picture.
    """
    scale = _Scale(*_apart(low, high), 5, _ROW_WIDTH - 5)
    left = "0 10" if begin is None else f"{scale.at(begin)} 5v10m0-5"
    right = f"H{_ROW_WIDTH}" if end is None else f"H{scale.at(end)}m0-5v10"
    return Markup(
        f'<svg class="mark" viewBox="0 0 {_ROW_WIDTH} {_ROW_HEIGHT}" aria-hidden="true">'
        f'<path class="whisker" d="M{left}{right}"/>'
        f'<circle class="dot" cx="{scale.at(value)}" cy="{_ROW_HEIGHT // 2}" r="5"/></svg>'
    )


def line_plot(title: str, last: int, player: int, points: Points) -> Plot:
    """Return a plot of a player's numbers, joined by a line.

    Args:
        title: what it shows.
        last: the number of the last position.
        player: whose numbers they are.
        points: the numbers, at least one.
    """
    low, high = min(points.values()), max(points.values())
    x, y = _Scale(0, last, 0, last), _Scale(low, high, _PLOT_HEIGHT, 0)
    return Plot(
        title,
        last,
        f"{high:.4g}",
        f"{low:.4g}",
        zero=y.at(0) if low < 0 < high else None,
        # a number alone is a line of no length, which round ends make a dot
        curves={player: f"M{_way(list(points.items()), x, y)}h0"},
    )


def time_plot(title: str, last: int, series: Mapping[int, Points]) -> Plot:
    """Return a plot of milliseconds by players as bars; see ``line_plot``."""
    times = [value for points in series.values() for value in points.values()]
    high = max(0.0, *times) or 1.0
    y = _Scale(0, high, _PLOT_HEIGHT, 0)
    curves = {  # a record from elsewhere may have a time below zero
        player: "".join(f"M{at} {_PLOT_HEIGHT}V{y.at(max(v, 0))}" for at, v in points.items())
        for player, points in series.items()
    }
    return Plot(title, last, duration(high / 1000), "0", None, curves)


def _way(points: Sequence[tuple[float, float]], x: _Scale, y: _Scale) -> str:
    return "L".join([f"{x.at(at)} {y.at(value)}" for at, value in points])


def _apart(low: float, high: float) -> tuple[float, float]:
    """Return two borders that are not the same."""
    if low < high:
        return low, high
    around = abs(low) / 10 or 1.0
    return low - around, high + around


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers, four to nine of them, from at most ``low`` to at least ``high``.

    >>> _ticks(0, 93), _ticks(1412.5, 1630)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [1400.0, 1450.0, 1500.0, 1550.0, 1600.0, 1650.0])
    """
    span = high / 4 - low / 4
    power = 10.0 ** floor(log10(span))
    step = next(
        factor * power for factor in (0.5, 1.0, 2.0, 5.0, 10.0) if factor * power >= span / 1.25
    )
    first = floor(low / step)
    found = [first * step]
    while found[-1] < high and isfinite(found[-1]) and len(found) < 12:
        found.append((first + len(found)) * step)
    return found


def _number(value: float) -> str:
    text = f"{value:.5g}" if abs(value) < 1e5 else f"{value:.3g}"
    return text.replace("e+0", "e").replace("e-0", "e-")  # there is room for six characters


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
