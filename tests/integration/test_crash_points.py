"""At every crash point of a runner a run dies, hangs or fails, and the next one makes it good."""

from __future__ import annotations

import ast
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.arena_command import ROOT
from support.crash_runs import (
    RUNNER,
    SCENARIOS,
    SECRET_RUNS,
    WORKER,
    Case,
    acknowledged,
    at_end,
    disturbed,
    params,
    played_on,
    stored,
    undisturbed,
    with_seed,
)

from arena.crash import KINDS, POINTS, Fault, parse_faults
from arena.errors import UsageError


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for undisturbed runs."""
    return tmp_path_factory.mktemp("calm")


@pytest.mark.parametrize(("case", "kind", "code"), params(RUNNER))
def test_a_crash_point(case: Case, kind: str, code: int, tmp_path: Path, calm: Path) -> None:
    """What was acknowledged is there, once; after the same command again all is as undisturbed."""
    scenario, home = SCENARIOS[case.scenario], tmp_path / "home"
    words = scenario.prepare(tmp_path, home)
    end = disturbed(home, words, f"{case.point}:{case.number}:{kind}", tmp_path / "log")
    assert end.code == code, end.err
    there = stored(home)
    assert acknowledged(end.err) <= set(there)
    assert len(there) == len(set(there))
    played_on(scenario, home, words)
    assert at_end(home) == undisturbed(case.scenario, calm)


@pytest.mark.parametrize(("case", "kind", "code"), params(SECRET_RUNS))
def test_a_secret_seed_stays(case: Case, kind: str, code: int, tmp_path: Path) -> None:
    """All matches come from the one seed that is shown at the end, whose hash was shown before."""
    home = tmp_path / "home"
    words = SCENARIOS["secret"].prepare(tmp_path, home)
    end = disturbed(home, words, f"{case.point}:{case.number}:{kind}", tmp_path / "log")
    assert end.code == code, end.err
    again = played_on(SCENARIOS["secret"], home, words)
    shown = re.findall(r"SHA-256 is ([0-9a-f]{64})", end.err + again)
    [seed] = re.findall(r"secret until now, was (\d+)", again)
    assert {*shown} == {hashlib.sha256(seed.encode()).hexdigest()}
    assert at_end(home) == with_seed(tmp_path, tmp_path / "other", seed)


# the points themselves


def crossed() -> list[str]:
    """Return the point of every call of ``cross`` in the arena."""
    found = []
    for path in sorted((ROOT / "arena").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "cross"
            ):
                (word,) = node.args
                assert isinstance(word, ast.Constant), f"{path}: a point is a word"
                found.append(str(word.value))
    return found


def test_every_point_is_crossed_and_tried() -> None:
    """A point that nothing crosses, or at which no test kills, is no net."""
    assert set(crossed()) == set(POINTS)
    tried = {case.point for case in (*RUNNER, *WORKER) if "kill9" in case.codes}
    assert tried == set(POINTS)
    assert {kind for case in RUNNER for kind in case.codes} == set(KINDS)


def test_faults_as_text() -> None:
    """Points, numbers and kinds are read; what is none of them is refused."""
    assert parse_faults("commit:3:kill9,rename:1:eio") == (
        Fault("commit", 3, "kill9"),
        Fault("rename", 1, "eio"),
    )
    assert parse_faults("") == ()


@pytest.mark.parametrize(
    "text", ["comit:1:kill9", "commit:1:kill", "commit:0:eio", "commit:x:eio", "commit"]
)
def test_a_fault_that_is_none(text: str) -> None:
    """A misspelt fault would be a test that cannot fail."""
    with pytest.raises(UsageError, match="ARENA_FAULT"):
        parse_faults(text)


def test_without_a_fault_nothing_is_done() -> None:
    """Where nobody asked for a fault, crossing is an empty function."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_FAULT")}
    code = "from arena import crash; print(crash.cross is crash._nothing)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"
