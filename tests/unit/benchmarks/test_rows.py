"""The benchmarks see every goal, and their data and their program agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.document import document
from benchmarks.groups import GROUPS
from benchmarks.results import read_run
from benchmarks.specs import GOALS, specs

ROOT = Path(__file__).parents[3]


def test_every_goal_has_a_row() -> None:
    """There are the goals P1 to P29 and P31, and each is measured by a row at least."""
    assert GOALS[0] == "P1"
    assert GOALS[-2:] == ("P29", "P31")
    assert len(GOALS) == 30
    assert {goal for spec in specs().values() for goal in spec.goals} == set(GOALS)


def test_groups_measure_what_the_data_describe() -> None:
    """Every row is measured by one group, and no other row is."""
    rows = [name for group in GROUPS for name in group.rows]
    assert len(rows) == len(set(rows))
    assert set(rows) == set(specs())


def test_the_page_is_what_the_kept_run_gives() -> None:
    """``docs/performance.md`` is made from the runs in the repository and from nothing else."""
    runs = (read_run(ROOT / f"benchmarks/measured{name}.json") for name in ("", "-before"))
    assert (ROOT / "docs" / "performance.md").read_text(encoding="utf-8") == document(*runs)


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
