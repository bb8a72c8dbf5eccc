"""A bot that holds the lock of one of its own pipes, so that every call on that pipe waits.

Arguments: which pipe (stdin or stderr), for how many seconds (0: forever), and at which decision.
`splice` holds the lock while the socket at its other end has no room, or nothing to give.
"""

import os
import socket
import sys
import threading
import time

which, seconds, at = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
ours, theirs = socket.socketpair()
ours.setblocking(False)
theirs.setblocking(True)


def hold() -> None:
    """Hold it until the other end of the socket is used."""
    if which == "stdin":
        os.splice(0, theirs.fileno(), 1 << 16)
    else:
        os.splice(theirs.fileno(), 2, 1 << 16)


def let_go() -> None:
    """Use the other end of the socket."""
    time.sleep(seconds)
    if which == "stdin":
        while True:
            try:
                ours.recv(1 << 16)
            except BlockingIOError:
                break
    else:
        ours.send(b"x")


def fill() -> None:
    """Leave no room in the socket that the pipe is spliced into."""
    theirs.setblocking(False)
    try:
        while True:
            theirs.send(bytes(1 << 16))
    except BlockingIOError:
        theirs.setblocking(True)


actions: list[str] = []
while True:
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            sys.exit()
        line += byte
        # the line feed behind `go` stays in the pipe, so that there is something to splice
        if which == "stdin" and line.startswith(b"go %d " % at) and line.endswith(b"limit=10000"):
            break
    verb, *rest = line.decode().split()
    if verb == "hello":
        print("ready want=legal", flush=True)
    elif verb == "legal":
        actions = rest
    elif verb == "go":
        if rest[0] == str(at):
            if which == "stdin":
                fill()
            threading.Thread(target=hold, daemon=True).start()
            time.sleep(0.05)  # it has the lock by then
            if seconds:
                threading.Thread(target=let_go).start()
        # a line more, so that stderr is read before the next question
        print(f"play {actions[0]}" + "\ninfo x=1" * (which == "stderr"), flush=True)
    elif verb == "quit":
        break
