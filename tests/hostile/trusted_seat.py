"""A match of a bot that asks and of one that wants what it has; prints what the latter got.

``python trusted_seat.py LEVEL``, as the user whose arena it is to be. Prints a line of JSON: for
each way to the other ``open``, or why it is ``shut``.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from support.bot_programs import program  # found only now
from support.match_jobs import job

from arena.sandbox import find_level
from arena.session.match_session import play_match
from arena.values.model import Bot, Clock, Entrant
from arena.values.origins import ASK

SECRET = f"ARENA_TEST_SECRET_{os.urandom(8).hex()}"  # no other test's
CLOCK = Clock(move_ms=20_000, start_ms=60_000)
# it has its key in its memory and in a file, and listens
ASKER = """
import os, socket, sys
folder, key = sys.argv[1], os.environ.get("SECRET", "")
tcp = socket.create_server(("127.0.0.1", 0))
path, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
path.bind(folder + "/socket"); path.listen()
abstract.bind("\\0" + folder); abstract.listen()
os.chmod(folder + "/socket", 0o777)
with open(folder + "/there", "w") as file:
    file.write(key)
print("info pid=%d port=%d" % (os.getpid(), tcp.getsockname()[1]), flush=True)
"""
THIEF = """
import os, socket, sys
folder, asker, pids = sys.argv[1:4]

def tried(what):
    # ids wrap around after the highest
    for pid in ((os.getpid() + far) % int(pids) for far in range(-3000, 3000)):
        if pid not in (0, 1, os.getpid(), os.getppid()):
            try:
                if what(pid):
                    return
            except OSError:
                continue
    raise OSError("nobody")

def knock():
    for port in range(1024, 1 << 16):
        try:
            return socket.create_connection(("127.0.0.1", port), 0.2).close()
        except ConnectionRefusedError:
            continue
    raise OSError("nobody listens")

WAYS = {
    "environment": lambda: tried(
        lambda pid: b"SECRET" in open("/proc/%d/environ" % pid, "rb").read(1 << 16)
    ),
    "memory": lambda: tried(lambda pid: open("/proc/%d/mem" % pid, "rb")),
    "descriptors": lambda: tried(lambda pid: os.listdir("/proc/%d/fd" % pid)),
    "signals": lambda: tried(lambda pid: os.kill(pid, 0) is None),
    "port": knock,
    "socket": lambda: socket.socket(socket.AF_UNIX).connect(folder + "/socket"),
    "abstract": lambda: socket.socket(socket.AF_UNIX).connect("\\0" + folder),
    "file": lambda: open(folder + "/there"),
    "program": lambda: open(asker),
    "variable": lambda: os.environ["SECRET"],
}
found = {}
for name, way in WAYS.items():
    try:
        way()
        found[name] = "open"
    except Exception as error:
        found[name] = "shut-" + type(error).__name__
"""


def main(level: str) -> None:
    os.environ[SECRET] = "sk-stand-in-0123456789"
    with tempfile.TemporaryDirectory(prefix="arena-trusted-") as name:
        base = Path(name)
        base.chmod(0o755)
        shared = base / "shared"
        shared.mkdir()
        said = 'print("info", *[f"{name}={how}" for name, how in found.items()], flush=True)'
        texts = {"asker": program(first=ASKER), "thief": program(first=THIEF, asked=said)}
        pids = Path("/proc/sys/kernel/pid_max").read_text().strip()
        secrets = (SECRET,) if find_level(level).isolates else ()
        seats = []
        for name, text in texts.items():
            folder = base / name
            folder.mkdir()
            (folder / "bot.py").write_text(text.replace("SECRET", SECRET))
            asks = name == "asker"
            start = (sys.executable, "-u", "bot.py", str(shared), str(base / "asker/bot.py"), pids)
            bot = Bot(name, 0, "sha256:", start, str(folder), ASK if asks else "file", "python")
            seats.append(Entrant(name, bot, secrets=secrets if asks else ()).seat(CLOCK, 1))
        record = play_match(job("leaves", *seats, sandbox=level)).record
        assert record.by == "rules", record.faults
        infos = [
            dict(decision.info)
            for (seat, _), decision in zip(record.actions, record.decisions, strict=True)
            if seat == 1
        ]
        print(json.dumps(infos[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
