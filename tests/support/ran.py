"""Programs that a test runs to their end, for what they print and how they end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PYTHON = sys.executable
NOTHING: Mapping[str, str] = {}


def ran(
    *words: object,
    cwd: Path = ROOT,
    given: str = "",
    env: Mapping[str, str] = NOTHING,
    encoding: str = "utf-8",
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, with a text as its input; ``env`` is added to the environment."""
    return subprocess.run(
        [*map(str, words)],
        cwd=cwd,
        env={**os.environ, **env},
        input=given,
        capture_output=True,
        encoding=encoding,
        timeout=110,
        check=False,
    )


def printed(*words: object, cwd: Path = ROOT, env: Mapping[str, str] = NOTHING) -> str:
    """Run a program to its end, which must be a good one; return what it printed."""
    done = ran(*words, cwd=cwd, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout
