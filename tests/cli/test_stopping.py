"""How a run ends that is stopped, that has lost its terminal, or that the machine fails."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path

import pytest
from support.arena_command import ARENA, arena, environment, messages, output, tournament
from support.bot_files import write
from support.bot_programs import program
from support.ran import PYTHON, ran
from support.running import Running, plays
from support.terminals import terminal
from support.waiting import until

import arena.run.runner as runner_module

pytestmark = pytest.mark.slow


def written(folder: Path, rounds: int) -> Path:
    return tournament(folder, "[random, random-sh]", name="stop", rounds=rounds, seed=3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path, 500)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
)
def test_signal_sets_exit_code_and_advice(
    file: Path, tmp_path: Path, number: int, code: int
) -> None:
    """A run stopped by a signal has its exit code, and a last line that goes on."""
    run = Running(tmp_path / "home", "run", file, "--verbose")
    run.until()
    assert run.stopped(number) == code
    assert run.said.endswith(f"Go on with: arena run {file} --verbose\n")


LOST = """\
import signal, sys, time
from arena.terminal.stopping import heed_signals, stopped

class Dropped:
    def __del__(self):
        signal.raise_signal({number})

heed_signals()
try:
    Dropped()
    time.sleep(30)
except KeyboardInterrupt as error:
    sys.exit(stopped(error))
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal_during_destructor_stops_command(number: int, code: int) -> None:
    """A signal that arrives in a destructor stops the command all the same."""
    done = ran(PYTHON, "-c", LOST.format(number=int(number)))
    assert (done.returncode, done.stderr) == (code, "")


def test_signal_while_bundle_is_verified_leaves_nothing(tmp_path: Path) -> None:
    """SIGTERM while ``bundle verify`` plays a match again has exit code 143; no file is left."""
    home, file, wait, places = (tmp_path / name for name in ("home", "b.arena", "wait", "places"))
    asked = f"while os.path.exists({str(wait)!r}): time.sleep(0.01)"
    bot = write(tmp_path / "oak.py", program(asked=asked))
    keys = {"clock": "{move: 1m}", "sandbox": "none", "rounds": 1, "seed": 1}
    output(home, "run", tournament(tmp_path, f"[{{name: oak, run: {bot}}}, random]", **keys))
    output(home, "bundle", "create", "-o", file)
    for path in (wait, places):
        path.mkdir()
    words = ("bundle", "verify", file, "--rerun", 1, "--sandbox", "none")
    run = Running(tmp_path / "other", *words, TMPDIR=str(places))
    until(lambda: plays(run.process.pid, "oak.py"))
    assert run.stopped(signal.SIGTERM) == 143
    assert list(places.iterdir()) == []


def test_interrupted_new_edition_goes_on_without_new(file: Path, tmp_path: Path) -> None:
    """Ctrl-C in ``run --new`` advises the command without ``--new``."""
    output(tmp_path / "home", "run", written(tmp_path, 2))
    written(tmp_path, 500)
    run = Running(tmp_path / "home", "run", file, "--new", "--verbose")
    run.until()
    assert run.stopped() == 130
    assert run.said.endswith(f"Go on with: arena run {file} --verbose\n")
    run = Running(tmp_path / "home", "run", file, "--new", "--quiet")
    until(lambda: arena(tmp_path / "home", "matches", "stop#3").stdout)
    assert run.stopped() == 130
    assert run.said.endswith(f"Go on with: arena run {file} --quiet\n")


def test_closed_terminal_stops_run(file: Path, tmp_path: Path) -> None:
    """A run whose terminal closes stops with exit code 129, and keeps its matches."""
    with terminal(tmp_path / "home", "run", str(file), "--verbose") as screen:
        screen.expect(r"\d+/1000 [0-9a-f]{16} ")
        screen.hang_up()
        assert screen.process.wait(60) == 129
    assert output(tmp_path / "home", "matches").count("\n") > 1


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&-", "<&- >&- 2>&-"])
def test_run_with_closed_streams_plays(tmp_path: Path, closed: str) -> None:
    """A run started with stdin, stdout or stderr closed plays as usual."""
    words = ("sh", "-c", f'exec "$@" {closed}', "sh", *ARENA, "run", written(tmp_path, 1))
    done = ran(*words, env=environment(tmp_path / "home"))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert ("random-sh" in done.stdout) == (">&-" not in closed.replace("2>&-", ""))
    assert output(tmp_path / "home", "matches").count("\n") == 2 + 1  # and a line of titles
    assert "all right" in output(tmp_path / "home", "verify")


@pytest.mark.parametrize("name", ["EMFILE", "ENFILE", "ENOSPC", "EDQUOT", "EIO", "ENOMEM"])
@pytest.mark.parametrize("path", [None, "/some/file"])
def test_machine_failure_has_exit_code_3(
    file: Path, monkeypatch: pytest.MonkeyPatch, name: str, path: str | None
) -> None:
    """Too few files, a full or failing disk have exit code 3 and a sentence."""
    number = getattr(errno, name)

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(runner_module, "run_tournament", fail)
    monkeypatch.setattr("arena.cli.main._forget_stdout", lambda: None)
    done = messages(file.parent / "home", "run", file, code=3)
    assert os.strerror(number) in done
    assert (path or "arena.cli.run") in done  # which file, or what was being done


def test_run_under_nohup_goes_on(file: Path, tmp_path: Path) -> None:
    """A run that ignores SIGHUP goes on when its terminal closes."""
    trap = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh")
    run = Running(tmp_path / "home", "run", file, "--verbose", enter=trap)
    run.until()
    run.process.send_signal(signal.SIGHUP)
    run.until(times=10)
    assert run.stopped(signal.SIGTERM) == 143
