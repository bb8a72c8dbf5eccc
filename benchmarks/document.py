"""``docs/performance.md``, written from two runs: what is measured, its limits, what came of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.measuring import Measured, middle
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
otherwise, bots are in C and kept between matches, there are two workers, and a command is measured
from its start to its exit. `python -m benchmarks`
[measures all of it](../CONTRIBUTING.md#measuring).
"""
SCALE = """\
## How far it goes

How many bots and matches does one machine carry? These figures are of two busy cores; a quiet
machine takes a half to a quarter of the times. `size` is `python -m benchmarks.size`.

- table of 10^6 matches, 20 bots: first; again: 31 s; 0.15 s (`size home 20 --each 100000`)
- table of 500,000 matches, 10^5 bots: first; again: 146 s; 22 s (`size home 100000`)
- a batch of a ladder: 10^4 bots; 10^5 bots: 9 s; 64 s (`size ladder 10000`)
- a round of a Swiss tournament: 1,000 bots; 3,000 bots: 1.4 s; 7 s (`size swiss 3000`)
- importing a bundle, every match refereed: 1,100 matches a second (`size bundle 2 --each 4000`)

**Matches are not the limit**: 10^8 a month are 39 a second, 2 % of one core of the coordinator,
which can feed 46 cores of hosts with matches of 20 ms; the store grows by 65 GB. **Bots are the
limit**: with 10^5 a run starts after three minutes, and a Swiss tournament, whose memory grows with
their square, is impossible. Then use a home for each game, month (with
[bundles](reference/bundle.md) as the archive) or
[machine](how-to/run-on-several-machines.md#without-a-network).
"""
VERDICTS = ("", "goal", "must", "misses goal", "misses must")  # of rows, the best first
BUSY = 1.0  # a core's worth of other work, before the run began


def document(run: Run, before: Run) -> str:
    """Return the page, with an earlier run beside the run.

    A row that came after a run is there without a number.

    Raises:
        ValueError: the run is quick, so that the page would not be true.
    """
    if run.head["quick"]:
        raise ValueError("the page is written from a whole run, and this one is quick")
    later = {name: make_row(spec, Measured(name, (), (), "")) for name, spec in specs().items()}
    rows, old = (later | {row.name: row for row in one.rows} for one in (run, before))
    peers = f"; peers: {', '.join(run.head['peers']) or 'none'}."
    parts = [
        HEAD,
        *_circumstances("now", run.head, peers),
        *_circumstances("before", before.head, "."),
        *_speed(rows, old),
        *_goals(rows),
        *_remarks(rows, old),
        SCALE,
    ]
    return "\n".join(parts).rstrip() + "\n"


def _circumstances(name: str, head: Mapping[str, Any], more: str) -> list[str]:
    changed = ", with changes that were not committed" if head["changed"] else ""
    busy = ", beside other work" if head["load_before"][0] > BUSY else ""
    return _wrapped(
        f"- `{name}`: {head['when'][:10]}, commit `{head['commit'][:12]}`{changed}, "
        f"{head['cores']} cores ({head['machine']}), Python {head['python']}{busy}{more}"
    )


def _speed(rows: Mapping[str, Row], old: Mapping[str, Row]) -> Iterator[str]:
    """Yield the speed of Python in both runs, measured by random games of Connect Four."""
    names = [name for name in rows if name.startswith("playout-")]
    now, then = (middle([run[name].reference or 0 for name in names]) for run in (rows, old))
    if now and then:
        yield "\nAn action of a random game of Connect Four, which is nothing but Python, takes"
        yield f"{number(now)} µs now, and took {number(then)} µs before. Limits in µs, and those"
        yield "against programs in C++, depend on Python's speed."
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


def _remarks(rows: Mapping[str, Row], old: Mapping[str, Row]) -> Iterator[str]:
    """Yield lines about the rows that miss their must, with the reason or the earlier result."""
    yield "## What is left, and why\n"
    yield "`benchmarks/rows.toml` says why rows miss a goal. These rows miss their *must*:\n"
    missing = [spec for spec in specs().values() if spec.goals and _misses(rows[spec.name])]
    for spec in missing:
        if _misses(old[spec.name]):
            yield from _wrapped(f"- `{spec.name}`: {spec.remark}")
    others = [spec for spec in missing if not _misses(old[spec.name])]
    if met := ", ".join(f"`{one.name}` ({_middle(one, old[one.name])})" for one in others):
        yield from _wrapped(f"- They met it before: {met}.")
    yield ""


def _misses(row: Row) -> bool:
    return row.verdict == VERDICTS[-1]


def _wrapped(item: str) -> list[str]:
    """Return an item of a list as lines of a page."""
    return textwrap.wrap(item, 100, subsequent_indent="  ", break_on_hyphens=False)


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
    rounds = row.values if _by_value(spec, row) else row.ratios
    if len(rounds) < 2:
        return _middle(spec, row)
    low, high = number(min(rounds)), number(max(rounds))
    return f"{_middle(spec, row)} ({low}{' to ' if low.startswith('-') else '–'}{high})"


def _middle(spec: Spec, row: Row) -> str:
    if _by_value(spec, row):
        return "–" if row.value is None else f"{number(row.value)} {spec.unit}"
    return f"{number(row.ratio or 0)}×"


def _by_value(spec: Spec, row: Row) -> bool:
    return row.ratio is None or (spec.goal is not None and spec.goal.of == "value")


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
