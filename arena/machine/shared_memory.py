"""What processes share: ``multiprocessing`` makes locks, queues and memory in ``/dev/shm``."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator

from arena.machine.safe_path import safe_path
from arena.values.errors import MachineLacks, WorkerError, lack_of

PLACE = "/dev/shm"
ROOM = f"make room in {PLACE}"
MOUNT = f"as root: mkdir -p {PLACE} && mount -t tmpfs -o mode=1777 tmpfs {PLACE}"


class NoSharedMemory(WorkerError):
    """Nothing can be shared here; ``reason`` and ``remedy`` are the two halves of the message."""

    def __init__(self, what: str, error: OSError) -> None:
        self.reason = f"cannot make {what} in {PLACE}: {error.strerror or error}"
        self.remedy = (
            ROOM
            if error.errno in (errno.ENOSPC, errno.EDQUOT)
            else f"every user must be able to write there; {MOUNT}"
        )
        super().__init__(f"{self.reason}; {self.remedy}")


@contextlib.contextmanager
def sharing(what: str = "a lock") -> Iterator[None]:
    """Return a block that makes something which processes share.

    It may start a process of Python's that tidies up; see ``safe_path``.

    Raises:
        NoSharedMemory: there is no place for it.
        MachineLacks: this machine has too little of something else just now.
    """
    try:
        with safe_path():
            yield
    except OSError as error:
        if lack := lack_of(error):
            raise MachineLacks(f"cannot make {what} in {PLACE}", lack) from error
        raise NoSharedMemory(what, error) from error
