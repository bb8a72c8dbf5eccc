"""Plays a match of a row's program for each line of stdin, and prints what came of it, in JSON.

A line is a list in JSON: the folder, the level, and the row's data. The answer is a list as well:
the line, and what came of it, ``null`` where the process that played it failed. Each match is
played by a process of its own, so that nothing of the tests is near the row's program, and so that
what is left is its alone. It is a fork of this one: to import the arena takes longer than most of
the matches.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.match_jobs import job, seat  # noqa: E402  # found only now
from support.waiting import marked, stays  # noqa: E402

from arena.machine.run_folder import own_folder  # noqa: E402
from arena.session.match_session import play_match  # noqa: E402
from arena.values.errors import MatchVoid  # noqa: E402
from arena.values.model import Clock, MatchJob, Record  # noqa: E402

MARK = "ARENA_ROW"  # in the environment of every process that comes of the row's program


def job_of(folder: Path, level: str, expect: dict[str, Any]) -> MatchJob:
    """Return a match of the row's program, in seat 0, against one that plays well and at random.

    In the words of ``start``, ``{python}`` stands for this interpreter.
    """
    env = ((MARK, str(os.getpid())),)
    usual = {"move_ms": 500, "first_ms": 0, "margin_ms": 50, "start_ms": 8000}
    clock = Clock(**usual | expect.get("clock", {}))
    patient = Clock(move_ms=20_000, first_ms=0, margin_ms=50, start_ms=20_000)
    row = seat(program=folder / "bot.py", name="row", clock=clock, env=env, seed=1)
    start = expect.get("start", ["{python}", "-u", "./bot.py"])
    words = tuple(sys.executable if word == "{python}" else word for word in start)
    memory = expect.get("memory_mib", 256) << 20
    bot = replace(row.entrant.bot, name=folder.name, start=words)
    row = replace(row, entrant=replace(row.entrant, bot=bot, memory_bytes=memory))
    good = ROOT / "bots/random_python/bot.py"
    partner = seat(program=good, name="partner", clock=patient, env=env, seed=2)
    game, setup = expect.get("game", "leaves"), expect.get("setup")
    return job(game, row, partner, setup=setup, sandbox=level)


def told(record: Record, log: str) -> dict[str, object]:
    """Return what the test looks at."""
    fault = next((fault for fault in record.faults if fault.player == 0), None)
    infos: dict[str, object] = {}
    for (player, _), decision in zip(record.actions, record.decisions, strict=True):
        if player == 0:
            infos.update(decision.info)
    return {
        "verdict": fault.code.value if fault else record.by.value,
        "detail": fault.detail if fault else "",
        "stderr": fault.stderr if fault else "",
        "decision": fault.decision if fault else None,
        "partner": [f.code.value for f in record.faults if f.player == 1],
        "info": infos,
        "log": log,
        "decisions": len(record.decisions),
    }


def play(folder: Path, level: str, expect: dict[str, Any]) -> dict[str, object]:
    """Play, and return the answer."""
    own_folder()  # whose lock stays open
    descriptors = len(os.listdir("/proc/self/fd"))
    begin = time.monotonic()
    try:
        result = play_match(job_of(folder, level, expect))
        log = b"".join(piece.data for piece in result.said[0])
        answer = told(result.record, log.decode("utf-8", "backslashreplace"))
    except MatchVoid as error:
        answer = {"verdict": "void", "detail": str(error)}
    answer["seconds"] = time.monotonic() - begin
    mark = f"{MARK}={os.getpid()}\0".encode()
    answer["left"] = [*stays(lambda: marked(mark), 10.0).values()]
    answer["descriptors"] = len(os.listdir("/proc/self/fd")) - descriptors
    return answer


def main() -> None:
    """Answer each line."""
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            folder, level, expect = asked = json.loads(line)
            print(json.dumps([asked, play(Path(folder), level, expect)]), flush=True)
            os._exit(0)
        if os.waitpid(pid, 0)[1] != 0:
            print(json.dumps([json.loads(line), None]), flush=True)


if __name__ == "__main__":
    main()
