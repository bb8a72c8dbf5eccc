"""A bot that behaves as its arguments say: MODE, and optionally the decision at which it does so.

Up to that decision, and in every mode that is no fault, it plays its first legal action.
"""

import os
import signal
import sys
import time
from typing import NoReturn

mode = sys.argv[1] if len(sys.argv) > 1 else "good"
at = int(sys.argv[2]) if len(sys.argv) > 2 else 1
out = sys.stdout.buffer


def write(data: bytes) -> None:
    out.write(data)
    out.flush()


def hang() -> NoReturn:
    while True:
        time.sleep(3600)


def fork_and_forget() -> None:
    """Leave a grandchild in a session of its own that outlives this process."""
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(3600)"
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", code])
        os._exit(0)
    os.wait()


def misbehave(action: str, decision: int) -> None:
    good = f"play {action} {decision}\n".encode()
    plain = f"play {action}\n".encode()
    if mode == "crash":
        print("about to crash", file=sys.stderr, flush=True)
        sys.exit(3)
    elif mode == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif mode == "hang":
        hang()
    elif mode == "partial":
        write(good[:-1])
        hang()
    elif mode == "flood-line":
        write(b"play " + b"x" * 200_000 + b"\n")
        hang()
    elif mode == "twice":
        write(plain + plain)
    elif mode == "illegal":
        write(b"play E99 %d\n" % decision)
    elif mode == "close-stdout":
        os.close(1)
        hang()
    elif mode == "answer-and-exit":
        write(good)
        os._exit(0)
    elif mode == "daemon":
        fork_and_forget()
        write(good)
    elif mode == "resign":
        write(b"resign\n")
    elif mode.startswith("sleep="):
        time.sleep(float(mode[6:]))
        write(good)
    else:
        raise SystemExit(f"no such mode: {mode}")


def main() -> None:
    if mode == "start-exit":
        print("cannot start", file=sys.stderr)
        sys.exit(3)
    if mode == "start-done":
        sys.exit(0)
    if mode == "start-mute":
        hang()
    if mode == "start-banner":
        write(b"Hello, I am a bot!\n")
    legal: list[str] = []
    for raw in iter(sys.stdin.readline, ""):
        verb, _, rest = raw.rstrip("\n").partition(" ")
        if os.environ.get("TRANSCRIPT"):
            with open(os.environ["TRANSCRIPT"], "a") as file:
                file.write(raw)
        if verb == "hello":
            wants = "ready want=obs,legal,did,event name=scripted version=1\n"
            write(wants.encode())
        elif verb == "legal":
            legal = rest.split()
        elif verb == "go":
            decision = int(rest.split()[0])
            fault = mode != "good" and mode[:5] != "start"
            if fault and (decision == at or at == 0):
                misbehave(legal[0], decision)
            else:
                write(f"play {legal[0]} {decision}\n".encode())
        elif verb == "quit":
            return


main()
