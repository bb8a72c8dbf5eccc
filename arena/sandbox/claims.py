"""Who holds which user of the slots: claims, one file each, which the kernel lets go of.

A claim is a file in a folder that nobody but root can enter, locked for writing as long as it is
held. That lock ends with its holder, however that ends, and no program that the holder starts has
it. A program may still have been given the power to read everything: it can open a claim for
reading, and lock it so. Therefore the name of a claim is never used again, and only a lock for
writing counts, which takes the right to write.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import stat
import struct

__all__ = ["Claim", "take_claim"]

# where the folder lies: the first place in which root can make one. In the last two anybody may
# have made something of that name before, which is refused
PLACES = ("/run", "/var/lib", "/dev/shm", "/tmp")
NAME = "tree-arena-slots"

_CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)
_LOCK = struct.Struct("hhqqi4x")  # fcntl.h, struct flock: l_type, l_whence, l_start, l_len, l_pid
_OF_A_WRITER = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
_OF_A_READER = _LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0)


class Claim:
    """A user id that is this process's alone until it is released."""

    __slots__ = ("_descriptor", "_path")

    def __init__(self, path: str, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    def release(self) -> None:
        """Give it up; a second time this does nothing."""
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
            os.close(self._descriptor)
            self._descriptor = -1


def take_claim(uid: int) -> Claim | None:
    """Claim a user id; ``None`` if somebody else has it, or wants it at the same instant.

    Of two who want it at once each has made its file before it looks for others, so that at least
    one sees the other and gives way. What dead holders left is removed by the next holder only,
    which nobody who has not looked yet can miss.

    Raises:
        OSError: this machine lacks something, or has no folder for claims.
    """
    folder = _folder()
    name = f"{uid}-{secrets.token_hex(8)}"
    path = f"{folder}/{name}"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    claim = Claim(path, descriptor)
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _OF_A_WRITER)
        names = [other for other in os.listdir(folder) if other.startswith(f"{uid}-")]
        others = [f"{folder}/{other}" for other in names if other != name]
        if name in names and not any(map(_is_held, others)):
            for other in others:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(other)
            return claim
    except BlockingIOError:  # who may read everything was quicker, and has locked it for reading
        pass
    except BaseException:
        claim.release()
        raise
    claim.release()
    return None


def _is_held(path: str) -> bool:
    """Return whether a claim's file is locked for writing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        found = fcntl.fcntl(descriptor, fcntl.F_OFD_GETLK, _OF_A_READER)
    finally:
        os.close(descriptor)
    return bool(_LOCK.unpack(found)[0] != fcntl.F_UNLCK)


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
    """Return whether nobody but root can rename or remove what root makes there."""
    try:
        state = os.stat(place)
    except OSError:
        return False
    safe = state.st_mode & stat.S_ISVTX or not state.st_mode & 0o022
    return stat.S_ISDIR(state.st_mode) and state.st_uid == 0 and bool(safe)
