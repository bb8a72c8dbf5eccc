"""The benchmarks see every goal, and their data and their program agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.__main__ import main
from benchmarks.groups import GROUPS
from benchmarks.measuring import Sizes
from benchmarks.results import Run, read_run
from benchmarks.specs import GOALS, Limit, Spec, specs, verdict


def test_every_goal_has_a_row() -> None:
    """There are the goals P1 to P29 and P31, and each is measured by a row at least."""
    assert GOALS[0] == "P1"
    assert GOALS[-2:] == ("P29", "P31")
    assert len(GOALS) == 30
    assert {goal for spec in specs().values() for goal in spec.goals} == set(GOALS)


def test_rows_of_goals_have_a_goal() -> None:
    """A row that measures a goal says what is aimed at."""
    assert [spec.name for spec in specs().values() if spec.goals and spec.goal is None] == []


def test_groups_measure_what_the_data_describe() -> None:
    """Every row is measured by one group, and no other row is."""
    rows = [name for group in GROUPS for name in group.rows]
    assert len(rows) == len(set(rows))
    assert set(rows) == set(specs())


@pytest.mark.parametrize(
    ("value", "said"), [(10.0, "goal"), (15.0, "must"), (16.0, "misses must"), (None, "")]
)
def test_verdict_of_row_names_goal_first(value: float | None, said: str) -> None:
    """A value within the goal is said to keep it, else what is kept of the must."""
    goal, must = Limit("value", "<=", 10), Limit("value", "<=", 15)
    assert verdict(Spec("a", (), "what", "ms", goal=goal, must=must), value, None) == said


def test_a_set_is_asked_for_by_its_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``python -m benchmarks scale`` measures what is about size: a million, and a cluster."""
    wanted: list[frozenset[str]] = []

    def measure(names: frozenset[str], sizes: Sizes) -> Run:
        wanted.append(names)
        return Run({}, ())

    monkeypatch.setattr(benchmarks, "_measure", measure)
    main(["scale"])
    main(["scale", "help"])
    (scale, more) = wanted
    assert scale >= {"scheduled", "memory-scheduled", "leaderboard-seconds", "cluster-games"}
    assert more - scale == {"help"}
    with pytest.raises(SystemExit):
        main(["scales"])
    assert 'no row, goal or set "scales"' in capsys.readouterr().err


@pytest.mark.slow
def test_one_row_is_measured_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--only`` measures the row that is named and no other, and the file says where and when."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)  # as it does itself
    file = tmp_path / "run.json"
    main(["--only", "help", "--quick", "--json", str(file)])
    assert capsys.readouterr().out.startswith("help ")
    text = json.loads(file.read_text())
    assert [row["name"] for row in text["rows"]] == ["help"]
    assert {"machine", "python", "commit", "when", "load_before", "load_after"} <= set(text)
    (row,) = read_run(file).rows
    assert len(row.values) == len(row.references) > 2
    assert min(row.values) > 0
    assert row.low is not None
    assert row.ratio is not None
    assert row.low <= row.ratio
