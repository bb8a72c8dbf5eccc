"""Who holds which user of the slots: claims, one file each, which the kernel lets go of.

A claim is a file in a folder that nobody but root can enter, locked as long as it is held. The lock
ends with its holder, however that ends, and no program that the holder starts has it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat

__all__ = ["Claim", "take_claim"]

# where the folder lies: the first place in which root can make one. In the last two anybody may
# have made something of that name before, which is refused
PLACES = ("/run", "/var/lib", "/dev/shm", "/tmp")
NAME = "tree-arena-slots"

_CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)


class Claim:
    """A user id that is this process's alone until it is released."""

    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        """Give it up; a second time this does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def take_claim(uid: int) -> Claim | None:
    """Claim a user id; ``None`` if another process has it. Its file stays for the next one.

    Raises:
        OSError: this machine lacks something, or has no folder for claims.
    """
    descriptor = os.open(f"{_folder()}/{uid}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException as error:
        os.close(descriptor)
        if isinstance(error, BlockingIOError):
            return None
        raise
    return Claim(descriptor)


def _folder() -> str:
    """Return the folder of all claims, which is made if it is not there."""
    for place in PLACES:
        if not _is_kept_by_root(place):
            continue
        folder = f"{place}/{NAME}"
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder, 0o700)
        except OSError as error:
            if error.errno in _CLOSED:
                continue
            raise
        state = os.lstat(folder)
        if not stat.S_ISDIR(state.st_mode) or state.st_uid != 0 or state.st_mode & 0o077:
            raise PermissionError(
                errno.EPERM, "not a folder that only root can enter; have it removed", folder
            )
        return folder
    raise PermissionError(
        errno.EPERM, f"root can make a folder in none of {', '.join(PLACES)}, as its bots need"
    )


def _is_kept_by_root(place: str) -> bool:
    """Return whether only root can rename or remove what root makes there."""
    try:
        state = os.stat(place)
    except OSError:
        return False
    safe = state.st_mode & stat.S_ISVTX or not state.st_mode & 0o022
    return stat.S_ISDIR(state.st_mode) and state.st_uid == 0 and bool(safe)
