"""The launcher of level landlock: it takes every power from itself, and becomes the bot.

It runs before each bot, as ``python -I -S confine.py ORDERS… -- PROGRAM…``, and so imports as
little as can be: ``_ctypes`` without ``ctypes`` costs 0.6 ms instead of 2. It decides nothing. Each
order is one step, in the words of ``Orders``; whatever step fails, it says so and ends with status
97, and the program does not run. Once all steps are done it says ``READY`` through a pipe that the
program does not have.
"""

from __future__ import annotations

import _ctypes
import os
import sys

__all__ = ["FAILED", "READY", "orders"]

FAILED = 97  # the exit status when a step failed
READY = b"confined\n"

# asm/signal.h, linux/prctl.h, linux/landlock.h, linux/capability.h, linux/seccomp.h
_SIG_DFL = 0
_SIGKILL = 9
_SIGPIPE = 13
_SIGXFSZ = 25
_PR_SET_PDEATHSIG = 1
_PR_SET_KEEPCAPS = 8
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_RAISE = 2
_SECCOMP_MODE_FILTER = 2
_CREATE_RULESET = 444  # the same on every machine
_ADD_RULE = 445
_RESTRICT_SELF = 446
_RULE_PATH_BENEATH = 1
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63


def orders(
    *,
    tell: int,
    parent: int,
    limits: dict[int, int],
    ruleset: bytes,
    paths: list[tuple[int, str]],
    program: bytes,
    own_pid: int | None = None,
    uid: int | None = None,
    keep: int = 0,
) -> tuple[str, ...]:
    """Return the words that order a confinement, up to and with ``--``.

    Args:
        tell: the descriptor for ``READY``.
        parent: whose death is to be the program's.
        limits: ``RLIMIT_…`` numbers, and what to set both limits to.
        ruleset: Landlock's ``struct landlock_ruleset_attr``.
        paths: Landlock's rights beneath each path, which must exist.
        program: the system call filter.
        own_pid: the number in the filter that stands for the process id, if it has one.
        uid: the user, and group, to become; only root can.
        keep: the capabilities to keep, as bits, for which ``uid`` must be given.
    """
    words = [f"tell={tell}", f"parent={parent}"]
    words += [f"limit={which}:{value}" for which, value in limits.items()]
    words += [f"ruleset={ruleset.hex()}"]
    words += [f"path={rights}:{path}" for rights, path in paths]
    words += [f"filter={program.hex()}"]
    if own_pid is not None:
        words.append(f"own_pid={own_pid}")
    if uid is not None:
        words += [f"uid={uid}", f"keep={keep}"]
    return (*words, "--")


def main(words: list[str]) -> None:
    """Do what is ordered, in this order, and execute the program."""
    end = words.index("--")
    argv = words[end + 1 :]
    given: dict[str, list[str]] = {}
    for word in words[:end]:
        name, _, value = word.partition("=")
        given.setdefault(name, []).append(value)
    tell = int(given["tell"][0])
    os.set_inheritable(tell, False)  # what is to be the bot must not be able to say it

    ruleset = bytes.fromhex(given["ruleset"][0])
    rules = _kernel("landlock_create_ruleset", _CREATE_RULESET, ruleset, len(ruleset), 0)
    for value in given["path"]:
        rights, _, path = value.partition(":")
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = int(rights).to_bytes(8, "little") + place.to_bytes(4, "little")
        _kernel("landlock_add_rule", _ADD_RULE, rules, _RULE_PATH_BENEATH, rule, 0)
        os.close(place)
    for value in given["limit"]:
        which, _, most = value.partition(":")
        both = int(most).to_bytes(8, "little") * 2
        _call("prlimit", 0, int(which), both, None)
    if "uid" in given:
        _become(int(given["uid"][0]), int(given["keep"][0]))
    # only now: the kernel forgets it when the user changes
    _control("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != int(given["parent"][0]):
        raise ProcessLookupError("the arena is gone")
    # who leaves its parent comes to the program, and stays below it: there it is found and counted
    _control("PR_SET_CHILD_SUBREAPER", _PR_SET_CHILD_SUBREAPER, 1)
    _control("PR_SET_NO_NEW_PRIVS", _PR_SET_NO_NEW_PRIVS, 1)
    _kernel("landlock_restrict_self", _RESTRICT_SELF, rules, 0)
    os.close(rules)
    for ignored in (_SIGPIPE, _SIGXFSZ):  # by Python, and the program would inherit it
        _raw("signal", ignored, _SIG_DFL)
    _filter(bytes.fromhex(given["filter"][0]), given.get("own_pid"))
    os.write(tell, READY)
    try:
        os.execv(argv[0], argv)
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\n".encode())
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def _become(uid: int, keep: int) -> None:
    """Become an ordinary user with no capability but those to keep, and no way to get others."""
    for capability in range(_LAST_CAPABILITY + 1):
        # past the last one that this kernel knows it fails
        if not keep >> capability & 1 and _prctl(_PR_CAPBSET_DROP, capability) < 0:
            if capability < 38:
                raise OSError("capabilities cannot be dropped")
            break
    if keep:
        _control("PR_SET_KEEPCAPS", _PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    header = _CAPABILITY_VERSION.to_bytes(4, "little") + bytes(4)
    low = (keep & 0xFFFFFFFF).to_bytes(4, "little") * 3  # effective, permitted, inheritable
    high = (keep >> 32).to_bytes(4, "little") * 3
    _call("capset", header, low + high)
    for capability in range(_LAST_CAPABILITY + 1):
        if keep >> capability & 1:
            _control("PR_CAP_AMBIENT", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability)


def _filter(program: bytes, own_pid: list[str] | None) -> None:
    """Load a system call filter into this process, for good."""
    if own_pid is not None:
        marker = int(own_pid[0]).to_bytes(4, "little")
        program = program.replace(marker, os.getpid().to_bytes(4, "little"))

    size = len(program)
    copy = _raw("malloc", size)
    _raw("memcpy", copy, program, size)
    # struct sock_fprog: how many instructions, and where they are
    where = (size // 8).to_bytes(8, "little") + copy.to_bytes(8, "little")
    _control("PR_SET_SECCOMP", _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, where)


class _Long(_ctypes._SimpleCData):  # type: ignore[type-arg]  # generic for checkers only
    _type_ = "l"


class _Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = _Long


def _raw(name: str, *words: int | bytes | None) -> int:
    """Call a function of the C library with numbers as wide as registers are."""
    library = _ctypes.dlopen(None, os.RTLD_NOW)  # type: ignore[arg-type]  # None: what is loaded
    function = _Function(_ctypes.dlsym(library, name))
    return int(function(*(_Long(word) if isinstance(word, int) else word for word in words)))


def _call(name: str, *words: int | bytes | None) -> int:
    result = _raw(name, *words)
    if result < 0:
        code = _ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def _prctl(*words: int | bytes) -> int:
    return _raw("prctl", *words, *(0,) * (5 - len(words)))


def _control(what: str, *words: int | bytes) -> None:
    if _prctl(*words) < 0:
        code = _ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")


def _kernel(what: str, call: int, *words: int | bytes) -> int:
    result = _raw("syscall", call, *words)
    if result < 0:
        code = _ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BaseException as error:
        os.write(2, f"confine: {error}\n".encode("utf-8", "backslashreplace"))
    os._exit(FAILED)
