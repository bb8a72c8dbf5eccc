"""The command ``arena`` as a user starts it, with a home of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

from arena.cli.main import main

ROOT = Path(__file__).parent.parent.parent
ARENA = (sys.executable, "-m", "arena")

# commands that start nothing and change nothing: most of what they take is the start of Python
LOOKING = ("bots", "export", "games", "leaderboard", "matches", "perft", "show", "verify")


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a command: this one's, the source tree, and the home."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "ARENA_HOME": str(home)}


def arena(
    home: Path, *args: object, cwd: Path = ROOT, stdin: str = "", timeout: float = 110
) -> subprocess.CompletedProcess[str]:
    """Run ``arena ARGS`` to its end: in a process of its own, or here if it only looks."""
    words = [str(arg) for arg in args]
    if words[0] in LOOKING and not stdin:
        return _here(home, words, cwd)
    return subprocess.run(
        [*ARENA, *words],
        cwd=cwd,
        env=environment(home),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def output(home: Path, *args: object, cwd: Path = ROOT) -> str:
    """Run ``arena ARGS``, which must succeed; what it printed."""
    done = arena(home, *args, cwd=cwd)
    assert done.returncode == 0, f"{args}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _here(home: Path, words: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with (
        mock.patch.dict(os.environ, ARENA_HOME=str(home)),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main(words)
        except SystemExit as stop:
            code = stop.code
    assert isinstance(code, int)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())
