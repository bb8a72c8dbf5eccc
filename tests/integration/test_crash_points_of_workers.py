"""At every crash point of a worker it dies or fails: its match is played again, nothing is lost."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from crash_runs import (
    SCENARIOS,
    WORKER,
    Case,
    at_end,
    disturbed,
    ended,
    start,
    stored,
    undisturbed,
)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for undisturbed runs."""
    return tmp_path_factory.mktemp("calm")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "kind"),
    [
        pytest.param(case, kind, id=f"{case.point}-{case.scenario}-{kind}")
        for case in WORKER
        for kind in case.codes
    ],
)
def test_a_crash_point(case: Case, kind: str, tmp_path: Path, calm: Path) -> None:
    """The run itself makes it good, and nobody sees a difference."""
    scenario, home = SCENARIOS[case.scenario], tmp_path / "home"
    words = scenario.prepare(tmp_path, home)
    fault = f"{case.point}:{case.number}:{kind}"
    end = disturbed(home, words, fault, tmp_path / "log")
    assert end.code == case.codes[kind], end.err
    if case.codes[kind] != scenario.code:  # it was the runner's own match
        again = ended(start(home, words))
        assert again.code == scenario.code, again.err
    found = stored(home)
    assert len(found) == len(set(found))
    assert at_end(home) == undisturbed(case.scenario, calm)


@pytest.mark.slow
@pytest.mark.parametrize("point", ["message", "hand-over"])
def test_a_worker_that_hangs(point: str, tmp_path: Path, calm: Path) -> None:
    """It is killed once it has shown no sign of life for long, here two seconds."""
    scenario, home = SCENARIOS["plain"], tmp_path / "home"
    words = scenario.prepare(tmp_path, home)
    shorter = "import arena.workers; arena.workers.SLACK_SECONDS = 2.0"
    end = disturbed(home, words, f"{point}:2:hang", tmp_path / "log", code=shorter)
    assert end.code == 0, end.err
    assert "hangs and is killed" in end.err
    assert signal.SIGKILL.name in end.err
    assert at_end(home) == undisturbed("plain", calm)
