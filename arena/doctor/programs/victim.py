"""A program with secrets, for others to try to get at; tells where they are and what it noticed.

Started with ``ARENA_SECRET`` in its environment, it writes one line of JSON with its process id,
the address of the secret in its memory, a TCP port and the name of an abstract socket that both
give the secret to whoever connects; then the line ``signal`` for each signal it gets. It ends when
its stdin does.
"""

import ctypes
import json
import os
import select
import signal
import socket
import sys
from types import FrameType


def main() -> None:
    """Be attacked until nobody listens any more."""
    secret = os.environ["ARENA_SECRET"].encode()
    memory = ctypes.create_string_buffer(secret)
    signal.signal(signal.SIGURG, noticed)
    tcp = socket.create_server(("127.0.0.1", 0))
    local = socket.socket(socket.AF_UNIX)
    local.bind("")  # the kernel chooses an abstract name
    local.listen()
    told = {
        "pid": os.getpid(),
        "address": ctypes.addressof(memory),
        "tcp": tcp.getsockname()[1],
        "abstract": local.getsockname().decode("latin-1"),
    }
    print(json.dumps(told), flush=True)
    while True:
        ready, _, _ = select.select([sys.stdin.fileno(), tcp, local], [], [])
        for server in (tcp, local):
            if server in ready:
                connection, _ = server.accept()
                with connection:
                    connection.send(secret)
        if sys.stdin.fileno() in ready:
            return


def noticed(number: int, frame: FrameType | None) -> None:
    """Tell that a signal came."""
    os.write(1, b"signal\n")


if __name__ == "__main__":
    main()
