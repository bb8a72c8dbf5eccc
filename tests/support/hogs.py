"""Play a match of two given programs, as the user who runs this, and print what came of it.

``python hogs.py LEVEL WITHOUT FIRST SECOND``: the programs are Python. ``WITHOUT`` is ``watches``
if the kernel is to have no epoll watches left, else ``nothing``.
"""

from __future__ import annotations

import dataclasses
import errno
import struct
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "hostile")]

from play_row import bot_of, job_of  # noqa: E402  # found only now

from arena.sandbox import confine  # noqa: E402
from arena.session.match_session import play_match  # noqa: E402
from arena.values.errors import MatchVoid  # noqa: E402

PYTHON = ["{python}", "-u", "./bot.py"]


def refuse_watches() -> None:
    """Have the kernel answer as if no epoll watch were left, here and in all that starts here."""
    nr = {"x86_64": 233, "aarch64": 21}[confine.posix.uname().machine]  # epoll_ctl
    code = [
        (0x20, 0, 0, 0),
        (0x15, 0, 1, nr),
        (6, 0, 0, 0x50000 | errno.ENOSPC),
        (6, 0, 0, 0x7FFF0000),
    ]
    confine._control("PR_SET_NO_NEW_PRIVS", confine._PR_SET_NO_NEW_PRIVS, 1)
    confine._filter(b"".join(struct.pack("=HBBI", *each) for each in code), None)


def main(level: str, without: str, *programs: str) -> None:
    with tempfile.TemporaryDirectory() as base:
        Path(base).chmod(0o755)
        bots = []
        for name, text in zip(("first", "second"), programs, strict=True):
            folder = Path(base, name)
            folder.mkdir()
            (folder / "bot.py").write_text(text)
            bots.append(bot_of(folder, PYTHON))
        if without == "watches":
            refuse_watches()
        job = job_of(Path(base, "first"), level, {})
        seats = [dataclasses.replace(s, bot=bot) for s, bot in zip(job.seats, bots, strict=True)]
        try:
            record = play_match(dataclasses.replace(job, seats=tuple(seats))).record
            print(*(f"{fault.player} {fault.code}" for fault in record.faults))
        except MatchVoid as void:
            print("void:", void.lack)


if __name__ == "__main__":
    main(*sys.argv[1:])
