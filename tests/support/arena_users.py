"""Running a Python program as an ordinary user, also where the tests run as root."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest
from support.needs import root, tool

from arena.sandbox.visible import closed_at, needed

# a user who owns nothing, and none that the arena gives to bots; tests that run at the same time
# have one each, as the kernel bounds how many processes a user has
ORDINARY = 61500 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
ROOT = Path(__file__).parent.parent.parent


@lru_cache(maxsize=1)
def open_python() -> str | None:
    """Return an interpreter that any user can run, and that can run the sandbox's modules."""
    for path in ("/usr/bin/python3", sys.executable):
        if not os.path.exists(path) or any(map(closed_at, (path, *needed(path), str(ROOT)))):
            continue
        check = "import sys; assert sys.version_info >= (3, 11); import arena.isolation.trial"
        if subprocess.run([path, "-B", "-c", check], cwd=ROOT, capture_output=True).returncode == 0:
            return path
    return None


def ordinary(program: str | None = None) -> tuple[str, ...]:
    """Return the words with which root runs Python as an ordinary user; skips the test without.

    Left out, the program is any Python that can run the sandbox's modules.
    """
    python = open_python() if program is None else program
    if python is None or closed_at(python) or closed_at(str(ROOT)):
        pytest.skip("no Python here can be run by an ordinary user")
    user = ("--reuid", str(ORDINARY), "--regid", str(ORDINARY), "--clear-groups")
    return (tool("setpriv"), *user, python)


def as_user(user: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these words from the source tree, as ``root`` or as an ordinary ``user``.

    Skips the test where that cannot be.
    """
    program: tuple[str, ...] = (sys.executable,)
    if user == "root":
        root("start bots as users of their own")
        program = (open_python() or sys.executable,)  # root's bots are other users
    elif os.geteuid() == 0:
        program = ordinary()
    return subprocess.run(
        [*program, "-B", *words],
        cwd=ROOT,
        env={"PATH": os.defpath, "HOME": "/tmp", "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )
