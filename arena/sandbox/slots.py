"""User ids for the bots that root starts: one for each bot that runs.

Such a user owns no files, the kernel counts its processes separately, and one signal reaches all of
them. A claim says which process holds a slot, and ends with that process.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import itertools
import logging
import os
import platform
import random
import signal
import struct
import time
from collections.abc import Iterator

from arena.machine import procfs
from arena.sandbox.claims import Claim, take_claim

FIRST_UID = 61000  # Debian gives these to nobody, and systemd begins above them
LAST_UID = 61183
END_SECONDS = 2.0  # the longest that ending all of a user's processes may take
PAUSE_SECONDS = 0.0005  # between looks at what is dying

_SETRESUID = {"x86_64": 117, "aarch64": 147}
_CAPABILITY_VERSION = 0x20080522

_log = logging.getLogger(__name__)


class Slot:
    """A user and group id that is ours until it is closed.

    Attributes:
        uid: the user, and the group.
        again: may the next one to need a slot get this one, where it is taken for that?
        empty: known once it is closed: did nothing that ran under it outlive that?
    """

    __slots__ = ("_claim", "again", "empty", "uid")

    def __init__(self, uid: int, claim: Claim, *, again: bool = False) -> None:
        self.uid = uid
        self.again = again
        self.empty = False
        self._claim = claim

    def close(self) -> None:
        """End whatever still runs under it, and give it back.

        The process that was started under it has been waited for already. If something outlives
        all attempts, the slot is nobody's for as long as it does.
        """
        self.empty = self.end()
        if self.empty:
            self._claim.close()
            if self.again and self.uid not in _returned:
                _returned.append(self.uid)
        else:
            _log.error("processes of user %d cannot be ended; it is not used", self.uid)
            _stuck.append(self)

    def end(self) -> bool:
        """End every process of this user; returns whether none is left but dead ones.

        One signal goes to all of them at once, so that none is missed that forks meanwhile. That a
        process is dead may be for others to take note of, who never do.
        """
        deadline = time.monotonic() + END_SECONDS
        while lives(self.uid):
            with contextlib.suppress(OSError):  # such as that no descriptor is left to look with
                _kill_all(self.uid)
                if not _running(self.uid):
                    return True
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE_SECONDS)  # the kernel ends them, we only wait
        return True


_stuck: list[Slot] = []
# what we had where nothing of a bot outlives it, oldest first: an arena whose claims lie elsewhere
# would have its bots ended by us, and the fewer we draw, the less
_returned: list[int] = []


def needs_slots() -> bool:
    """Return whether bots are started by root, and so need users of their own."""
    return os.geteuid() == 0


def take_slot(*, again: bool = False) -> Slot:
    """Take a slot that nobody on this machine holds and under which nothing runs.

    One under which there are dead processes is taken only if there is no other: they count
    against what its user may have.

    Args:
        again: prefer those that we had before, and give this one back to be had again. Not where
            a bot can leave files, which would be its opponent's next time.

    Raises:
        OSError: all are taken, or this machine has no folder for claims or no descriptor left.
    """
    for slot in [slot for slot in _stuck if not _running(slot.uid)]:
        _stuck.remove(slot)  # it only took long to die
        slot._claim.close()
    with_zombies: Slot | None = None
    for slot in _free(again=again):
        # what a killed run may have left there ends before anything else begins
        ended = slot.end()
        if ended and not lives(slot.uid):
            if with_zombies is not None:
                with_zombies._claim.close()
            if slot.uid in _returned:
                _returned.remove(slot.uid)
            return slot
        if ended and with_zombies is None:
            with_zombies = slot
        else:
            slot._claim.close()
    if with_zombies is not None:
        return with_zombies
    raise OSError(
        errno.EUSERS, f"all users from {FIRST_UID} to {LAST_UID} are taken by running bots"
    )


def needed_slot(kept: contextlib.ExitStack, *, again: bool = False) -> Slot | None:
    """Take a slot where root needs one; ``kept`` closes it. ``again`` is as for ``take_slot``."""
    slot = take_slot(again=again) if needs_slots() else None
    if slot is not None:
        kept.callback(slot.close)
    return slot


def lives(uid: int) -> bool:
    """Return whether a process of a user is there, dead ones included that nobody has waited for.

    The kernel answers it in one step of some 30 µs.
    """
    try:
        os.getpriority(os.PRIO_USER, uid)
    except ProcessLookupError:
        return False
    return True


def _free(*, again: bool) -> Iterator[Slot]:
    """Yield slots that were free; each is the caller's to give back.

    It begins with those to be had again, if they are wanted, then anywhere, so that those who look
    at the same time seldom want the same.

    Raises:
        OSError: this machine has no folder for claims, or no descriptor left.
    """
    every = range(FIRST_UID, LAST_UID + 1)
    begin = random.randrange(len(every))
    for uid in itertools.chain([*_returned] if again else [], every[begin:], every[:begin]):
        if claim := take_claim(uid):
            yield Slot(uid, claim, again=again)


def _kill_all(uid: int) -> None:
    """Send SIGKILL to every process of a user, if it can be done in one step whatever they do.

    This thread becomes that user for the one call. Effectively only: its real and its saved user
    are others, so that nothing of the user may send a signal back. The real one is a slot's as
    well, taken for this, as real users count for what the call reaches.
    """
    other: Slot | None = None
    with contextlib.suppress(OSError):  # none can be had
        other = next(_free(again=False), None)
    if other is None or platform.machine() not in _SETRESUID:
        for pid in _processes(uid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        _become(other.uid, uid, 0)
        # with root's powers the call would reach every process of this machine
        if _is_powerless():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(-1, signal.SIGKILL)
    finally:
        _become(0, 0, 0)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        other._claim.close()


def _become(real: int, effective: int, saved: int) -> None:
    """Change the user of this thread only; the C library would change that of all threads."""
    system_call = ctypes.PyDLL(None, use_errno=True).syscall
    if system_call(_SETRESUID[platform.machine()], real, effective, saved) != 0:
        code = ctypes.get_errno()
        if effective == 0:
            os._exit(70)  # it would go on as somebody else
        raise OSError(code, f"cannot become user {effective}: {os.strerror(code)}")


def _is_powerless() -> bool:
    """Return whether this thread has no capability in effect."""
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    sets = ctypes.create_string_buffer(24)  # effective, permitted, inheritable: twice 32 bits
    if ctypes.PyDLL(None).capget(header, sets) != 0:
        return False
    low, _, _, high, _, _ = struct.unpack("=6I", sets.raw)
    return bool(low == 0 and high == 0)


def _running(uid: int) -> bool:
    """Return whether one of a user's processes is not dead; raises what ``is_dead`` raises."""
    return not all(map(procfs.is_dead, _processes(uid)))


def _processes(uid: int) -> Iterator[int]:
    """Yield the process ids of a user's processes; some that begin meanwhile may be missed."""
    for pid in procfs.pids():
        with contextlib.suppress(OSError):
            if procfs.user(pid) == uid:
                yield pid
