"""Run ``attacks.py`` at one level against victims of its own, and print what came off.

``python attack_run.py LEVEL INTERPRETER GROUP``, as the user whose arena it is to be. With
``group`` the bot has a control group, if this user can make one; with ``none`` it has none. Prints
a line of JSON: for each attack ``open`` or ``shut…``; for notes, whether others can find them.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from arena.isolation.trial import run_trial
from arena.sandbox import Task, find_level
from arena.session.launch import launch_in_group

SECONDS = 30.0
IPC_RMID = 0


def file(path: Path, text: str, mode: int = 0o644) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.parent.chmod(0o755)
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def main(level: str, interpreter: str, group: str) -> None:
    os.environ["ARENA_TEST_SECRET"] = "secret"
    with contextlib.ExitStack() as stack:
        base = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-attacks-")))
        base.chmod(0o755)
        (base / "tmp").mkdir()
        (base / "tmp").chmod(0o1777)
        kinds = {
            "tcp": socket.create_server(("127.0.0.1", 0)),
            "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
            "abstract": socket.socket(socket.AF_UNIX),
            "path": socket.socket(socket.AF_UNIX),
            "datagram": socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
        }
        for one in kinds.values():
            stack.enter_context(one)
        kinds["udp"].bind(("127.0.0.1", 0))
        kinds["abstract"].bind(f"\0arena-attacks-{os.getpid()}")
        kinds["abstract"].listen()
        kinds["path"].bind(str(base / "tmp" / "socket"))
        kinds["path"].listen()
        kinds["datagram"].bind(str(base / "tmp" / "datagram"))
        for name in ("socket", "datagram"):
            (base / "tmp" / name).chmod(0o777)
        victim = stack.enter_context(
            subprocess.Popen(["sleep", "600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        )
        stack.callback(victim.kill)
        results = file(base / "data" / "results.db", "results")
        key = 0x41520000 | os.getpid() & 0xFFFF
        shm = Path(f"/dev/shm/arena-attacks-{os.getpid()}")
        targets = {
            "owner": os.getuid(),
            "victim": victim.pid,
            "referee": os.getpid(),
            "opponent": file(base / "bots" / "opponent.py", "secret"),
            "results": results,
            "private": file(base / "home" / "private", "secret", 0o600),
            "home": str(base / "home"),
            "note_in_tmp": str(base / "tmp" / "note"),
            "note_in_shm": str(shm),
            "note_in_system_v": key,
            "note_in_a_queue": f"arena-attacks-{os.getpid()}",
            "tcp": kinds["tcp"].getsockname()[1],
            "udp": kinds["udp"].getsockname()[1],
            "abstract": f"\0arena-attacks-{os.getpid()}",
            "path_socket": str(base / "tmp" / "socket"),
            "datagram_socket": str(base / "tmp" / "datagram"),
        }
        file(base / "bot" / "targets.json", json.dumps(targets))
        shutil.copy(Path(__file__).with_name("attacks.py"), base / "bot")
        task = Task(argv=(interpreter, "-u", "./attacks.py"), folder=str(base / "bot"))
        how = find_level(level).launch(task) if group == "none" else launch_in_group(task, level)
        trial = run_trial(how, SECONDS)
        if trial.code != 0:
            raise SystemExit(f"the attacks ended with {trial.code}: {trial.err}")
        found = json.loads(trial.out)
        # a bot may well write notes, where they end with it
        libc = ctypes.CDLL(None)
        libc.mq_unlink.restype = ctypes.c_int
        segment = libc.shmget(key, 0, 0)
        there = {
            "note_in_tmp": os.path.exists(targets["note_in_tmp"]),
            "note_in_shm": shm.exists(),
            "note_in_system_v": segment >= 0,
            "note_in_a_queue": libc.mq_unlink(f"/{targets['note_in_a_queue']}".encode()) == 0,
        }
        shm.unlink(missing_ok=True)
        if segment >= 0:
            libc.shmctl(segment, IPC_RMID, None)
        for name, is_there in there.items():
            if not is_there:
                found[name] = found[name].replace("open", "shut: nobody can find it")
        print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
