"""The command ``arena`` as a user starts it: a process, with a home of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ARENA = (sys.executable, "-m", "arena")


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a command: this one's, the source tree, and the home."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "ARENA_HOME": str(home)}


def arena(
    home: Path, *args: object, cwd: Path = ROOT, stdin: str = "", timeout: float = 110
) -> subprocess.CompletedProcess[str]:
    """Run ``arena ARGS`` to its end."""
    return subprocess.run(
        [*ARENA, *map(str, args)],
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
