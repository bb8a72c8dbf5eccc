"""A run of the benchmarks as a file: when, where, of which commit, and every row's numbers."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measuring import Measured, middle
from benchmarks.specs import Spec, specs, verdict

__all__ = ["Row", "Run", "circumstances", "make_row", "read_run", "write_run"]

FORMAT = 1
ROOT = Path(__file__).parent.parent
PRODUCT = ("arena", "engines")


class Row(NamedTuple):
    """A measured row, with what its numbers come to.

    Attributes:
        name: that of its ``Spec``.
        values: ours, a round each.
        references: the yardstick's, in the same rounds; empty if there is none.
        value: the median of ours, ``None`` if it was not measured.
        reference: the median of the yardstick's.
        ratio: the median of the rounds' ratios.
        low: the smallest of the rounds' ratios, or of the values where there is no yardstick.
        high: the largest.
        verdict: see ``specs.verdict``.
        note: what a reader must know.
    """

    name: str
    values: tuple[float, ...]
    references: tuple[float, ...]
    value: float | None
    reference: float | None
    ratio: float | None
    low: float | None
    high: float | None
    verdict: str
    note: str

    @property
    def ratios(self) -> tuple[float, ...]:
        """The ratio of each round."""
        return tuple(
            ours / theirs for ours, theirs in zip(self.values, self.references, strict=False)
        )


class Run(NamedTuple):
    """A whole run: its circumstances by name, and its rows."""

    head: Mapping[str, Any]
    rows: tuple[Row, ...]


def make_row(spec: Spec, measured: Measured) -> Row:
    """Work out what a row's numbers come to."""
    values, references = (_short(numbers) for numbers in (measured.values, measured.references))
    ratios = [ours / theirs for ours, theirs in zip(values, references, strict=False)]
    value, ratio = middle(values), middle(ratios)
    spread = ratios or values
    return Row(
        measured.name,
        values,
        references,
        value,
        middle(references),
        ratio,
        min(spread, default=None),
        max(spread, default=None),
        verdict(spec, value, ratio),
        measured.note,
    )


def circumstances(*, quick: bool) -> dict[str, Any]:
    """Return what a run has to say of the machine, the interpreter and the commit."""
    return {
        "format": FORMAT,
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "machine": f"{platform.machine()}, {_processor()}",
        "cores": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "python": platform.python_version(),
        # the last one of what is measured, which stays when others are put behind it
        "commit": _git("log", "-1", "--format=%H", "--", *PRODUCT) or "unknown",
        "changed": bool(_git("status", "--porcelain", "--", *PRODUCT)),
        "load_before": [round(load, 2) for load in os.getloadavg()],
    }


def write_run(file: Path, head: Mapping[str, Any], rows: Iterable[Row]) -> None:
    """Write a run as JSON; ``read_run`` is the inverse."""
    listed = []
    for row in rows:
        spec = specs()[row.name]
        about = {"goals": spec.goals, "what": spec.what, "unit": spec.unit}
        listed.append({**row._asdict(), **about, "yardstick": spec.yardstick})
    lines = [json.dumps(row, ensure_ascii=False) for row in listed]
    text = json.dumps({**head, "rows": []}, indent=1, ensure_ascii=False)
    rows_text = ",\n  ".join(lines)  # a row a line, so that two runs can be read side by side
    file.write_text(text.replace('"rows": []', f'"rows": [\n  {rows_text}\n ]') + "\n", "utf-8")


def read_run(file: Path) -> Run:
    """Read a run.

    Raises:
        ValueError: the file is not a run of the benchmarks.
    """
    try:
        head = json.loads(file.read_text(encoding="utf-8"))
        if head["format"] != FORMAT:
            raise ValueError(f"format {head['format']}")
        rows = []
        for values in head.pop("rows"):
            kept = {name: values[name] for name in Row._fields}
            lists = {name: tuple(kept[name]) for name in ("values", "references")}
            rows.append(Row(**{**kept, **lists}))
    except (ValueError, LookupError, TypeError) as error:
        raise ValueError(f"{file} is not a run of these benchmarks: {error}") from None
    return Run(head, tuple(rows))


def _short(numbers: Iterable[float]) -> tuple[float, ...]:
    """Return numbers with the digits that can mean something."""
    return tuple(float(f"{number:.5g}") for number in numbers)


def _processor() -> str:
    """Return what the machine's processor is called."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown processor"


def _git(*words: str) -> str:
    """Return what git says of this checkout; nothing where there is none, or no git."""
    if shutil.which("git") is None:
        return ""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()
