"""Who holds what there is once on a machine: claims, one file each, which the kernel lets go of.

A claim is a file in a folder that only its user can enter, locked as long as it is held. The lock
ends with its holder, however that ends, and no program that the holder starts has it. Root claims
users for its bots; everybody claims cores for workers, and sees no claims of other users.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Sequence
from io import FileIO

# where the folder lies: the first place in which this user can make one. In the last two anybody
# may have made something of that name before, which is refused
PLACES: tuple[str, ...] = ("/run", "/var/lib", "/dev/shm", "/tmp")
NAME = "tree-arena-slots"  # root's; that of another user ends with the number of the user
MOST = 4096  # workers on a core

_CLOSED = (errno.EROFS, errno.EACCES, errno.EPERM)


Claim = FileIO
"""Something that is this process's alone until it is closed."""


def take_claim(uid: int) -> Claim | None:
    """Claim a user id; ``None`` if another process has it. Its file stays for the next one.

    Raises:
        OSError: this machine lacks something, or has no folder for claims.
    """
    return _take(f"{_folder()}/{uid}")


def take_core(cores: Sequence[int]) -> tuple[int, Claim] | None:
    """Claim one of some cores: one that the fewest of this user's workers have.

    A core has numbered places; each worker on it holds the lowest that was free. So workers of all
    runs share the cores evenly, whichever runs they belong to.

    Args:
        cores: in the order in which they are preferred where as many have each.

    Returns:
        The core, and the claim to hold as long as it is used; ``None`` without a folder for claims,
        such as that somebody else has made one of that name.
    """
    with contextlib.suppress(OSError):
        folder = _folder()
        for place in range(MOST):
            for core in cores:
                if claim := _take(f"{folder}/core{core}-{place}"):
                    return core, claim
    return None


def _take(path: str) -> Claim | None:
    claim = Claim(path, "a")
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException as error:
        claim.close()
        if isinstance(error, BlockingIOError):
            return None
        raise
    return claim


def _folder() -> str:
    """Return the folder of all claims of this user, which is made if it is not there."""
    uid = os.geteuid()
    name = f"{NAME}-{uid}" if uid else NAME
    for place in PLACES:
        if not _is_kept(place, uid):
            continue
        folder = f"{place}/{name}"
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder, 0o700)
        except OSError as error:
            if error.errno in _CLOSED:
                continue
            raise
        state = os.lstat(folder)
        if not stat.S_ISDIR(state.st_mode) or state.st_uid != uid or state.st_mode & 0o077:
            raise PermissionError(
                errno.EPERM, "not a folder that only its owner can enter; have it removed", folder
            )
        return folder
    raise PermissionError(
        errno.EPERM, f"no folder for claims can be made in {', '.join(PLACES)}, as root's bots need"
    )


def _is_kept(place: str, uid: int) -> bool:
    """Return whether only a user, or root, can rename or remove what the user makes there."""
    try:
        state = os.stat(place)
    except OSError:
        return False
    safe = state.st_mode & stat.S_ISVTX or not state.st_mode & 0o022
    return stat.S_ISDIR(state.st_mode) and state.st_uid in (0, uid) and bool(safe)
