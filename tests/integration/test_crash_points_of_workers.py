"""At every crash point of a worker it dies or fails: its match is played again, nothing is lost."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from support.crash_runs import (
    SCENARIOS,
    WORKER,
    Case,
    at_end,
    disturbed,
    params,
    played_on,
    stored,
    undisturbed,
)


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for undisturbed runs."""
    return tmp_path_factory.mktemp("calm")


@pytest.mark.parametrize(("case", "kind", "code"), params(WORKER))
def test_a_crash_point(case: Case, kind: str, code: int, tmp_path: Path, calm: Path) -> None:
    """The run itself makes it good, and nobody sees a difference."""
    scenario, home = SCENARIOS[case.scenario], tmp_path / "home"
    words = scenario.prepare(tmp_path, home)
    end = disturbed(home, words, f"{case.point}:{case.number}:{kind}", tmp_path / "log")
    assert end.code == code, end.err
    if code != scenario.code:  # the match was one of the command's own
        played_on(scenario, home, words)
    found = stored(home)
    assert len(found) == len(set(found))
    assert at_end(home) == undisturbed(case.scenario, calm)


@pytest.mark.slow
@pytest.mark.parametrize("point", ["message", "hand-over"])
def test_a_worker_that_hangs(point: str, tmp_path: Path, calm: Path) -> None:
    """It is killed once it has shown no sign of life for long, here two seconds."""
    scenario, home = SCENARIOS["plain"], tmp_path / "home"
    words = scenario.prepare(tmp_path, home)
    shorter = "import arena.workers.local; arena.workers.local.SLACK_SECONDS = 2.0"
    end = disturbed(home, words, f"{point}:2:hang", tmp_path / "log", code=shorter)
    assert end.code == 0, end.err
    assert "hangs and is killed" in end.err
    assert signal.SIGKILL.name in end.err
    assert at_end(home) == undisturbed("plain", calm)


@pytest.mark.parametrize(("point", "void"), [("handed-over", False), ("taken", True)])
def test_only_a_match_that_was_taken_is_void(point: str, void: bool, tmp_path: Path) -> None:
    """A worker that dies before it takes the match that waits for it costs that match nothing."""
    home = tmp_path / "home"
    words = SCENARIOS["plain"].prepare(tmp_path, home)
    end = disturbed(home, words, f"{point}:1:kill9", tmp_path / "log")
    assert end.code == 0, end.err
    assert signal.SIGKILL.name in end.err
    assert ("is void" in end.err) == void
