"""``docs/performance.md``, written from a run: what is measured, its limits, what came of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.measuring import Measured
from benchmarks.results import Row, Run, make_row
from benchmarks.specs import GOALS, Spec, specs

__all__ = ["document"]

HEAD = """\
# Performance

How fast is the arena, compared with a yardstick that is measured in the same run? `now` is the
median of the rounds' ratios (×), or a number, with the smallest and largest in brackets. A row
without a word behind its number meets its goal, and a row that misses its *must* is a defect. Of
measurements of one kind, such as one a game, the table has the one that is furthest from its goal;
`benchmarks/measured.json` has all.

A *round trip* is a line there and back by write, poll and read, on one core. Unless a row says
otherwise, bots are in C and kept between matches, and there are two workers. `python -m benchmarks`
[measures all of it](../CONTRIBUTING.md#measuring).
"""
SCALE = """\
## How far it goes

How many bots and matches does one machine carry? These figures are of two busy cores; a quiet
machine takes a half to a quarter of the times. `size` is `python -m benchmarks.size`, and `row` is
`python -m benchmarks`.

- matches stored a second: 12,000 (`row store-add`)
- memory with 10^6 scheduled matches, against 10^3: the same (`row scale`)
- table of 10^6 matches, 20 bots: first; again: 31 s; 0.15 s (`size home 20 --each 100000`)
- table of 50,000 matches, 10^4 bots: first; again: 9 s; 0.8 s (`size home 10000`)
- table of 500,000 matches, 10^5 bots: first; again: 146 s; 22 s (`size home 100000`)
- a batch of a ladder: 10^4 bots; 10^5 bots: 9 s; 64 s (`size ladder 10000`)
- a round of a Swiss tournament: 1,000 bots; 3,000 bots: 1.4 s; 7 s (`size swiss 3000`)
- importing a bundle, every match refereed: 1,100 matches a second (`size bundle 2 --each 4000`)

**Matches are not the limit**: 10^8 matches a month are 39 a second, 2 % of one core of the
coordinator, which can feed 46 cores of hosts with matches of 20 ms. The store grows by 65 GB, and
the first table over all of it takes 50 minutes. **Bots are the limit**: with 10^5 bots a run starts
after three minutes, and a Swiss tournament is impossible, as its memory grows with the square of
the bots. Then use several homes: for each game, month (with [bundles](reference/bundle.md) as the
archive) or [machine](how-to/run-on-several-machines.md#without-a-network).
"""
VERDICTS = ("", "goal", "must", "misses goal", "misses must")  # of rows, the best first
BUSY = 1.0  # a core's worth of other work, before the run began


def document(run: Run) -> str:
    """Return the page.

    A row that came after the run is there without a number.

    Raises:
        ValueError: the run is quick, so that the page would not be true.
    """
    if run.head["quick"]:
        raise ValueError("the page is written from a whole run, and this one is quick")
    measured = {row.name: row for row in run.rows}
    later = {name: make_row(spec, Measured(name, (), (), "")) for name, spec in specs().items()}
    rows = {**later, **measured}
    parts = [HEAD, *_circumstances(run.head), *_goals(rows), *_remarks(rows), SCALE]
    return "\n".join(parts).rstrip() + "\n"


def _circumstances(head: Mapping[str, Any]) -> Iterator[str]:
    changed = ", with changes that were not committed" if head["changed"] else ""
    yield from textwrap.wrap(
        f"**This run:** {head['when'][:10]}, commit `{head['commit'][:12]}`{changed}, "
        f"{head['cores']} cores ({head['machine']}), Python {head['python']}; "
        f"peers: {', '.join(head['peers']) or 'none'}.",
        100,
        break_on_hyphens=False,
    )
    if head["load_before"][0] > BUSY:
        yield "Other work was going on, so times are longer than on a quiet machine."
    yield ""


def _goals(rows: Mapping[str, Row]) -> Iterator[str]:
    """Yield a line a goal and kind; of rows of one kind it is the one that is furthest off."""
    yield "## Goals\n"
    yield "| what | yardstick | now | goal (must) |"
    yield "|---|---|---|---|"
    for goal in GOALS:
        kinds: dict[tuple[str, str], list[Spec]] = {}
        for spec in specs().values():
            if goal in spec.goals:
                kinds.setdefault((spec.name.partition("-")[0], spec.yardstick), []).append(spec)
        for alike in kinds.values():
            worst = max(alike, key=lambda spec: VERDICTS.index(rows[spec.name].verdict))
            yield _line(goal, worst, rows[worst.name])
    yield ""


def _remarks(rows: Mapping[str, Row]) -> Iterator[str]:
    """Yield why a row misses its must."""
    yield "## What is left, and why\n"
    yield "`benchmarks/rows.toml` says why rows miss a goal. These rows miss their *must*:\n"
    for spec in specs().values():
        if spec.goals and spec.remark and rows[spec.name].verdict == "misses must":
            yield from textwrap.wrap(
                f"- `{spec.name}`: {spec.remark}",
                100,
                subsequent_indent="  ",
                break_on_hyphens=False,
            )
    yield ""


def _line(first: str, spec: Spec, row: Row) -> str:
    yardstick = spec.yardstick
    if row.value is None:
        yardstick = ": ".join(filter(None, ("not measured", row.note)))
    elif yardstick and row.reference is None:
        yardstick += ": no peer"
    judged = f", **{row.verdict}**" if row.verdict not in ("", "goal") else ""
    cells = (
        f"{first} `{spec.name}`: {spec.what}",
        yardstick,
        f"{_now(spec, row)}{judged}",
        _limits(spec),
    )
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _now(spec: Spec, row: Row) -> str:
    """Return what the limit bounds, the ratio where there is one, with the spread of the rounds."""
    by_value = row.ratio is None or (spec.goal is not None and spec.goal.of == "value")
    rounds = row.values if by_value else row.ratios
    middle = row.value if by_value else row.ratio
    if middle is None:
        return "–"
    low, high = number(min(rounds)), number(max(rounds))
    spread = f" ({low}{' to ' if low.startswith('-') else '–'}{high})" if len(rounds) > 1 else ""
    return f"{number(middle)}{f' {spec.unit}' if by_value else '×'}{spread}"


def _limits(spec: Spec) -> str:
    if spec.goal is None:
        return "–"
    goal = str(spec.goal).replace(" ×", "×")
    must = "" if spec.must is None else str(spec.must).replace(" ×", "×").partition(" ")[2]
    return f"{goal} ({must})" if must else goal


def number(value: float) -> str:
    """Write a number with three digits that count, or whole.

    >>> number(0.01234), number(1.234), number(1234.5)
    ('0.0123', '1.23', '1,234')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
