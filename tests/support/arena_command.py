"""The command ``arena`` as a user starts it, with a home of its own."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest import mock

from arena.cli.main import main
from arena.terminal.stopping import STOPPING

ROOT = Path(__file__).parent.parent.parent
ARENA = (sys.executable, "-m", "arena")


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a command: this one's, the source tree, and the home."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "ARENA_HOME": str(home)}


def arena(home: Path, *args: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run ``arena ARGS`` to its end, within this process: starting Python is most of what it takes.

    See ``process`` for what is about the process itself, its signals and streams.
    """
    words = [str(arg) for arg in args]
    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    handlers = {number: signal.getsignal(number) for number in STOPPING}
    with (
        mock.patch.object(sys, "argv", ["arena", *words]),
        mock.patch.object(sys, "stdin", io.StringIO()),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            # not by the environment, which a fork server that stays would inherit
            main(["--home", str(home), *words])
        except SystemExit as stop:
            code = stop.code
    for number, handler in handlers.items():
        signal.signal(number, handler)
    assert isinstance(code, int)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def process(
    home: Path, *args: object, encoding: str = "utf-8", **env: str
) -> subprocess.CompletedProcess[str]:
    """Run ``arena ARGS`` to its end, as a process of its own that prints in an encoding."""
    return subprocess.run(
        [*ARENA, *map(str, args)],
        cwd=ROOT,
        env=environment(home) | {"PYTHONIOENCODING": encoding} | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding=encoding,
        timeout=110,
        check=False,
    )


def submitted(home: Path, source: Path, name: str) -> None:
    """Keep a bot as ``arena submit`` does, without trying it."""
    module = importlib.import_module("arena.check.submit")
    with mock.patch.object(module, "quick_walk", return_value=()):
        module.submit(source, name, home, allow_unsafe=True)


def output(home: Path, *args: object, cwd: Path = ROOT) -> str:
    """Run ``arena ARGS``, which must succeed; what it printed."""
    done = arena(home, *args, cwd=cwd)
    assert done.returncode == 0, f"{args}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
