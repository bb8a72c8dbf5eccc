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


def test_few_rounds_have_to_differ_by_more() -> None:
    """With a round each nobody knows the noise: a fifth is not marked, a half is."""
    assert not marked(made(values=(2.0,)), made(values=(2.4,)))
    assert marked(made(values=(2.0,)), made(values=(3.0,)))


def test_other_sizes_are_not_compared() -> None:
    """A quick run measures less, so its rows differ from those of a whole run by themselves."""
    after = made(values=tuple(9 * value for value in NOISY), quick=True)
    assert not marked(made(), after)
    assert "other sizes" in "\n".join(comparison_lines(made(), after))


def test_without_a_yardstick_values_are_compared() -> None:
    """A peer that is in one run only cannot be what both are measured by."""
    spec = specs()["kept-cutechess"]
    alone = Run({}, (make_row(spec, Measured(spec.name, (1000.0,), (), "no peer")),))
    beside = Run({}, (make_row(spec, Measured(spec.name, (1000.0,), (500.0,))),))
    (found,) = compare_runs(alone, beside)
    assert (found.before, found.after, found.change) == (1000.0, 1000.0, 1.0)


def test_ratios_are_taken_round_by_round() -> None:
    """A machine that is twice as slow in one round is so for both, and the ratio stays."""
    row = make_row(specs()["decision"], Measured("decision", (2.0, 4.0, 6.0), (1.0, 2.0, 3.0)))
    assert (row.ratio, row.low, row.high) == (2.0, 2.0, 2.0)
    assert (row.value, row.reference) == (4.0, 2.0)
    assert row.verdict == "goal"


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    """A file gives back the run."""
    run = Run({**circumstances(quick=True)}, made().rows)
    write_run(tmp_path / "run.json", run.head, run.rows)
    assert read_run(tmp_path / "run.json") == run


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": 2, "rows": []}', '{"format": 1}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    """What is no run is said to be none."""
    file = tmp_path / "run.json"
    file.write_text(text)
    with pytest.raises(ValueError, match="not a run"):
        read_run(file)


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


def test_the_page_has_every_row() -> None:
    """Every row has a line; what was not measured has no number, and a reason."""
    page = document(whole())
    lines = page.splitlines()
    for name, spec in specs().items():
        rows = [line for line in lines if line.startswith("| ") and f"`{name}`" in line]
        assert len(rows) == max(1, len(spec.goals)), name
    (decision,) = (line for line in lines if line.startswith("| P1 |"))
    assert "not measured" in decision
    assert "no peer" not in decision
    # a limit of the row's own number stands beside that, though there is a yardstick
    (playout,) = (line for line in lines if "`playout-leaves`" in line and line.startswith("| P"))
    assert "| 4 (3 to 5) | ≤ 2.5 (≤ 5) | must |" in playout
    (workers,) = (line for line in lines if "`workers`" in line and line.startswith("| P"))
    assert "| 2 × (1.5 to 2.5) | ≥ 1.6 × (≥ 1.4 ×) | goal |" in workers
    assert "There is no C compiler." in page


def test_the_page_says_how_busy_the_machine_was() -> None:
    """Other work is no secret of the table."""
    assert "3.25 before it" in document(whole())
    assert "cutechess-cli 9.9" in document(whole())
    assert "Other work was going on" in document(whole())


def test_the_page_is_not_written_from_a_quick_run() -> None:
    """What is measured there is too little."""
    with pytest.raises(ValueError, match="quick"):
        document(whole(quick=True))


def test_a_new_row_is_on_the_page_before_it_was_measured() -> None:
    """A row that is not in the run has a line without a number."""
    page = document(whole()._replace(rows=whole().rows[1:]))
    (decision,) = (line for line in page.splitlines() if line.startswith("| P1 |"))
    assert "not measured" in decision


def test_the_page_is_what_the_kept_run_gives() -> None:
    """``docs/performance.md`` is made from the run in the repository and from nothing else."""
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert page == document(read_run(ROOT / "benchmarks" / "measured.json"))
