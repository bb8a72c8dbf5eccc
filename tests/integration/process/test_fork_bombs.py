"""Bots that multiply, or are never caught under the same process id: they end all the same."""

from __future__ import annotations

import json

import pytest
from support.arena_users import as_user

from arena.sandbox import LEVELS

RUN = """
import json, os, sys, tempfile, time
from arena.process.bot import BotProcess
from arena.process.launcher import end_strays, strays
from arena.isolation.probes import probe
from arena.sandbox import Task, find_level

level, text = sys.argv[1:]
problem = probe(level)
if problem is not None:
    print(json.dumps({"skip": problem.reason}))
    sys.exit()
with tempfile.TemporaryDirectory() as folder:
    os.chmod(folder, 0o755)
    with open(folder + "/bot.py", "w") as file:
        file.write(text)
    task = Task((sys.executable, "-S", "./bot.py"), folder, processes=30)
    process = BotProcess(find_level(level).launch(task))
    # each that begins writes one byte; the pipe is read until it is at work
    seen = b""
    deadline = time.monotonic() + 20
    while len(seen) < 25 and time.monotonic() < deadline:
        try:
            more = os.read(process.stdout, 4096)
        except BlockingIOError:
            continue
        if not more:
            break
        seen += more
    process.kill()
    end_strays()
    print(json.dumps({"began": len(seen), "left": len([*strays()])}))
"""
BOMB = """
import os, signal
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        if os.fork() == 0:
            os.setsid()
            os.write(1, b".")
    except OSError:
        pass
"""
HOPPER = """
import os, time
if os.fork():  # where the first process ends, so does its namespace
    time.sleep(600)
while True:
    try:
        if os.fork():
            os._exit(0)
        os.setsid()
        os.write(1, b".")
    except OSError:
        pass
"""


@pytest.mark.slow
@pytest.mark.parametrize("level", [level for level in LEVELS if level != "none"])
@pytest.mark.parametrize("text", [BOMB, HOPPER], ids=["bomb", "hopper"])
def test_nothing_is_left(level: str, text: str) -> None:
    """Of a user's bot that forks forever nothing is left, at every level that bounds it."""
    run = as_user("user", "-c", RUN, level, text)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    if "skip" in found:
        pytest.skip(f"{level}: {found['skip']}")
    assert found["began"] >= 25
    assert found["left"] == 0
