"""Charts as SVG, drawn by hand: lines with bands over an axis, marks that fit into a row, plots.

A chart has a title and a description; the page that shows it adds a table of its numbers. The
marks of a row say nothing that its cells do not say as numbers. A plot goes along a match: it is
one unit wide a position and 100 units high, its page stretches it, and all words stand beside it.
The colours are in ``static/style.css``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor, isfinite, log10, sqrt
from statistics import median
from typing import NamedTuple

from arena.values.untrusted import show
from arena.values.words import duration
from engines.core.drawing import escape

COLOURS = 6  # lines beyond these are thin and grey
_WIDTH, _HEIGHT = 400, 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 10, 10, 38
_LABEL, _LABEL_ROOM, _LABEL_HEIGHT = 11, 92, 15  # characters of a name at the end of its line
_ROW_WIDTH, _ROW_HEIGHT = 140, 20
_PLOT_HEIGHT = 100
_COLUMNS = 30  # of a histogram, at most
_DIGIT = 9  # more than one is wide
FAR = 50  # times the middle one, from which a time is far above the others


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


class PlotPath(NamedTuple):
    """The path of one player in a plot: ``d`` of an SVG path."""

    player: int
    path: str


class Histogram(NamedTuple):
    """What a histogram is of: a title, the same in a sentence, and whole numbers, ascending, with
    how often each was found."""

    title: str
    description: str
    counts: Sequence[tuple[int, int]]


class Plot(NamedTuple):
    """A plot along a match.

    Attributes:
        title: what it shows.
        last: the number of the last position; the first is 0.
        top: the number at the upper edge, as text.
        bottom: the number at the lower edge.
        zero: how far zero is from the upper edge, if a line belongs there.
        curves: what there is to draw.
        errors: thin bars of errors, as curves.
        note: what else there is to know.
    """

    title: str
    last: int
    top: str
    bottom: str
    zero: str | None
    curves: tuple[PlotPath, ...]
    errors: tuple[PlotPath, ...] = ()
    note: str = ""


Points = Mapping[int, float]
"""A number at some of the positions of a match."""


class _Scale(NamedTuple):
    """Where numbers stand between two borders."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        if self.low == self.high:
            return (self.start + self.end) / 2
        # halves first: the whole may be more than a float can be
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return self.start + share * (self.end - self.start)


def line_chart(title: str, description: str, across: str, lines: Sequence[ChartLine]) -> str:
    """Return a chart of lines; of several, those with a colour have their names at their ends.

    Args:
        title: what it shows.
        description: the same in a sentence, with what is to be seen.
        across: what is on the horizontal axis.
        lines: at least one, with at least one point each.
    """
    xs = [x for line in lines for x, _ in line.points]
    ys = [y for line in lines for y in _heights(line)]
    labels = [line for line in lines if line.colour < COLOURS] if len(lines) > 1 else []
    end = _WIDTH - (_LABEL_ROOM if labels else _RIGHT)
    x = _Scale(*_apart(min(xs), max(xs)), _LEFT, end)
    ticks = _ticks(*_apart(min(ys), max(ys)))
    y = _Scale(min(ticks[0], *ys), max(ticks[-1], *ys), _HEIGHT - _BOTTOM, _TOP)
    parts = _axes(title, description, across, x, y, ticks)
    # what is grey lies below the rest
    for number, line in sorted(enumerate(lines), key=lambda each: -each[1].colour):
        parts += _drawn(number, line, x, y)
    return "".join([*parts, *_labels(labels, x, y), "</svg>"])


def _labels(lines: Sequence[ChartLine], x: _Scale, y: _Scale) -> Iterable[str]:
    """Yield the names of lines at their ends, none over another, from top to bottom."""
    ends = sorted([(y.place(line.points[-1][1]), line) for line in lines], key=lambda one: one[0])
    room = _HEIGHT - _BOTTOM - _LABEL_HEIGHT * len(ends)  # above the last ones
    at = 0.0
    for number, (end, line) in enumerate(ends, start=1):
        at = min(max(at + _LABEL_HEIGHT, end), room + _LABEL_HEIGHT * number)
        name = show(line.name)
        name = name if len(name) <= _LABEL else name[: _LABEL - 1] + "…"
        begin = f"M{_n(x.place(line.points[-1][0]))} {_n(end)}"
        yield f'<path class="{_kind(line.colour)} leader" d="{begin}L{_n(x.end + 10)} {_n(at)}"/>'
        yield f'<text x="{_n(x.end + 13)}" y="{_n(at)}" dy="4">{escape(name)}</text>'


def histograms(across: str, each: Sequence[Histogram]) -> list[str]:
    """Return charts of how often each whole number was found, all with the same axes.

    There are about as many columns as the root of the numbers that were counted.
    """
    low = min(one.counts[0][0] for one in each)
    high = max(one.counts[-1][0] for one in each) + 1
    least = min(sum(count for _, count in one.counts) for one in each)
    step = max(1, -(-(high - low) // min(_COLUMNS, max(5, round(2 * sqrt(least))))))
    found = []
    for one in each:
        columns: dict[int, int] = {}
        for number, count in one.counts:
            start = number - (number - low) % step
            columns[start] = columns.get(start, 0) + count
        found.append(columns)
    most = max(max(columns.values()) for columns in found)
    end = low + -(-(high - low) // step) * step
    return [
        _histogram(one, across, columns, (low, end, step), most)
        for one, columns in zip(each, found, strict=True)
    ]


def _histogram(
    one: Histogram, across: str, columns: Mapping[int, int], span: tuple[int, int, int], most: int
) -> str:
    low, end, step = span
    half = 0.5 if step == 1 else 0.0  # a number stands below the middle of its column
    x = _Scale(low - half, end - half, _LEFT, _WIDTH - _RIGHT)
    ticks = [tick for tick in _ticks(0, most) if tick == int(tick)]
    y = _Scale(0, max(ticks[-1], most), _HEIGHT - _BOTTOM, _TOP)
    title, description, _ = one
    parts = _axes(title, description, across, x, y, ticks, whole=True)
    for start, count in columns.items():
        left, right = x.place(start - half), x.place(start + step - half)
        top = _n(y.place(count))
        name = f"{start}" if step == 1 else f"{start} to {start + step - 1}"
        parts.append(
            f'<path class="column" d="M{_n(left)} {_HEIGHT - _BOTTOM}V{top}H{_n(right - 1)}'
            f'V{_HEIGHT - _BOTTOM}z"><title>{name}: {count}</title></path>'
        )
    return "".join([*parts, "</svg>"])


def _axes(
    title: str,
    description: str,
    across: str,
    x: _Scale,
    y: _Scale,
    ticks: Sequence[float],
    *,
    whole: bool = False,
) -> list[str]:
    """Return the begin of a chart: what it is called, and its axes, with ``ticks`` upwards.

    If its numbers are ``whole``, there is no tick between two of them.
    """
    parts = [
        f'<svg class="graph" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img">',
        f"<title>{_text(title)}</title><desc>{_text(description)}</desc>",
    ]
    for tick in ticks:
        at = _n(y.place(tick))
        parts.append(f'<path class="grid" d="M{_LEFT} {at}H{_n(x.end)}"/>')
        parts.append(f'<text class="end" x="{_LEFT - 6}" y="{at}" dy="4">{_number(tick)}</text>')
    floor_at = _HEIGHT - _BOTTOM
    for tick in [value for value in _ticks(x.low, x.high) if x.low <= value <= x.high]:
        if whole and tick != int(tick):
            continue
        place, words = x.place(tick), _number(tick)
        inside = min(place, _WIDTH - _DIGIT * len(words) / 2)
        parts.append(f'<path class="axis" d="M{_n(place)} {floor_at}v4"/>')
        parts.append(f'<text class="mid" x="{_n(inside)}" y="{floor_at + 17}">{words}</text>')
    parts.append(f'<path class="axis" d="M{_LEFT} {floor_at}H{_n(x.end)}"/>')
    middle = (_LEFT + x.end) / 2
    parts.append(f'<text class="mid" x="{_n(middle)}" y="{_HEIGHT - 5}">{_text(across)}</text>')
    return parts


def interval(value: float, begin: float | None, end: float | None, low: float, high: float) -> str:
    """Return a dot on the line of its interval, for a row of a table.

    Args:
        value: where the dot is.
        begin, end: those of the interval; without one (``None``) the line runs out of the picture.
        low, high: the ends of the picture.
    """
    scale = _Scale(*_apart(low, high), 5, _ROW_WIDTH - 5)
    left = "0 10" if begin is None else f"{_n(scale.place(begin))} 5v10m0-5"
    right = f"H{_ROW_WIDTH}" if end is None else f"H{_n(scale.place(end))}m0-5v10"
    middle = _ROW_HEIGHT / 2
    return (
        f'{_mark()}<path class="whisker" d="M{left}{right}"/>'
        f'<circle class="dot" cx="{_n(scale.place(value))}" cy="{_n(middle)}" r="5"/></svg>'
    )


def bar(value: float, most: float) -> str:
    """Return a bar for a row of a table, as long as the value is of the most there is."""
    length = _ROW_WIDTH * value / most if most > 0 else 0.0
    return f'{_mark()}<path class="bar" d="M0 4h{_n(length)}v12H0z"/></svg>'


def line_plot(
    title: str,
    last: int,
    player: int,
    points: Points,
    spans: Mapping[int, tuple[float, float]] | None = None,
) -> Plot:
    """Return a plot of a player's numbers, joined by a line.

    Args:
        title: what it shows.
        last: the number of the last position.
        player: whose numbers they are.
        points: the numbers, at least one.
        spans: where thin bars of errors begin and end.
    """
    spans = spans or {}
    numbers = [*points.values(), *(end for span in spans.values() for end in span)]
    x, y = _Scale(0, last, 0, last), _Scale(min(numbers), max(numbers), _PLOT_HEIGHT, 0)
    bars = [f"M{at} {_n(y.place(begin))}V{_n(y.place(end))}" for at, (begin, end) in spans.items()]
    return Plot(
        title,
        last,
        f"{y.high:.4g}",
        f"{y.low:.4g}",
        zero=_n(y.place(0)) if y.low < 0 < y.high else None,
        # a number alone is a line of no length, which round ends make a dot
        curves=(PlotPath(player, f"M{_way(list(points.items()), x, y)}h0"),),
        errors=(PlotPath(player, "".join(bars)),) if bars else (),
    )


def time_plot(title: str, last: int, series: Mapping[int, Points]) -> Plot:
    """Return a plot of milliseconds by players as bars; see ``line_plot``.

    If one is far above the others, as when a person thinks beside a bot, heights are logarithms.
    """
    times = [value for points in series.values() for value in points.values()]
    least, high = min(filter(None, times), default=1.0), max(times, default=0.0) or 1.0
    far = high > FAR * median(times)
    y = _Scale(0, high, _PLOT_HEIGHT, 0)
    if far:
        y = _Scale(log10(least / 2), log10(high), _PLOT_HEIGHT, 0)

    def top(value: float) -> str:
        return _n(y.place(log10(max(value, least / 2)) if far else value))

    curves = [
        PlotPath(player, "".join(f"M{at} {_PLOT_HEIGHT}V{top(v)}" for at, v in points.items()))
        for player, points in series.items()
    ]
    bottom = duration(least / 2000) if far else "0"
    note = "each tenfold is a step upwards" if far else ""
    return Plot(title, last, duration(high / 1000), bottom, None, tuple(curves), note=note)


def _mark() -> str:
    return f'<svg class="mark" viewBox="0 0 {_ROW_WIDTH} {_ROW_HEIGHT}" aria-hidden="true">'


def _kind(colour: int) -> str:
    return f"line c{colour}" if colour < COLOURS else "line other"


def _drawn(number: int, line: ChartLine, x: _Scale, y: _Scale) -> Iterable[str]:
    if line.spread:
        pairs = list(zip(line.points, line.spread, strict=True))
        edge = [(at, value + spread) for (at, value), spread in pairs]
        edge += [(at, value - spread) for (at, value), spread in reversed(pairs)]
        yield f'<path class="band c{line.colour}" d="M{_way(edge, x, y)}z"/>'
    # a point alone is a line of no length, which round ends make a dot
    way = _way(line.points, x, y) + "h0"
    yield f'<path class="{_kind(line.colour)}" data-line="{number}" d="M{way}">'
    yield f"<title>{_text(line.name)}</title></path>"


def _way(points: Sequence[tuple[float, float]], x: _Scale, y: _Scale) -> str:
    return "L".join([f"{_n(x.place(at))} {_n(y.place(value))}" for at, value in points])


def _heights(line: ChartLine) -> Iterable[float]:
    spreads = line.spread or (0.0,) * len(line.points)
    for (_, value), spread in zip(line.points, spreads, strict=True):
        yield value - spread
        yield value + spread


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


def _text(text: str) -> str:
    return escape(show(text))
