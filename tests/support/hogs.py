"""Play a match of two given programs, as the user who runs this, and print what came of it.

``python hogs.py LEVEL WITHOUT FIRST SECOND``: the programs are Python. ``WITHOUT`` is ``watches``
if the kernel is to have no epoll watches left, else ``nothing``.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from support.match_jobs import job, seat  # found only now

from arena.sandbox import confine
from arena.session.match_session import play_match
from arena.values.errors import MatchVoid
from arena.values.model import Clock

PATIENT = Clock(move_ms=10_000, first_ms=0, margin_ms=50, start_ms=20_000)


def refuse_watches() -> None:
    """Have the kernel answer as if no epoll watch were left, here and in all that starts here."""
    epoll_ctl = {"x86_64": 233, "aarch64": 21}[os.uname().machine]
    load, if_equal, verdict, allowed = 0x20, 0x15, 6, 0x7FFF0000
    code = [
        (load, 0, 0, 0),
        (if_equal, 0, 1, epoll_ctl),
        (verdict, 0, 0, 0x50000 | errno.ENOSPC),
        (verdict, 0, 0, allowed),
    ]
    confine._control("PR_SET_NO_NEW_PRIVS", confine._PR_SET_NO_NEW_PRIVS, 1)
    confine._filter(b"".join(struct.pack("=HBBI", *each) for each in code), None)


def main(level: str, without: str, *programs: str) -> None:
    with tempfile.TemporaryDirectory() as base:
        Path(base).chmod(0o755)
        seats = []
        for name, text in zip(("first", "second"), programs, strict=True):
            program = Path(base, name, "bot.py")
            program.parent.mkdir()
            program.write_text(text)
            seats.append(seat(program=program, name=name, clock=PATIENT))
        if without == "watches":
            refuse_watches()
        try:
            record = play_match(job("leaves", *seats, sandbox=level)).record
            print(*(f"{fault.player} {fault.code}" for fault in record.faults))
        except MatchVoid as void:
            print("void:", void.lack)


if __name__ == "__main__":
    main(*sys.argv[1:])
