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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.said import log_of  # noqa: E402  # found only now

from arena.machine.run_folder import own_folder  # noqa: E402
from arena.session.match_session import play_match  # noqa: E402
from arena.values.errors import MatchVoid  # noqa: E402
from arena.values.model import Bot, Clock, MatchJob, Record, Seat  # noqa: E402

MARK = "ARENA_ROW"  # in the environment of every process that comes of the row's program


def bot_of(folder: Path, start: list[str]) -> Bot:
    """Return a program as a bot; ``{python}`` stands for this interpreter."""
    words = tuple(sys.executable if word == "{python}" else word for word in start)
    return Bot(folder.name, 0, "sha256:" + "0" * 64, words, str(folder))


def job_of(folder: Path, level: str, expect: dict[str, object]) -> MatchJob:
    """Return a match of the row's program, in seat 0, against one that plays well and at random."""
    clock = Clock(
        **{"move_ms": 500, "first_ms": 0, "margin_ms": 50, "start_ms": 8000}
        | expect.get("clock", {})  # type: ignore[operator]
    )
    partner = Clock(move_ms=20_000, first_ms=0, margin_ms=50, start_ms=20_000)
    start = expect.get("start", ["{python}", "-u", "./bot.py"])
    memory = int(expect.get("memory_mib", 256)) << 20  # type: ignore[call-overload]
    seats = (
        Seat("row", bot_of(folder, start), (), ((MARK, mark()),), clock, memory, 1),  # type: ignore[arg-type]
        Seat(
            "partner",
            bot_of(ROOT / "bots/random_python", ["{python}", "-u", "./bot.py"]),
            (),
            ((MARK, mark()),),
            partner,
            1 << 30,
            2,
        ),
    )
    return MatchJob(
        id="0123456789abcdef",
        tournament=None,
        number=0,
        block="hostile",
        seating=0,
        game=str(expect.get("game", "leaves")),
        seed=1,
        seats=seats,
        setup=expect.get("setup"),  # type: ignore[arg-type]
        sandbox=level,
    )


def mark() -> str:
    """Return what tells the processes of this row from all others."""
    return f"{os.getpid()}"


def left() -> list[str]:
    """Return the command lines of what is left of the row's program, ten seconds at most after."""
    until = time.monotonic() + 10
    while (found := marked()) and time.monotonic() < until:
        for pid in found:  # what is about to end is waited for
            try:
                descriptor = os.pidfd_open(pid)
            except OSError:
                continue
            os.close(descriptor)
        time.sleep(0.02)
    return list(found.values())


def marked() -> dict[int, str]:
    """Return the living processes with the mark in their environment, and their command lines."""
    word = f"{MARK}={mark()}".encode()
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path(f"/proc/{name}/environ").read_bytes().split(b"\0")
            if word in environment:
                line = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ")
                found[int(name)] = line.decode("utf-8", "replace")
        except OSError:
            continue
    return found


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


def play(folder: Path, level: str, expect: dict[str, object]) -> dict[str, object]:
    """Play, and return the answer."""
    own_folder()  # whose lock stays open
    descriptors = len(os.listdir("/proc/self/fd"))
    begin = time.monotonic()
    try:
        result = play_match(job_of(folder, level, expect))
        answer = told(result.record, log_of(result, 0))
    except MatchVoid as error:
        answer = {"verdict": "void", "detail": str(error)}
    answer["seconds"] = time.monotonic() - begin
    answer["left"] = left()
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
