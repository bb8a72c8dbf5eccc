"""The command ``arena`` as a user starts it, with a home of its own."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from support.ran import ROOT as ROOT
from support.ran import ran

from arena.cli.main import main
from arena.terminal.stopping import STOPPING

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
    home: Path,
    *args: object,
    start: Sequence[object] = ARENA,
    cwd: Path = ROOT,
    encoding: str = "utf-8",
    **env: str,
) -> subprocess.CompletedProcess[str]:
    """Run ``arena ARGS`` to its end, as a process of its own that prints in an encoding.

    ``start``: the words before ``ARGS``, if they are others; ``env``: more of the environment.
    """
    more = environment(home) | {"PYTHONIOENCODING": encoding} | env
    return ran(*start, *args, cwd=cwd, env=more, encoding=encoding)


def tournament(folder: Path, bots: str = "[random, greedy]", /, **keys: object) -> Path:
    """Write ``NAME.yaml``, a tournament file, into a folder; return its path.

    Each key has its value as a text of YAML, and is left out if that is ``None``. The name is
    ``cup`` and the game ``leaves`` unless the keys say otherwise.
    """
    known = {"name": "cup", "game": "leaves", **keys, "bots": bots}
    file = folder / f"{known['name']}.yaml"
    file.write_text(
        "".join(f"{key}: {value}\n" for key, value in known.items() if value is not None)
    )
    return file


def submitted(home: Path, source: Path, name: str) -> None:
    """Keep a bot as ``arena submit`` does, without trying it."""
    module = importlib.import_module("arena.check.submit")
    with mock.patch.object(module, "walk", return_value=()):
        module.submit(source, name, home, allow_unsafe=True)


def output(home: Path, *args: object, code: int = 0, cwd: Path = ROOT) -> str:
    """Run ``arena ARGS``, which must end with an exit code; what it printed."""
    done = arena(home, *args, cwd=cwd)
    assert done.returncode == code, f"{args}: {done}"
    return done.stdout


def as_json(home: Path, *args: object, code: int = 0, cwd: Path = ROOT) -> Any:
    """Run ``arena ARGS --json``, which must end with an exit code; what it printed, read."""
    return json.loads(output(home, *args, "--json", code=code, cwd=cwd))


def messages(home: Path, *args: object, code: int = 0, cwd: Path = ROOT) -> str:
    """Run ``arena ARGS``, which must end with an exit code; what it wrote to stderr."""
    done = arena(home, *args, cwd=cwd)
    assert done.returncode == code, f"{args}: {done}"
    assert "Traceback" not in done.stderr
    return done.stderr


def refused(home: Path, *args: object, cwd: Path = ROOT) -> str:
    """Run ``arena ARGS``, which must be refused with exit code 2 and print nothing; the reason."""
    done = arena(home, *args, cwd=cwd)
    assert (done.returncode, done.stdout) == (2, ""), f"{args}: {done}"
    assert "Traceback" not in done.stderr
    return done.stderr
