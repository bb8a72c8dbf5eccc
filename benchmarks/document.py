"""``docs/performance.md``, written from a run: what is measured, its limits, what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.measuring import Measured
from benchmarks.results import Row, Run, make_row
from benchmarks.specs import GOALS, Spec, specs

__all__ = ["document"]

HEAD = """\
# Performance

How quick the arena is, against what it is measured with in the same run. This page is written by
`python -m benchmarks --write-docs benchmarks/measured.json` from a run that is kept there, with the
limits and remarks of `benchmarks/rows.toml`; [Contributing](../CONTRIBUTING.md#measuring) says how
to measure.

**How to read it.** A row measures the arena and a yardstick in turn, several times; `now` is the
median of the rounds' ratios, where there is a yardstick, and in brackets are the smallest and the
largest. Machines are shared and noisy: the ratio of two things measured side by side means
something, a time alone means little. *Goal* is what is aimed at; what misses its *must* is a
defect.
"""
LATER = "not measured in this run"
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
    later = {name: make_row(spec, Measured(name, (), (), LATER)) for name, spec in specs().items()}
    rows = {**later, **measured}
    parts = [HEAD, *_circumstances(run.head), *_goals(rows), *_others(rows), *_remarks(rows)]
    return "\n".join(parts)


def _circumstances(head: Mapping[str, Any]) -> Iterator[str]:
    before, after = head["load_before"], head["load_after"]
    changed = ", with changes that were not committed" if head["changed"] else ""
    yield (
        f"**This run.** {head['when']}, `arena` and `engines` of commit "
        f"`{head['commit'][:12]}`{changed}, "
        f"{head['cores']} cores ({head['machine']}), {head['system']}, Python {head['python']}; "
        f"{head['seconds'] / 60:.0f} minutes. Peers: {', '.join(head['peers']) or 'none'}."
    )
    busy = before[0] > BUSY
    yield (
        f"Load average over one minute: {before[0]} before it, {after[0]} at its end"
        + (
            ". **Other work was going on**, so that times are larger than on a quiet machine and "
            "ratios scatter more."
            if busy
            else "."
        )
    )
    yield ""


def _goals(rows: Mapping[str, Row]) -> Iterator[str]:
    yield "## Goals\n"
    yield "| goal | what | measured | yardstick | first build | now | goal (must) | verdict |"
    yield "|---|---|---|---|---|---|---|---|"
    for goal in GOALS:
        for spec in specs().values():
            if goal in spec.goals:
                yield _line(goal, spec, rows[spec.name])
    yield ""


def _others(rows: Mapping[str, Row]) -> Iterator[str]:
    yield "## What else is measured\n"
    yield "| row | what | measured | yardstick | first build | now | goal (must) | verdict |"
    yield "|---|---|---|---|---|---|---|---|"
    for spec in specs().values():
        if not spec.goals:
            yield _line(f"`{spec.name}`", spec, rows[spec.name])
    yield ""


def _remarks(rows: Mapping[str, Row]) -> Iterator[str]:
    yield "## What is left, and why\n"
    for spec in specs().values():
        row = rows[spec.name]
        said = " ".join(filter(None, (spec.remark, _sentence(row.note))))
        if said:
            held = f" ({row.verdict})" if row.verdict else ""
            yield f"- `{spec.name}`{held}: {said}"
    yield ""


def _line(first: str, spec: Spec, row: Row) -> str:
    measured = "not measured" if row.value is None else f"{number(row.value)} {spec.unit}"
    if row.reference is not None:
        yardstick = f"{spec.yardstick}: {number(row.reference)} {spec.unit}"
    elif spec.yardstick and row.value is not None:
        yardstick = f"{spec.yardstick}: no peer"
    else:
        yardstick = spec.yardstick or "–"
    name = "" if first.startswith("`") else f"`{spec.name}`: "
    cells = (first, name + spec.what, measured, yardstick, spec.first or "–", _now(spec, row))
    return f"| {' | '.join(cells)} | {_limits(spec)} | {row.verdict or '–'} |"


def _now(spec: Spec, row: Row) -> str:
    """Return what the limit bounds, the ratio where there is one, with the spread of the rounds."""
    by_value = row.ratio is None or (spec.goal is not None and spec.goal.of == "value")
    rounds = row.values if by_value else row.ratios
    middle = row.value if by_value else row.ratio
    if middle is None:
        return "–"
    spread = f" ({number(min(rounds))} to {number(max(rounds))})" if len(rounds) > 1 else ""
    return f"{number(middle)}{'' if by_value else ' ×'}{spread}"


def _limits(spec: Spec) -> str:
    if spec.goal is None:
        return "–"
    return f"{spec.goal} ({spec.must})" if spec.must is not None else str(spec.goal)


def number(value: float) -> str:
    """Write a number with three digits that count, or whole.

    >>> number(0.01234), number(1.234), number(1234.5)
    ('0.0123', '1.23', '1,234')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}." if note else ""
