"""Two runs side by side, with what lies beyond noise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.results import Row, Run

__all__ = ["Comparison", "compare_runs", "comparison_lines"]

FEW = 3  # rounds below which nobody knows how much a row moves by itself
SHARE = 0.05  # a smaller change is noise on any machine
SHARE_OF_FEW = 0.25  # and where there are too few rounds


class Comparison(NamedTuple):
    """A row of two runs: the numbers of both, their quotient, and whether it is beyond noise.

    ``sizes``: one of them is quick and the other is not, so that they cannot be compared.
    """

    name: str
    before: float | None
    after: float | None
    change: float | None
    beyond_noise: bool
    sizes: bool = False


def compare_runs(before: Run, after: Run) -> Iterator[Comparison]:
    """Yield the rows that are in both runs.

    A change is beyond noise if the rounds of the two do not overlap and the medians differ by more
    than a twentieth; with fewer than three rounds, by more than a quarter.
    """
    old = {row.name: row for row in before.rows}
    sizes = before.head.get("quick") != after.head.get("quick")
    for row in after.rows:
        if row.name in old:
            yield _compare(old[row.name], row, sizes)


def comparison_lines(before: Run, after: Run) -> Iterator[str]:
    """Yield the comparison as lines of a table."""
    yield f"{'row':<28} {'before':>11} {'now':>11} {'change':>8}"
    for each in compare_runs(before, after):
        change = "" if each.change is None else f"{(each.change - 1) * 100:+.0f} %"
        mark = "  beyond noise" if each.beyond_noise else ""
        mark = "  other sizes" if each.sizes else mark
        yield f"{each.name:<28} {_text(each.before):>11} {_text(each.after):>11} {change:>8}{mark}"


def _compare(old: Row, new: Row, sizes: bool) -> Comparison:
    # with a yardstick in one run only, the values are all that both have
    by_ratio = old.ratio is not None and new.ratio is not None
    first = old.ratio if by_ratio else old.value
    second = new.ratio if by_ratio else new.value
    if first is None or second is None or not first:
        return Comparison(old.name, first, second, None, False, sizes)
    ones, others = (row.ratios if by_ratio else row.values for row in (old, new))
    few = min(len(ones), len(others)) < FEW
    apart = max(ones) < min(others) or max(others) < min(ones)
    change = second / first
    larger = max(change, 1 / change) if change > 0 else float("inf")
    beyond = not sizes and apart and larger > 1 + (SHARE_OF_FEW if few else SHARE)
    return Comparison(old.name, first, second, change, beyond, sizes)


def _text(number: float | None) -> str:
    return "-" if number is None else f"{number:.4g}"
