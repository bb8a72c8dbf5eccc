"""What every row is about: its goals, its limits and what is written of it, from ``rows.toml``."""

from __future__ import annotations

import operator
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["GOALS", "Limit", "Spec", "specs", "verdict"]

GOALS = (*(f"P{number}" for number in range(1, 30)), "P31")  # P30 is of sixteen cores
FILE = Path(__file__).with_name("rows.toml")
SIGNS = {"<=": operator.le, ">=": operator.ge}


class Limit(NamedTuple):
    """A bound of a row: of its ``ratio`` to the yardstick, or of its own ``value``."""

    of: str
    sign: str
    number: float

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Read ``ratio <= 2`` or ``value >= 0.5``.

        Raises:
            ValueError: it is not written like that.
        """
        of, sign, number = text.split(" ")
        if of not in ("ratio", "value") or sign not in SIGNS:
            raise ValueError(f'expected a limit such as "ratio <= 2", found "{text}"')
        return cls(of, sign, float(number))

    def __str__(self) -> str:
        times = " ×" if self.of == "ratio" else ""
        return f"{self.sign.replace('<=', '≤').replace('>=', '≥')} {self.number:g}{times}"

    def holds(self, value: float | None, ratio: float | None) -> bool | None:
        """Return whether a measurement keeps it; ``None`` if what it bounds was not measured."""
        found = ratio if self.of == "ratio" else value
        return None if found is None else bool(SIGNS[self.sign](found, self.number))


class Spec(NamedTuple):
    """What is known of a row before it is measured.

    Attributes:
        name: what ``--only`` calls it.
        goals: those of ``GOALS`` that it measures.
        what: what is measured.
        unit: of its values and of the yardstick's.
        yardstick: what it is compared with; empty: nothing.
        goal: what is aimed at.
        must: what has to hold.
        first: the figure of the first build, as far as it was measured.
        remark: what remains to be said.
        sets: names of what is measured together when it is asked for, such as ``scale``.
    """

    name: str
    goals: tuple[str, ...]
    what: str
    unit: str
    yardstick: str = ""
    goal: Limit | None = None
    must: Limit | None = None
    first: str = ""
    remark: str = ""
    sets: tuple[str, ...] = ()


@cache
def specs() -> dict[str, Spec]:
    """Return all rows by name, in the order of the file."""
    found = {}
    for name, values in tomllib.loads(FILE.read_text(encoding="utf-8")).items():
        limits = {key: Limit.parse(values[key]) for key in ("goal", "must") if key in values}
        lists = {key: tuple(values.get(key, ())) for key in ("goals", "sets")}
        found[name] = Spec(name, **{**values, **limits, **lists})
    return found


def verdict(spec: Spec, value: float | None, ratio: float | None) -> str:
    """Say how a measurement keeps its limits: ``goal``, ``must``, ``misses must``, or nothing."""
    if spec.goal is not None and spec.goal.holds(value, ratio):
        return "goal"
    if spec.must is None:
        missed = spec.goal is not None and spec.goal.holds(value, ratio) is False
        return "misses goal" if missed else ""
    return {True: "must", False: "misses must", None: ""}[spec.must.holds(value, ratio)]
