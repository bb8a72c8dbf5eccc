"""The launcher: a process that forks for each start; a fork gives up its powers and becomes a bot.

It runs as ``python -I -S confine.py DESCRIPTOR``, once for all bots of a worker, since the start of
an interpreter costs ten times what the start of a bot does. It imports as little as can be: what is
small forks fast. It decides nothing. A request comes through the socket, as ``request`` writes it;
the answer is a process id. The fork's parent is the launcher's parent, so that the bot is the
worker's own child, and all that holds between a process and its parent holds.

Each order is one step, in the words of ``orders``. Whatever step fails, the fork says so, ends with
status 97, and the program does not run: ``confine: STEP ERRNO: words for a person``, where STEP is
one of start, landlock, limits, user, privileges, filter. Once all steps are done it says ``READY``
through a pipe that the program does not have.
"""

from __future__ import annotations

import _ctypes
import _socket
import os
import sys

TYPE_CHECKING = False  # as ``typing`` costs more than all the rest
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import NoReturn

__all__ = ["ANSWER_BYTES", "FAILED", "OOM_SCORE", "READY", "isolating", "orders", "request"]

FAILED = 97  # the exit status when a step failed
READY = b"confined\n"
LENGTH_BYTES = 4  # before a request
ANSWER_BYTES = 8  # a process id, or an error number below zero
MOST_DESCRIPTORS = 16
OOM_SCORE = 500  # where the machine runs out of memory, a bot goes before a worker

# asm/signal.h, linux/sched.h, linux/prctl.h, linux/landlock.h, linux/capability.h, linux/seccomp.h
_EIO = 5
_SIG_DFL = 0
_SIGKILL = 9
_SIGPIPE = 13
_SIGCHLD = 17
_SIGXFSZ = 25
_OF_THE_LIBRARY = (32, 33)  # signals that the C library keeps for itself
_ENOSYS = 38
_CLONE = {"x86_64": 56, "aarch64": 220, "riscv64": 220, "ppc64le": 120}
_RT_SIGACTION = {"x86_64": 13, "aarch64": 134, "riscv64": 134, "ppc64le": 173}
_CLONE_PARENT = 0x8000
_CLONE3 = 435  # the same on every machine
_CLONE_INTO_CGROUP = 1 << 33
_F_DUPFD_CLOEXEC = 1030
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
    parent: int,
    limits: dict[int, int],
    *,
    powerless: bool = False,
    uid: int | None = None,
    keep: int = 0,
    isolation: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Return the words that order what is done to a program, up to and with ``--``.

    Args:
        parent: whose death is to be the program's.
        limits: ``RLIMIT_…`` numbers, and what to set both limits to.
        powerless: it can gain no privileges, and its orphaned descendants become its children.
        uid: the user, and group, to become; only root can.
        keep: the capabilities to keep, as bits, for which ``uid`` must be given.
        isolation: what ``isolating`` returns; then nothing runs where a word is missing.
    """
    words = [f"parent={parent}", *(f"limit={which}:{most}" for which, most in limits.items())]
    if not isolation:
        words.append("isolation=none")
    if powerless:
        words.append("powerless=1")
    if uid is not None:
        words += [f"uid={uid}", f"keep={keep}"]
    return (*words, *isolation, "--")


def isolating(
    *,
    tell: int,
    ruleset: bytes,
    paths: list[tuple[int, str]],
    program: bytes,
    own_pid: int | None = None,
) -> tuple[str, ...]:
    """Return the words that order Landlock and a system call filter; all of them are needed.

    Args:
        tell: the descriptor for ``READY``.
        ruleset: Landlock's ``struct landlock_ruleset_attr``.
        paths: Landlock's rights beneath each path, which must exist.
        program: the system call filter.
        own_pid: the number in the filter that stands for the process id, if it has one.
    """
    words = [f"tell={tell}", f"ruleset={ruleset.hex()}", f"filter={program.hex()}"]
    words += [f"path={rights}:{path}" for rights, path in paths]
    return (*words, *(() if own_pid is None else (f"own_pid={own_pid}",)))


def request(
    *,
    folder: str,
    cores: Iterable[int],
    numbers: Iterable[int],
    env: Mapping[str, str],
    words: Iterable[str],
    grouped: bool = False,
) -> bytes:
    """Return a request to start a program; descriptors go with it.

    First come those that it gets, in the order of ``numbers``. Others of control groups may follow:
    of files that the fork writes ``0`` to, which moves it there, before it does anything else.

    Args:
        folder: the working directory.
        cores: the CPUs it may use.
        numbers: which descriptor each of those sent becomes; 0, 1 and 2 are among them.
        env: the whole environment.
        words: the orders, up to and with ``--``, and the program's arguments.
        grouped: is the last descriptor that of a control group, in which the fork is born?

    Raises:
        ValueError: a word has a zero byte in it.
    """
    numbered = [",".join(map(str, each)) for each in (cores, numbers)]
    settings = [f"{name}={value}" for name, value in env.items()]
    fields = (folder, *numbered, str(int(grouped)), str(len(env)), *settings, *words)
    if any("\0" in field for field in fields):
        raise ValueError("embedded null byte")
    text = b"\0".join(map(os.fsencode, fields))
    return len(text).to_bytes(LENGTH_BYTES, "little") + text


def serve(link: _socket.socket) -> None:
    """Fork for each request, until whoever sends them is gone."""
    while True:
        received, fields = _receive(link)
        if not fields:
            return
        copies: list[int] = []
        try:
            program = _Program(received, copies, fields)
        except OSError as error:  # no descriptor is left
            answer = -(error.errno or _EIO)
        else:
            pid = _fork(program.group)
            if pid == 0:
                _become(program)
            answer = pid if pid > 0 else -_ctypes.get_errno()
        for descriptor in (*received, *copies):
            os.close(descriptor)
        link.send(answer.to_bytes(ANSWER_BYTES, "little", signed=True))


def _fork(group: int) -> int:
    """Fork for our own parent, into a control group or not; below zero if that fails.

    These are raw calls, as the C library does not fork for somebody else. There are no threads.
    """
    # struct clone_args: the signal at the end may not be given here, it is that at our own
    words = (_CLONE_PARENT | (_CLONE_INTO_CGROUP if group >= 0 else 0), *(0,) * 9, max(group, 0))
    arguments = b"".join(word.to_bytes(8, "little") for word in words)
    pid = _raw("syscall", _CLONE3, arguments, len(arguments))
    if pid < 0 and group < 0 and _ctypes.get_errno() == _ENOSYS:  # as in some containers
        call = _CLONE.get(os.uname().machine, -1)
        pid = _raw("syscall", call, _CLONE_PARENT | _SIGCHLD, *(0,) * 4)
    return pid


def _receive(link: _socket.socket) -> tuple[list[int], list[bytes]]:
    """Return the next request, its descriptors and its fields; no fields when it was the last."""
    room = _socket.CMSG_SPACE(MOST_DESCRIPTORS * 4)
    start, sent, _, _ = link.recvmsg(LENGTH_BYTES, room, _socket.MSG_CMSG_CLOEXEC)
    received = [
        int.from_bytes(data[place : place + 4], "little")
        for _, _, data in sent
        for place in range(0, len(data), 4)
    ]
    text = b""
    size = int.from_bytes(start, "little")
    while len(text) < size:
        more = link.recv(size - len(text))
        if not more:
            return received, []
        text += more
    return received, text.split(b"\0") if text else []


class _Program:
    """A request, made out as far as that can be done before the fork.

    Whatever the fork touches costs it a page of its own: done there, this took a tenth of a start.
    """

    def __init__(self, received: list[int], copies: list[int], fields: list[bytes]) -> None:
        """Make it out; ``copies`` gets descriptors that are ours to close."""
        self.folder, cores, given, grouped, count, *words = fields
        numbers = [int(number) for number in given.split(b",")]
        self.group = received[-1] if grouped == b"1" else -1
        self.doors = received[len(numbers) : len(received) - int(grouped)]
        above = max(numbers) + 1
        for one in received[: len(numbers)]:  # one by one: what was made before one fails is closed
            copies += (_call("fcntl", one, _F_DUPFD_CLOEXEC, above),)
        self.places = list(zip(copies, numbers, strict=True))
        self.cores = [int(core) for core in cores.split(b",")]
        self.env = dict(_pair(word) for word in words[: int(count)])
        words = words[int(count) :]
        end = words.index(b"--")
        self.argv = words[end + 1 :]
        self.given: dict[bytes, list[bytes]] = {}
        for word in words[:end]:
            name, value = _pair(word)
            self.given.setdefault(name, []).append(value)


def _become(program: _Program) -> NoReturn:
    """Be the fork: do what is ordered, in this order, and execute the program, or say what failed.

    Each descriptor is put under its number; all others are closed when the program begins.
    """
    try:
        for door in program.doors:
            os.write(door, b"0")
        for copy, number in program.places:
            os.dup2(copy, number)
        os.setsid()
        os.sched_setaffinity(0, program.cores)
        os.chdir(program.folder)
        _confine(program.given)
        _execute(program.argv, program.env)
    except BaseException as error:
        code = error.errno if isinstance(error, OSError) else None
        said = f"confine: {_step} {code or 0}: {error}\n"
        os.write(2, said.encode("utf-8", "backslashreplace"))
    os._exit(FAILED)


_step = "start"  # the current step, named in the error message if it fails


def _begin(step: str) -> None:
    global _step
    _step = step


def _pair(word: bytes) -> tuple[bytes, bytes]:
    name, _, value = word.partition(b"=")
    return name, value


def _execute(argv: list[bytes], env: dict[bytes, bytes]) -> None:
    try:
        os.execve(argv[0], argv, env)
    except OSError as error:
        os.write(2, argv[0] + f": {error.strerror}\n".encode())
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def _confine(given: dict[bytes, list[bytes]]) -> None:
    """Take from this process what is ordered, and tell when isolation is in place."""
    isolated = given.get(b"isolation") != [b"none"]
    if isolated:
        # what is to be the bot must not be able to say that it is isolated
        os.set_inheritable(int(given[b"tell"][0]), False)
        rules = _rules(given)
    _limit(given[b"limit"] if isolated else given.get(b"limit", []))
    if b"uid" in given:
        _become_user(int(given[b"uid"][0]), int(given[b"keep"][0]))
    # only now: the kernel forgets it when the user changes
    _die_with(int(given[b"parent"][0]))
    if isolated or b"powerless" in given:
        # orphans come to the program, and stay below it: there they are found and counted
        _control("PR_SET_CHILD_SUBREAPER", _PR_SET_CHILD_SUBREAPER, 1)
        _begin("privileges")
        _control("PR_SET_NO_NEW_PRIVS", _PR_SET_NO_NEW_PRIVS, 1)
    if isolated:
        _begin("landlock")
        _kernel("landlock_restrict_self", _RESTRICT_SELF, rules, 0)
        os.close(rules)
        _filter(bytes.fromhex(given[b"filter"][0].decode()), given.get(b"own_pid"))
        os.write(int(given[b"tell"][0]), READY)


def _rules(given: dict[bytes, list[bytes]]) -> int:
    """Return a descriptor of the Landlock rules that are ordered."""
    _begin("landlock")
    ruleset = bytes.fromhex(given[b"ruleset"][0].decode())
    rules = _kernel("landlock_create_ruleset", _CREATE_RULESET, ruleset, len(ruleset), 0)
    for value in given[b"path"]:
        rights, _, path = value.partition(b":")
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = int(rights).to_bytes(8, "little") + place.to_bytes(4, "little")
        _kernel("landlock_add_rule", _ADD_RULE, rules, _RULE_PATH_BENEATH, rule, 0)
        os.close(place)
    return rules


def _limit(limits: list[bytes]) -> None:
    _begin("limits")
    for value in limits:
        which, _, most = value.partition(b":")
        _call("prlimit", 0, int(which), int(most).to_bytes(8, "little") * 2, None)


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies, which must be this one."""
    _begin("start")
    _control("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != parent:
        raise ProcessLookupError("the arena is gone")


def _heed_signals() -> None:
    """Have signals kill that are ignored here: programs would inherit that.

    Once, before any fork: there it cost each of them 23 pages of its own. Python ignores two of
    them. ``posix_spawn`` does so with the C library's own, which ``signal`` does not change: a
    ``struct kernel_sigaction`` of zeros does.
    """
    for ignored in (_SIGPIPE, _SIGXFSZ):
        _raw("signal", ignored, _SIG_DFL)
    for ignored in _OF_THE_LIBRARY:
        _raw("syscall", _RT_SIGACTION.get(os.uname().machine, -1), ignored, bytes(32), None, 8)


def _become_user(uid: int, keep: int) -> None:
    """Become an ordinary user with no capability but those to keep, and no way to get others."""
    _begin("user")
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


def _filter(program: bytes, own_pid: list[bytes] | None) -> None:
    """Load a system call filter into this process, for good."""
    _begin("filter")
    if own_pid is not None:
        marker = int(own_pid[0]).to_bytes(4, "little")
        program = program.replace(marker, os.getpid().to_bytes(4, "little"))
    size = len(program)
    copy = _raw("malloc", size)
    _raw("memcpy", copy, program, size)
    # struct sock_fprog: how many instructions, and where they are
    where = (size // 8).to_bytes(8, "little") + copy.to_bytes(8, "little")
    _control("PR_SET_SECCOMP", _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, where)


def _offer_to_kernel() -> None:
    """Have the kernel prefer us, and all that we fork, to the worker if memory runs out.

    A bot that has not said a word yet may well have taken it all; a launcher is replaced.
    """
    try:
        with open("/proc/self/oom_score_adj", "r+b", buffering=0) as file:
            if int(file.read()) < OOM_SCORE:  # to go below what we have would be refused
                file.write(b"%d" % OOM_SCORE)
    except OSError:
        pass


class _Long(_ctypes._SimpleCData):  # type: ignore[type-arg]  # generic for checkers only
    _type_ = "l"


class _Function(_ctypes.CFuncPtr):
    _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO
    _restype_ = _Long


_functions: dict[str, _Function] = {}


def _raw(name: str, *words: int | bytes | None) -> int:
    """Call a function of the C library with numbers as wide as registers are, as is the answer."""
    function = _functions.get(name)
    if function is None:
        library = _ctypes.dlopen(None, os.RTLD_NOW)  # type: ignore[arg-type]  # what is loaded
        function = _functions[name] = _Function(_ctypes.dlsym(library, name))
    return int(function(*(_Long(word) if isinstance(word, int) else word for word in words)))


def _checked(what: str, result: int) -> int:
    """Return what a call gave; raise the error behind it if that is below zero."""
    if result < 0:
        code = _ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def _int(result: int) -> int:  # what an ``int`` is: the upper half of the register is anything
    return ((result & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


def _call(name: str, *words: int | bytes | None) -> int:
    return _checked(name, _int(_raw(name, *words)))


def _prctl(*words: int | bytes) -> int:
    return _int(_raw("prctl", *words, *(0,) * (5 - len(words))))


def _control(what: str, *words: int | bytes) -> None:
    _checked(what, _prctl(*words))


def _kernel(what: str, call: int, *words: int | bytes) -> int:
    return _checked(what, _raw("syscall", call, *words))


if __name__ == "__main__":
    number = int(sys.argv[1])
    os.setsid()  # what the terminal sends is for the arena
    os.set_inheritable(number, False)  # no program may ask for another
    for other in map(int, os.listdir("/proc/self/fd")):
        if other > number:
            _raw("close", other)  # that of the list itself is closed already, which is no error
    _control("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, _SIGKILL)
    _offer_to_kernel()
    _heed_signals()
    serve(_socket.socket(fileno=number))
