"""``python -m benchmarks``: measure every goal of the arena, side by side with a yardstick.

Machines are shared and noisy: read the ratios, each of two things measured in the same run, and not
the times. Nothing here asserts. ``python -m benchmarks strength`` measures how strong bots are, and
``python -m benchmarks many-cores`` how a machine with many cores is used.
"""

from __future__ import annotations

import argparse
import compileall
import os
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.comparing import comparison_lines
from benchmarks.document import document, number
from benchmarks.groups import GROUPS, Group
from benchmarks.measuring import Measured, Missing, Sizes
from benchmarks.peers import versions
from benchmarks.results import Row, Run, circumstances, make_row, read_run, write_run
from benchmarks.specs import Spec, specs
from benchmarks.workshop import Workshop, workshop

__all__ = ["main"]

ROOT = Path(__file__).parent.parent
FAILED = "failed"
STRENGTH, MANY_CORES = "strength", "many-cores"
COLD = "quick: these figures are cold, down to half of a whole run's, and not to be quoted"
PAGE = ROOT / "docs" / "performance.md"
BEFORE = ROOT / "benchmarks" / "measured-before.json"


def main(words: Sequence[str] | None = None) -> None:
    """Run the benchmarks, all or those that are named; or measure the levels of ``mcts``."""
    words = sys.argv[1:] if words is None else words
    if words[:1] == [STRENGTH]:
        from benchmarks import strength

        strength.main(words[1:])
        return
    if words[:1] == [MANY_CORES]:
        from benchmarks import many_cores

        many_cores.main(words[1:])
        return
    parser = _parser()
    options = parser.parse_args(words)
    if options.list:
        for spec in specs().values():
            print(f"{spec.name:<28} {' '.join((*spec.goals, *spec.sets)):<9} {spec.what}")
        return
    try:
        if options.write_docs:
            runs = map(read_run, (options.write_docs, options.compare or BEFORE))
            PAGE.write_text(document(*runs), encoding="utf-8")
            return
        before = read_run(options.compare) if options.compare else None
        if before is not None and options.run:
            print("\n".join(comparison_lines(before, read_run(options.run))))
            return
    except (OSError, ValueError) as error:
        parser.error(str(error))
    wanted = _chosen(parser, [*options.rows, *options.only])
    if options.quick:
        print(COLD, file=sys.stderr)
    run = _measure(wanted, Sizes(options.quick))
    if options.json:
        write_run(options.json, run.head, run.rows)
    if before is not None:
        print("\n".join(["", *comparison_lines(before, run)]))
    if any(row.note.startswith(FAILED) for row in run.rows):
        sys.exit(1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("rows", nargs="*", metavar="NAME", help="rows, goals (P1) or sets (scale); all if none")
    add("--only", action="append", default=[], metavar="NAME", help="the same; may be repeated")
    add("--quick", action="store_true", help="little of everything, in less than three minutes")
    add("--json", type=Path, metavar="FILE", help="write the run to this file")
    add("--compare", type=Path, metavar="FILE", help="an earlier run, beside this one")
    add("--run", type=Path, metavar="FILE", help="with --compare: measure nothing, take this run")
    add("--write-docs", type=Path, metavar="FILE", help="write docs/performance.md from a run")
    add("--list", action="store_true", help="print the rows and their goals")
    return parser


def _chosen(parser: argparse.ArgumentParser, only: Sequence[str]) -> frozenset[str]:
    """Return the rows that are asked for, by their own names, or those of goals or sets."""
    if not only:
        return frozenset(specs())
    found: set[str] = set()
    for name in only:
        known = specs().values()
        rows = {spec.name for spec in known if name in (spec.name, *spec.goals, *spec.sets)}
        if not rows:
            parser.error(f'there is no row, goal or set "{name}"; --list shows them')
        found |= rows
    return frozenset(found)


def _measure(wanted: frozenset[str], sizes: Sizes) -> Run:
    """Measure rows, and print each as it comes."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for package in ("arena", "engines", "benchmarks"):  # as they are where they are installed
        compileall.compile_dir(ROOT / package, quiet=2)
    head = {**circumstances(quick=sizes.quick), "peers": versions()}
    rows = []
    begin = time.monotonic()
    with workshop() as shop:
        for group in GROUPS:
            for measured in _rows(group, shop, sizes, wanted):
                spec = specs()[measured.name]
                rows.append(make_row(spec, measured))
                print(_line(spec, rows[-1]), flush=True)
    seconds = round(time.monotonic() - begin, 1)
    load = [round(load, 2) for load in os.getloadavg()]
    return Run({**head, "load_after": load, "seconds": seconds}, tuple(rows))


def _rows(group: Group, shop: Workshop, sizes: Sizes, wanted: frozenset[str]) -> Iterator[Measured]:
    """Yield rows of a group that are wanted; those that cannot be measured here have no values."""
    left = [name for name in group.rows if name in wanted]
    if not left:
        return
    try:
        for measured in group.measure(shop, sizes):
            if measured.name in left:
                left.remove(measured.name)
                yield measured
            if not left:  # what only the others need is not done
                return
    except Missing as missing:
        yield from (Measured(name, (), (), str(missing)) for name in left)
    except Exception as error:  # what else is measured does not depend on it
        traceback.print_exc()
        yield from (Measured(name, (), (), f"{FAILED}: {error}") for name in left)


def _line(spec: Spec, row: Row) -> str:
    """Return a row as a line of a terminal."""
    note = f"  ({row.note})" if row.note else ""
    if row.value is None:
        return f"{row.name:<28} not measured{note}"
    ours = f"{row.name:<28} {number(row.value):>9} {spec.unit:<9}"
    verdict = f"  {row.verdict}" if row.verdict else ""
    if row.ratio is None or row.low is None or row.high is None:
        return f"{ours}{verdict}{note}"
    spread = f"({number(row.low)} to {number(row.high)})"
    return f"{ours} {number(row.ratio):>7} × {spec.yardstick} {spread}{verdict}{note}"


if __name__ == "__main__":
    main()
