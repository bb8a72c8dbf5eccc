"""A bot that tries what no bot may do, and tells how far it came.

Its argument is JSON: where the victim is and what it has (see ``victim.py``), ``file``, the path of
a secret file, ``drop``, where to leave a file, ``size``, the length of the secret, and ``nice``,
the priority to give to the victim. Each attack is a process of its own, so that one that is killed
or hangs stops no other, and writes one line: ``NAME TEXT`` with what it got.
"""

import ctypes
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

Plan = dict[str, Any]

SECONDS = 2
PTRACE_PEEKDATA, PTRACE_ATTACH, PTRACE_DETACH = 2, 16, 17
AF_VSOCK = 40


class Span(ctypes.Structure):
    """A piece of memory: ``struct iovec``."""

    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def read_file(plan: Plan) -> str:
    """Read a secret file."""
    with open(plan["file"], encoding="ascii") as file:
        return file.read()


def change_file(plan: Plan) -> str:
    """Write into a secret file."""
    with open(plan["file"], "a", encoding="ascii") as file:
        file.write("changed\n")
    return "written"


def leave_file(plan: Plan) -> str:
    """Leave a file where others look for one."""
    with open(plan["drop"], "x", encoding="ascii") as file:
        file.write("left\n")
    return "left"


def see_process(plan: Plan) -> str:
    """Read the command line of another process."""
    with open(f"/proc/{plan['pid']}/cmdline", encoding="ascii") as file:
        return file.read().replace("\0", " ")


def read_environment(plan: Plan) -> str:
    """Read the environment of another process."""
    with open(f"/proc/{plan['pid']}/environ", encoding="ascii") as file:
        return file.read().replace("\0", " ")


def read_memory(plan: Plan) -> str:
    """Read the memory of another process."""
    size = plan["size"]
    buffer = ctypes.create_string_buffer(size)
    here = Span(ctypes.addressof(buffer), size)
    there = Span(plan["address"], size)
    libc = ctypes.CDLL(None, use_errno=True)
    count = libc.process_vm_readv(plan["pid"], ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    if count < 0:
        raise OSError(ctypes.get_errno(), "process_vm_readv")
    return buffer.raw.decode("ascii", "replace")


def trace(plan: Plan) -> str:
    """Stop another process as a debugger does, and look into it."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if libc.ptrace(PTRACE_ATTACH, plan["pid"], None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(plan["pid"], 0)
    got = b""
    while len(got) < plan["size"]:
        word = libc.ptrace(PTRACE_PEEKDATA, plan["pid"], plan["address"] + len(got), None)
        got += ctypes.c_long(word).value.to_bytes(8, sys.byteorder, signed=True)
    libc.ptrace(PTRACE_DETACH, plan["pid"], None, None)
    return got.decode("ascii", "replace")


def send_signal(plan: Plan) -> str:
    """Send another process a signal."""
    os.kill(plan["pid"], signal.SIGURG)
    return "sent"


def slow_down(plan: Plan) -> str:
    """Give another process less of the processor."""
    os.setpriority(os.PRIO_PROCESS, plan["pid"], plan["nice"])
    return "set"


def connect_tcp(plan: Plan) -> str:
    """Connect to a program on this machine by TCP."""
    with socket.create_connection(("127.0.0.1", plan["tcp"]), SECONDS) as connection:
        return connection.recv(100).decode("ascii")


def connect_local(plan: Plan) -> str:
    """Connect to a program on this machine by a socket without a file."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(plan["abstract"].encode("latin-1"))
        return connection.recv(100).decode("ascii")


def reach_hypervisor(plan: Plan) -> str:
    """Open a socket to the machine outside of this virtual one."""
    socket.socket(AF_VSOCK, socket.SOCK_STREAM).close()
    return "opened"


ATTACKS: tuple[Callable[[Plan], str], ...] = (
    read_file,
    change_file,
    leave_file,
    see_process,
    read_environment,
    read_memory,
    trace,
    send_signal,
    slow_down,
    connect_tcp,
    connect_local,
    reach_hypervisor,
)


def main() -> None:
    """Try every attack."""
    plan: Plan = json.loads(sys.argv[1])
    for attack in ATTACKS:
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            try:
                text = " ".join(attack(plan).split())
                os.write(1, f"{attack.__name__} {text}\n".encode())
            except OSError:
                pass
            finally:
                os._exit(0)
        os.waitpid(child, 0)
    os.write(1, b"end\n")


if __name__ == "__main__":
    main()
