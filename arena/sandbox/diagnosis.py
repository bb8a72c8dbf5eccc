"""What bubblewrap, or our launcher, says when it cannot isolate, and what helps against it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping

from arena.sandbox.interface import LevelProblem
from arena.values.errors import Lack, lack_of

APPARMOR_PROFILE = """\
abi <abi/4.0>,
include <tunables/global>
profile bwrap /usr/bin/bwrap flags=(unconfined) {
  userns,
  include if exists <local/bwrap>
}"""

_NO_NAMESPACES = (
    "allow user namespaces (sysctl user.max_user_namespaces, and kernel.unprivileged_userns_clone "
    "on older kernels)"
)
_APPARMOR = (
    "AppArmor blocks bubblewrap; as root write this to /etc/apparmor.d/bwrap and run "
    f"apparmor_parser -r /etc/apparmor.d/bwrap:\n{APPARMOR_PROFILE}"
)
_OUTSIDE = (
    "a container forbids it; run arena outside of it, or start the container with --security-opt "
    "seccomp=unconfined"
)
_CONTAINER = f"{_OUTSIDE} --security-opt systempaths=unconfined"

# what bubblewrap says, which has no codes: a part of it, and what helps; the first that fits counts
_KNOWN = (
    ("nesting depth or", _NO_NAMESPACES),
    ("max_user_namespaces", _NO_NAMESPACES),
    ("setting up uid map: Permission denied", _APPARMOR),
    ("Failed RTM_NEWADDR", _APPARMOR),
    ("Can't mount proc", _CONTAINER),
    ("No permissions to creat", _CONTAINER),
    ("Creating new namespace failed: Operation not permitted", _CONTAINER),
    (
        "Creating new namespace failed: Resource temporarily unavailable",
        "too many processes for this user, or a limit on them (ulimit -u) is set too low",
    ),
    ("Unknown option", "this bubblewrap is too old; install version 0.5 or newer"),
    ("Can't chdir", "make the bot's folder readable to every user: chmod -R a+rX FOLDER"),
    ("Can't find source path", "a folder that the bot's program needs is not there"),
)


_ORDINARY = "run arena as an ordinary user: here, root has not all of root's powers"
# what failed in our launcher, with its error number where that matters, and what helps
_STEPS: Mapping[tuple[str, int | None], str] = {
    ("landlock", None): _OUTSIDE,
    ("privileges", None): _OUTSIDE,
    ("filter", None): "this kernel was built without CONFIG_SECCOMP_FILTER",
    ("user", None): _ORDINARY,
    ("user", errno.EINVAL): "run arena as an ordinary user: too few users are mapped here",
    ("limits", None): "a limit of this user is lower than what bots are given; see ulimit -aH",
}
_LAUNCHER = re.compile(r"confine: (\w+) (\d+): (.*)")
_UNKNOWN = "see what the message names"


def explain(message: str) -> LevelProblem:
    """Return the problem behind what bubblewrap, or our launcher, said.

    >>> explain("bwrap: Can't mount proc on /newroot/proc: Operation not permitted").remedy[:24]
    'a container forbids it; '
    >>> explain("confine: limits 1: prlimit: Operation not permitted").reason
    'prlimit: Operation not permitted'
    """
    reason = message.strip().splitlines()[-1] if message.strip() else "it said nothing"
    if ours := _LAUNCHER.fullmatch(reason):
        step, code, reason = ours[1], int(ours[2]), ours[3]
        remedy = _STEPS.get((step, code)) or _STEPS.get((step, None)) or _UNKNOWN
        return LevelProblem(reason, remedy, lack_of(OSError(code, reason)))
    remedy = next((remedy for part, remedy in _KNOWN if part in message), _UNKNOWN)
    return LevelProblem(reason, remedy, _lack(reason))


def _lack(reason: str) -> Lack | None:
    """Return the lack that bubblewrap met; it gives us the kernel's words only.

    >>> _lack("bwrap: Can't fork for pid namespace: Cannot allocate memory")
    <Lack.MEMORY: 'memory'>
    """
    for code in (errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM):
        if reason.endswith(os.strerror(code)):
            return lack_of(OSError(code, reason))
    return None
