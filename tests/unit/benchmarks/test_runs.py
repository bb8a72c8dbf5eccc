"""Runs of the benchmarks as files, side by side, and as a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.comparing import compare_runs, comparison_lines
from benchmarks.document import document
from benchmarks.measuring import Measured
from benchmarks.results import Run, circumstances, make_row, read_run, write_run
from benchmarks.specs import specs

ROOT = Path(__file__).parents[3]
NOISY = (2.0, 2.2, 1.9, 2.1, 2.0)


def made(name: str = "decision", values: tuple[float, ...] = NOISY, *, quick: bool = False) -> Run:
    """Return a run of one row, whose yardstick always takes 1."""
    measured = Measured(name, values, (1.0,) * len(values))
    return Run({"quick": quick}, (make_row(specs()[name], measured),))


def marked(before: Run, after: Run) -> bool:
    (found,) = compare_runs(before, after)
    return found.beyond_noise


def test_a_difference_is_marked() -> None:
    """Half as much again, in every round, is no noise."""
    after = made(values=tuple(1.5 * value for value in NOISY))
    assert marked(made(), after)
    assert marked(after, made())
    assert "beyond noise" in "\n".join(comparison_lines(made(), after))


def test_noise_is_not_marked() -> None:
    """Rounds that overlap are noise, whatever their medians; and so is a twentieth."""
    assert not marked(made(), made(values=(2.2, 2.1, 2.3, 1.95, 2.4)))
    assert not marked(made(values=(2.0, 2.0, 2.0)), made(values=(2.09, 2.09, 2.09)))
    assert "beyond noise" not in "\n".join(comparison_lines(made(), made()))


def test_ratios_are_taken_round_by_round() -> None:
    """A machine that is twice as slow in one round is so for both, and the ratio stays."""
    row = make_row(specs()["decision"], Measured("decision", (2.0, 4.0, 6.0), (1.0, 2.0, 3.0)))
    assert (row.ratio, row.low, row.high) == (2.0, 2.0, 2.0)
    assert (row.value, row.reference) == (4.0, 2.0)
    assert row.verdict == "goal"


@pytest.mark.parametrize("git", [True, False])
def test_a_run_is_read_as_it_was_written(
    git: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file gives back the run, also of a machine without git, where no commit is known."""
    if not git:
        monkeypatch.setenv("PATH", str(tmp_path))
        assert circumstances(quick=True)["commit"] == "unknown"
    run = Run({**circumstances(quick=True)}, made().rows)
    write_run(tmp_path / "run.json", run.head, run.rows)
    assert read_run(tmp_path / "run.json") == run


def whole(*, quick: bool = False) -> Run:
    """Return a made-up run of all rows; one of them could not be measured."""
    rows = [
        make_row(spec, Measured(name, (3.0, 4.0, 5.0), (2.0, 2.0, 2.0) if spec.yardstick else ()))
        for name, spec in specs().items()
    ]
    rows[0] = make_row(specs()["decision"], Measured("decision", (), (), "there is no C compiler"))
    head = {**circumstances(quick=quick), "load_after": [0.5, 0.5, 0.5], "seconds": 600.0}
    head |= {"peers": ["cutechess-cli 9.9"]}
    return Run({**head, "load_before": [3.25, 2.0, 1.0]}, tuple(rows))


def test_the_page_has_every_goal() -> None:
    """Every goal has a line a kind, the worst of it; what was not measured has a reason."""
    page = document(whole())
    lines = page.splitlines()
    kinds = {
        (goal, name.partition("-")[0], spec.yardstick)
        for name, spec in specs().items()
        for goal in spec.goals
    }
    shown = [line.split()[1] for line in lines if line.startswith("| P")]
    assert shown.count("P10") == 1
    assert sorted(shown) == sorted(goal for goal, _, _ in kinds)
    (decision,) = (line for line in lines if line.startswith("| P1 "))
    assert "not measured: there is no C compiler" in decision
    assert "no peer" not in decision
    # a limit of the row's own number stands beside that, though there is a yardstick
    (playout,) = (line for line in lines if "| P10 " in line)
    assert "`playout-treeblox`" in playout
    assert "| 4 µs (3–5), **misses must** | ≤ 0.9 (1.8) |" in playout
    (workers,) = (line for line in lines if "`workers`" in line and line.startswith("| P"))
    assert "| 2× (1.5–2.5) | ≥ 1.6× (1.4×) |" in workers


def test_the_page_is_what_the_kept_run_gives() -> None:
    """``docs/performance.md`` is made from the run in the repository and from nothing else."""
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert page == document(read_run(ROOT / "benchmarks" / "measured.json"))
