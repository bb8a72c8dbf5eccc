"""The launcher: a process that forks for each start; a fork gives up its powers and becomes a bot.

An interpreter of its own imports it, by itself, once for all bots of a worker, since the start of
an interpreter costs ten times what the start of a bot does. It imports as little as can be: what is
small forks fast. It decides nothing. A request comes through the socket from ``launcher.py``; the
answer is a process id. Bots are children of the launcher, and so are their orphans: it has no
others. They die with it, and it dies with the thread that started it.

The fork does the steps that ``_steps`` lists. If one fails, the fork says so, ends with status 97,
and the program does not run: ``confine: STEP ERRNO: words for a person``, where STEP is one of
start, landlock, limits, user, privileges, filter. Once all steps are done it says ``READY`` through
a pipe that the program does not have.
"""

from __future__ import annotations

import _ctypes
import _socket
import marshal
import posix  # of which ``os`` is made, and as much again

TYPE_CHECKING = False  # as ``typing`` costs more than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NoReturn

FAILED = 97  # the exit status when a step failed
READY = b"confined\n"
LENGTH_BYTES = 4  # before a request
WORD_BYTES = 16  # behind it: the value of the first variable, another one in each request
REAP = bytes(LENGTH_BYTES)  # in place of a request: how did the child end whose id is the word?
ANSWER_BYTES = 24  # a process id, or an error number below zero; how that child ended, its KiB
OOM_SCORE = 500  # where the machine runs out of memory, a bot goes before a worker
MOST_DESCRIPTORS = 16
LINK = 3  # our end of the socket; what comes through it has the numbers behind
INHERITED = LINK + 4  # the first that a program has beside its three pipes
USUAL_BYTES = 1 << 14  # a request that is longer takes a second look, and is made out each time
MOST_PROGRAMS = 64  # so many requests stay made out

# asm/signal.h, linux/sched.h, linux/prctl.h, linux/landlock.h, linux/capability.h, linux/seccomp.h,
# linux/mount.h
_ENOENT = 2
_ENOSYS = 38
_SIG_DFL = None
_SIGKILL = 9
_SIGCHLD = 17
_LAST_SIGNAL = 64
_OF_THE_LIBRARY = (32, 33)  # signals that the C library keeps for itself
_CLONE = {"x86_64": 56, "aarch64": 220, "riscv64": 220, "ppc64le": 120}
_RT_SIGACTION = {"x86_64": 13, "aarch64": 134, "riscv64": 134, "ppc64le": 173}
_CLONE3 = 435  # the same on every machine
_CLONE_INTO_CGROUP = 1 << 33
_F_SETFD = 2
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
_MOUNT_SETATTR = 442
_CLONE_NEWNS = 0x20000
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_MOUNT_ATTR_ATIME = 0x70
_MOUNT_ATTR_NOATIME = 0x10
_MS_SLAVE = 1 << 19
_RULE_PATH_BENEATH = 1
_CAPABILITY_VERSION = 0x20080522
_LAST_CAPABILITY = 63


def serve(link: _socket.socket) -> None:
    """Fork for each request, until the worker is gone."""
    above = LINK + 1
    room = _socket.CMSG_SPACE(MOST_DESCRIPTORS * 4)
    programs: dict[tuple[bytes, bytes], _Request] = {}  # most requests come again
    hides_reads = False
    while True:
        text, sent, _, _ = link.recvmsg(USUAL_BYTES, room, _socket.MSG_CMSG_CLOEXEC)
        if text.startswith(REAP):
            link.send(_words(_reap(int(text[LENGTH_BYTES:]))))
            continue
        request = text[:-WORD_BYTES], sent[0][2] if sent else b""
        program = programs.get(request)
        if program is None:
            whole = _rest(link, text)
            if not whole:
                return
            program = _Request(whole[:-WORD_BYTES], request[1])
            if program.isolated and not hides_reads:
                _hide_reads()
                hides_reads = True
            if whole is text:
                if len(programs) == MOST_PROGRAMS:
                    programs.clear()
                programs[request] = program
            text = whole
        program.env[0] = program.variable + text[-WORD_BYTES:]
        answer = _fork(program.group)
        if answer == 0:
            _become(program)
        # what came has these numbers: without `close_range` each of them is closed by itself
        posix.closerange(above, above + MOST_DESCRIPTORS)
        link.send(_words((answer, 0, 0)))


def _words(answer: tuple[int, int, int]) -> bytes:
    return b"".join([word.to_bytes(8, "little", signed=True) for word in answer])


def _reap(pid: int) -> tuple[int, int, int]:
    """Return a child that has ended, its status and the most KiB that it held; 0: it runs."""
    try:
        found, status, used = posix.wait4(pid, posix.WNOHANG)
    except OSError as error:
        return -(error.errno or 1), 0, 0
    return found, status, used.ru_maxrss


def _rest(link: _socket.socket, text: bytes) -> bytes:
    """Return the rest of a request with its beginning; nothing if the worker is gone."""
    end = LENGTH_BYTES + int.from_bytes(text[:LENGTH_BYTES], "little") + WORD_BYTES
    while len(text) < end:
        more = link.recv(end - len(text))
        if not more:
            return b""
        text += more
    return text


def _fork(group: int) -> int:
    """Fork, into a control group or not; an error number below zero: no fork.

    These are raw calls, as the C library knows of no control groups. There are no threads.
    """
    pid = _syscall(*(_ALONE if group < 0 else _clone_arguments(_CLONE_INTO_CGROUP, group)))
    if pid < 0 and group < 0 and _ctypes.get_errno() == _ENOSYS:  # as in some containers
        call = _CLONE.get(posix.uname().machine, -1)
        pid = _raw("syscall", call, _SIGCHLD, *(0,) * 4)
    return pid if pid >= 0 else -_ctypes.get_errno()


def _clone_arguments(flags: int, group: int) -> tuple[_Long, bytes, _Long]:
    """Return what ``clone3`` gets; its fifth word is the signal at the end."""
    words = (flags, *(0,) * 3, _SIGCHLD, *(0,) * 5, group)
    given = b"".join(word.to_bytes(8, "little") for word in words)  # struct clone_args
    return _Long(_CLONE3), given, _Long(len(given))


class _Call:
    """One call of a fork: it is refused if it returns less than zero, or something not wanted.

    ``step`` and ``what`` are for the error message.
    """

    __slots__ = ("call", "step", "wanted", "what", "words")

    def __init__(
        self,
        step: str,
        what: str,
        call: Callable[..., int],
        *words: object,
        wanted: int | None = None,
    ) -> None:
        self.step, self.what, self.call, self.words = step, what, call, words
        self.wanted = wanted


class _Request:
    """A request, made out before the fork: ``steps`` is what the fork does, in this order.

    Each page of memory that a fork touches costs a page fault, 1 to 3 µs. With its calls ready it
    takes some 60 of them; to make them out took 80.
    """

    def __init__(self, text: bytes, descriptors: bytes) -> None:
        received = memoryview(descriptors).cast("i").tolist()
        asked = marshal.loads(text[LENGTH_BYTES:])
        inherited = range(INHERITED, INHERITED + asked["inherited"])
        group = inherited.stop
        if received != [*range(LINK + 1, group + asked["grouped"])]:
            raise OSError("descriptors were lost")  # as we may have no more of them
        self.group = group if asked["grouped"] else -1
        self.isolated = asked["ruleset"] is not None
        self.argv = asked["argv"]
        self.env, self.variable = _texts(asked["env"]), asked["env"][0]
        self.steps = [*_steps(asked, inherited, self.env)]


def _steps(asked: dict[str, Any], inherited: range, env: object) -> Iterator[_Call]:
    """Yield what a fork does; where a part of an isolation is missing it is refused."""
    isolated, filter_, rules = asked["ruleset"] is not None, asked["filter"], _Rules()
    for number in range(3):
        yield _Call("start", "dup2", _function("dup2"), LINK + 1 + number, number)
    # where they came; what is to be the bot must not be able to say that it is isolated
    for number in inherited[isolated:]:
        yield _Call("start", "inherited", _function("fcntl"), number, _F_SETFD, 0)
    if asked["session"]:
        yield _Call("start", "setsid", _function("setsid"))
    else:
        yield _Call("start", "setpgid", _function("setpgid"), 0, 0)
    cores, folder = asked["cores"], asked["folder"]
    mask = sum(1 << core for core in cores).to_bytes(max(cores) // 64 * 8 + 8, "little")
    yield _Call("start", "cores", _function("sched_setaffinity"), 0, len(mask), mask)
    yield _Call("start", folder.decode("utf-8", "backslashreplace"), _function("chdir"), folder)
    if isolated:
        yield _Call("landlock", "", rules.make, asked["ruleset"], asked["paths"])
    for which, most in asked["limits"].items():
        both = most.to_bytes(8, "little") * 2
        yield _Call("limits", "prlimit", _function("prlimit"), 0, which, both, None)
    if asked["uid"] is not None:
        yield _Call("user", "", _become_user, asked["uid"], asked["keep"])
    # only now: the kernel forgets it when the user changes
    yield _controlled("start", "PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, _SIGKILL)
    yield _Call("start", "the arena is gone", _function("getppid"), wanted=_ME)
    if isolated or asked["powerless"]:
        # orphans come to the program, and stay below it: there they are found and counted
        yield _controlled("start", "PR_SET_CHILD_SUBREAPER", _PR_SET_CHILD_SUBREAPER, 1)
        yield _controlled("privileges", "PR_SET_NO_NEW_PRIVS", _PR_SET_NO_NEW_PRIVS, 1)
    if isolated:
        yield _Call("landlock", "", rules.restrict)
    if isolated or filter_ is not None:
        yield _Call("filter", "", _filter, filter_, asked["own_pid"])
    if isolated:
        yield _Call("filter", "ready", _function("write"), INHERITED, READY, len(READY))
    argv = asked["argv"]
    yield _Call("start", "", _function("execve"), argv[0], _texts(argv), env)


def _become(program: _Request) -> NoReturn:
    """Do a fork's steps, the last of which executes the program.

    If one is refused, the fork says which and why, and ends.
    """
    error: BaseException | None = None
    for refused in program.steps:
        try:
            result = refused.call(*refused.words)
        except BaseException as raised:
            error = raised
            break
        if result < 0 or (refused.wanted is not None and result != refused.wanted):
            break
    code = _ctypes.get_errno()
    if refused is program.steps[-1]:
        posix.write(2, program.argv[0] + f": {posix.strerror(code)}\n".encode())
        posix._exit(127 if code == _ENOENT else 126)
    if error is None and refused.wanted is None:
        error = OSError(code, f"{refused.what}: {posix.strerror(code)}")
    code = (error.errno or 0) if isinstance(error, OSError) else 0
    said = f"confine: {refused.step} {code}: {error or refused.what}\n"
    posix.write(2, said.encode("utf-8", "backslashreplace"))
    posix._exit(FAILED)


def _controlled(step: str, what: str, option: int, value: int) -> _Call:
    return _Call(step, what, _function("prctl"), option, value, 0, 0, 0)


class _Rules:
    """Landlock's rules of a fork, from when they are made until it takes them on."""

    def make(self, ruleset: bytes, paths: tuple[tuple[int, bytes], ...]) -> int:
        made = _kernel("landlock_create_ruleset", _CREATE_RULESET, ruleset, len(ruleset), 0)
        for rights, path in paths:
            place = posix.open(path, posix.O_PATH | posix.O_CLOEXEC)
            rule = rights.to_bytes(8, "little") + place.to_bytes(4, "little")
            _kernel("landlock_add_rule", _ADD_RULE, made, _RULE_PATH_BENEATH, rule, 0)
            posix.close(place)
        self.made = made
        return 0

    def restrict(self) -> int:
        _kernel("landlock_restrict_self", _RESTRICT_SELF, self.made, 0)
        posix.close(self.made)
        return 0


def _reset_signals() -> None:
    """Have each signal do what it does by itself: programs inherit which are ignored.

    A worker ignores those of the terminal, ``nohup`` one, and Python two. Once, before any fork:
    there it cost each of them 23 pages of its own. ``posix_spawn`` ignores the C library's own,
    which ``signal`` does not change: a ``struct kernel_sigaction`` of zeros does. Which signals are
    blocked is seen to where we are started.
    """
    signal = _Wide(_ctypes.dlsym(_library, "signal"))
    for number in range(1, _LAST_SIGNAL + 1):
        signal(number, _SIG_DFL)  # it fails for four of them
    for number in _OF_THE_LIBRARY:
        _raw("syscall", _RT_SIGACTION.get(posix.uname().machine, -1), number, bytes(32), None, 8)


def _become_user(uid: int, keep: int) -> int:
    """Become an ordinary user with no capability but those to keep, and no way to get others."""
    for capability in range(_LAST_CAPABILITY + 1):
        # past the last one that this kernel knows it fails
        if not keep >> capability & 1 and _prctl(_PR_CAPBSET_DROP, capability) < 0:
            if capability < 38:
                raise OSError("capabilities cannot be dropped")
            break
    if keep:
        _control("PR_SET_KEEPCAPS", _PR_SET_KEEPCAPS, 1)
    posix.setgroups([])
    posix.setresgid(uid, uid, uid)
    posix.setresuid(uid, uid, uid)
    kept = keep.to_bytes(4, "little") * 3 + bytes(12)  # effective, permitted, inheritable
    header = _CAPABILITY_VERSION.to_bytes(4, "little") + bytes(4)
    _checked("capset", _function("capset")(header, kept))
    for capability in range(_LAST_CAPABILITY + 1):
        if keep >> capability & 1:
            _control("PR_CAP_AMBIENT", _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, capability)
    return 0


def _filter(program: bytes, own_pid: int | None) -> int:
    """Load a system call filter into this process, for good."""
    if own_pid is not None:
        marker = own_pid.to_bytes(4, "little")
        program = program.replace(marker, posix.getpid().to_bytes(4, "little"))
    size = len(program)
    copy = _raw("malloc", size)
    _raw("memcpy", copy, program, size)
    # struct sock_fprog: how many instructions, and where they are
    where = (size // 8).to_bytes(8, "little") + copy.to_bytes(8, "little")
    _control("PR_SET_SECCOMP", _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, where)
    return 0


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


def _hide_reads() -> None:
    """Have no read of what we fork change the time of access of a file, where we may: root may.

    At level landlock a bot sees the files of all, with their times, and notes in these would stay.
    Mounts of ours alone are changed. What is mounted or unmounted elsewhere comes to them. Only
    before the first bot that is isolated here: bubblewrap took some ms longer within.
    """
    if _function("unshare")(_CLONE_NEWNS) == 0:
        words = (_MOUNT_ATTR_NOATIME, _MOUNT_ATTR_ATIME, _MS_SLAVE, 0)
        wanted = b"".join(word.to_bytes(8, "little") for word in words)  # struct mount_attr
        _raw("syscall", _MOUNT_SETATTR, _AT_FDCWD, b"/", _AT_RECURSIVE, wanted, len(wanted))


class _Int(_ctypes._SimpleCData):  # type: ignore[type-arg]  # generic for checkers only
    _type_ = "i"


class _Long(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "l"


class _Text(_ctypes._SimpleCData):  # type: ignore[type-arg]
    _type_ = "z"


# the last keeps the lock of the interpreter: to take it again touches some pages
_FLAGS = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_USE_ERRNO | _ctypes.FUNCFLAG_PYTHONAPI


class _Function(_ctypes.CFuncPtr):
    """A function of the C library that returns an ``int``."""

    _flags_ = _FLAGS
    _restype_ = _Int


class _Wide(_ctypes.CFuncPtr):
    """One that returns as much as a register holds."""

    _flags_ = _FLAGS
    _restype_ = _Long


_library = _ctypes.dlopen(None, posix.RTLD_NOW)  # type: ignore[arg-type]  # what is loaded
_functions: dict[str, _Function] = {}
_syscall = _Wide(_ctypes.dlsym(_library, "syscall"))
_ME = posix.getpid()
_ALONE = _clone_arguments(0, 0)  # into no group: what a call makes and drops, a fork drops, too


def _function(name: str) -> _Function:
    function = _functions.get(name)
    if function is None:
        function = _functions[name] = _Function(_ctypes.dlsym(_library, name))
    return function


def _texts(words: list[bytes]) -> Any:
    """Return a ``char *[]`` that ends with a null pointer."""
    return (_Text * (len(words) + 1))(*words)


def _long(words: tuple[int | bytes | None, ...]) -> list[object]:
    """Return words with numbers as wide as registers are."""
    return [_Long(word) if isinstance(word, int) else word for word in words]


def _raw(name: str, *words: int | bytes | None) -> int:
    """Call a function of the C library that returns as much as a register holds."""
    return int(_Wide(_ctypes.dlsym(_library, name))(*_long(words)))


def _checked(what: str, result: int) -> int:
    """Return what a call gave; raise the error behind it if that is below zero."""
    if result < 0:
        code = _ctypes.get_errno()
        raise OSError(code, f"{what}: {posix.strerror(code)}")
    return result


def _prctl(*words: int | bytes) -> int:
    return int(_function("prctl")(*_long((*words, *(0,) * (5 - len(words))))))


def _control(what: str, *words: int | bytes) -> None:
    _checked(what, _prctl(*words))


def _kernel(what: str, call: int, *words: int | bytes) -> int:
    return _checked(what, _raw("syscall", call, *words))


def main() -> None:
    """Be the launcher."""
    posix.setsid()  # what the terminal sends is for the arena
    posix.set_inheritable(LINK, False)  # no program may ask for another
    for other in map(int, posix.listdir("/proc/self/fd")):
        if other > LINK:
            _raw("close", other)  # that of the list itself is closed already, which is no error
    _control("PR_SET_PDEATHSIG", _PR_SET_PDEATHSIG, _SIGKILL)
    _control("PR_SET_CHILD_SUBREAPER", _PR_SET_CHILD_SUBREAPER, 1)
    _offer_to_kernel()
    _reset_signals()
    serve(_socket.socket(fileno=LINK))
