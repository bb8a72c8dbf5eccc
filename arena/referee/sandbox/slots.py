"""User ids of their own for the bots that root starts: one each, used by nobody else meanwhile.

Under one of these a bot owns nothing, the kernel counts its processes by themselves, and one signal
reaches all of them. Who holds a slot is said by a socket's name, which the kernel frees however its
holder ends.
"""

from __future__ import annotations

import os
import socket

__all__ = ["FIRST_UID", "LAST_UID", "Slot", "needs_slots", "take_slot"]

FIRST_UID = 61000  # Debian gives these to nobody, and systemd begins above them
LAST_UID = 61183


class Slot:
    """A user and group id that is ours until it is closed."""

    __slots__ = ("_socket", "uid")

    def __init__(self, uid: int, holder: socket.socket) -> None:
        self.uid = uid
        self._socket = holder

    def close(self) -> None:
        """Give it back: nothing may run under it any more."""
        self._socket.close()


def needs_slots() -> bool:
    """Return whether bots are started by root, and so need users of their own."""
    return os.geteuid() == 0


def take_slot() -> Slot:
    """Take a slot that nobody on this machine holds; raises ``OSError`` if all are taken."""
    for uid in range(FIRST_UID, LAST_UID + 1):
        holder = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            holder.bind(f"\0tree-arena/slot/{uid}")
        except OSError:
            holder.close()
            continue
        return Slot(uid, holder)
    raise OSError(f"all users from {FIRST_UID} to {LAST_UID} are taken by running bots")
