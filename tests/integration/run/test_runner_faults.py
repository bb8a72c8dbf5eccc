"""What else can happen to a run and its store: rows of the catalogue of faults that had no test."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from support.arena_command import ARENA, ROOT, environment, output, tournament
from support.crash_runs import stored
from support.piped import Piped
from support.running import Running
from support.timeless import timeless

TIME_OF_DAY = re.compile(r"\b(?:time\.time(?:_ns)?|datetime\.(?:utc)?now)\b")


def file_of(folder: Path, name: str = "open", rounds: int = 4) -> Path:
    keys = {"name": name, "rounds": rounds, "seed": 3, "workers": 1, "sandbox": "none"}
    return tournament(folder, "[random-sh, {name: other, bot: random-sh}]", **keys)


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_goes_away(tmp_path: Path, stream: str) -> None:
    """Where nobody reads any more, the run plays on; nothing is lost, and there is no traceback."""
    file = file_of(tmp_path)
    words, env = (*ARENA, "run", file, "--verbose"), environment(tmp_path / "home")
    with Piped(words, cwd=ROOT, env=env, stderr=subprocess.PIPE) as process:
        pipes = {"stdout": process.stdout, "stderr": process.stderr}
        pipes.pop(stream).close()
        rest = pipes.popitem()[1].read()
        assert process.wait(timeout=100) == 0
    assert "Traceback" not in rest
    assert len(stored(tmp_path / "home")) == 8


def test_no_duration_comes_from_the_time_of_day() -> None:
    """A clock that jumps changes dates in records, and no verdict: nothing else asks for it."""
    found = {
        str(path.relative_to(ROOT)): set(TIME_OF_DAY.findall(path.read_text()))
        for path in (ROOT / "arena").rglob("*.py")
    }
    # when a match started; what "since two hours ago" means; until when a certificate is valid;
    # whether a file of a copy is from the future; since when somebody is unable, in a message
    allowed = {
        "arena/session/match_session.py": {"time.time_ns"},
        "arena/session/functions.py": {"time.time_ns"},
        "arena/results/standings.py": {"datetime.now"},
        "arena/cluster/certificates.py": {"datetime.now"},
        "arena/process/folders.py": {"time.time_ns"},
    }
    assert {path: calls for path, calls in found.items() if calls} == allowed


@pytest.mark.slow
def test_an_export_that_is_killed(tmp_path: Path) -> None:
    """What was printed are whole lines but the last, and the next export is the whole one."""
    output(tmp_path / "home", "run", file_of(tmp_path, rounds=40))
    whole = output(tmp_path / "home", "export")
    with Piped((*ARENA, "export"), cwd=ROOT, env=environment(tmp_path / "home")) as process:
        first = process.stdout.read(5000)
        process.kill()
        rest = first + process.stdout.read()
    assert whole.startswith(rest)
    assert output(tmp_path / "home", "export") == whole


@pytest.mark.slow
def test_two_tournaments_in_one_home(tmp_path: Path) -> None:
    """Two that are run at the same time share a store, and nothing else."""
    files = [file_of(tmp_path, name, rounds=6) for name in ("one", "two")]
    for run in [Running(tmp_path / "home", "run", file) for file in files]:
        assert run.end() == 0, run.said
    for file in files:
        output(tmp_path / file.stem, "run", file)
        alone = timeless(tmp_path / file.stem)
        assert timeless(tmp_path / "home", file.stem) == alone
        assert len(alone) == 12


# which test stands for which row


def test_every_row_has_a_test() -> None:
    """Rows 97 to 138 of the catalogue name tests that exist, or say why there is none yet."""
    text = (ROOT / "tests" / "hostile" / "rows_of_the_arena.yaml").read_text()
    rows = yaml.safe_load(text)
    assert list(rows) == list(range(97, 139))
    for number, row in rows.items():
        assert row["what"], number
        assert ("tests" in row) != ("why_none" in row), number
        for name in row.get("tests", ()):
            path, test = re.split(r"::(?:\w+\.)?", name)
            text = (ROOT / "tests" / path).read_text()
            assert f"def {test}(" in text, f"row {number}: {name}"
