"""A bot that takes every name and every file by which others could be kept from their slots."""

import contextlib
import fcntl
import os
import socket
import struct
import sys

kept: list[object] = []
for uid in range(61000, 61184):
    name = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(OSError):
        name.bind(f"\0tree-arena/slot/{uid}")
        kept.append(name)


def lock_all() -> None:
    for place in ("/run", "/var/lib", "/dev/shm", "/tmp"):
        folder = f"{place}/tree-arena-slots"
        with contextlib.suppress(OSError):
            os.mkdir(folder, 0o700)
        with contextlib.suppress(OSError):
            for name in os.listdir(folder):
                file = open(f"{folder}/{name}", "rb")  # noqa: SIM115  # it stays open
                kept.append(file)
                with contextlib.suppress(OSError):
                    lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)
                    fcntl.fcntl(file, fcntl.F_OFD_SETLK, lock)
                with contextlib.suppress(OSError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


for line in sys.stdin:
    lock_all()
    verb, _, rest = line.partition(" ")
    if verb == "hello":
        print("ready want=legal name=squatter", flush=True)
    elif verb == "legal":
        action = rest.split()[0]
    elif verb == "go":
        print("play", action, rest.split()[0], flush=True)
    elif verb.strip() == "quit":
        break
