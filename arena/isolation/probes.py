"""Probes of the isolation levels: does a level hold on this machine?

A small program is started exactly as bots are, and tries what no bot may be able to do.
"""

from __future__ import annotations

import errno
import os
import resource
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from arena.isolation.trial import run_trial
from arena.machine.run_folder import own_folder, scratch_folder
from arena.process.bot import LaunchError
from arena.process.cache import cache_folder
from arena.process.folders import hide_reads, shows_reads
from arena.process.launcher import strays
from arena.sandbox import Launch, LevelProblem, Task, find_level
from arena.sandbox.bwrap import find_bwrap
from arena.sandbox.diagnosis import explain
from arena.sandbox.landlock import abi
from arena.sandbox.seccomp import FilterKind, seccomp_program
from arena.sandbox.visible import SYSTEM, ClosedToOthers
from arena.values.errors import lack_of

SECONDS = 10.0


def probe(level: str) -> LevelProblem | None:
    """Return what is wrong with a level on this machine, ``None`` if nothing is."""
    return _PROBES[level]()


# what it reads of its own, and the places that change by reading: not a disk that is mounted with
# noatime (1024) or read-only (1)
_READ = """
import os, sys
os.listdir("."), open("file").read()
print("", *(place for place in sys.argv[1:] if not os.statvfs(place).f_flag & 1025), sep="\\n")
"""


def showing_reads() -> list[str]:
    """Return the places whose files get another time of access where a bot at landlock reads them.

    Each bot at that level can ask for the times, so that one can leave notes for others. A machine
    on which it cannot be found out counts as one where all do.
    """
    system = [place for place in SYSTEM if os.path.isdir(place) and not os.path.islink(place)]
    places = [*dict.fromkeys([*system, os.path.realpath(sys.prefix)])]
    cache = cache_folder()
    with scratch_folder(cache) as scratch:
        folder = scratch / "shown"
        folder.mkdir()
        (folder / "file").write_text("read")
        (folder / "file").chmod(0o644)
        folder.chmod(0o755)
        for path in (folder / "file", folder):
            hide_reads(str(path), 0)
        task = Task((sys.executable, "-I", "-S", "-c", _READ, *places), str(folder))
        try:
            trial = run_trial(find_level("landlock").launch(task), SECONDS)
        except (OSError, LaunchError):
            return [*places, str(cache)]
        found = trial.out.split("\n")[1:-1] if trial.code == 0 else places
        return [*found, str(cache)] if shows_reads(folder) else found


# a file of ours, another process, a network device beside the loopback; by words of the shell
# alone, as each program that it starts takes 2 ms
_LOOK_FROM_BWRAP = """
[ -e "$1" ] && echo "it saw a file outside of its own"
[ $$ -lt 10 ] || echo "it saw our processes"
{
    devices=0
    while read -r line; do
        case $line in *:*) devices=$((devices + 1)) ;; esac
    done
} </proc/net/dev
[ "$devices" -le 1 ] || echo "it saw our network"
for file in /probe /usr/probe "$PWD/probe"; do
    (: >"$file") 2>/dev/null && echo "it wrote outside of its own"
done
while read -r name value; do
    [ "$name" = CapEff: ] && powers=$value
done </proc/self/status
[ "$powers" = 0000000000000000 ] || echo "it kept powers of root"
echo looked
"""


def _bwrap() -> LevelProblem | None:
    if find_bwrap() is None:
        return LevelProblem(
            "bubblewrap (bwrap) is not installed",
            "install it: apt install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap",
        )
    return _look("bwrap", ("/bin/sh", "-c", _LOOK_FROM_BWRAP, "sh"))


# the end of a program whose child must not outlive it
_LEAVE_A_CHILD = """
sys.stdout.flush()
if os.fork() == 0:
    os.setsid()
    os.closerange(0, 3)
    while True:
        os.read(os.pipe()[0], 1)
print("looked")
"""

_LOOK_FROM_LANDLOCK = """
import os, sys
def tries(what, action):
    try:
        action()
    except OSError:
        return
    print(what)
def connect():
    import socket
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
for place in sys.argv[2:]:
    tries("it read a file outside of its own", lambda: open(place))
tries("it wrote outside of its own", lambda: open(sys.argv[-1], "a"))
tries("it made a file", lambda: open("probe", "w"))
tries("it saw our processes", lambda: os.listdir("/proc"))
tries("it reached our network", connect)
tries("it sent us a signal", lambda: os.kill(os.getppid(), 0))
"""


_NO_LANDLOCK = {
    errno.ENOSYS: LevelProblem(
        "this kernel has no Landlock", "it takes Linux 5.13 or newer, built with it"
    ),
    errno.EOPNOTSUPP: LevelProblem(
        "Landlock is switched off on this machine",
        "start the kernel with landlock in its parameter lsm=, such as lsm=landlock,yama",
    ),
    errno.EPERM: LevelProblem(
        "a container forbids Landlock",
        "run arena outside of it, or start it with --security-opt seccomp=unconfined",
    ),
}


def _landlock() -> LevelProblem | None:
    try:
        seccomp_program(FilterKind("landlock"))
    except OSError as error:
        remedy = "use a machine with x86_64 or aarch64, or the level limits"
        return LevelProblem(error.strerror or str(error), remedy)
    try:
        abi()
    except OSError as error:
        other = LevelProblem(
            f"Landlock does not work: {error.strerror or error}", "see what the message names"
        )
        return _NO_LANDLOCK.get(error.errno or 0, other)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        program = _LOOK_FROM_LANDLOCK + _LEAVE_A_CHILD
        words = (str(listener.getsockname()[1]), *_at_home())
        return _look("landlock", (sys.executable, "-c", program, *words))


# a session, limits and a user of its own
_LOOK_FROM_LIMITS = """
import os, resource, sys
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
if os.getsid(0) != os.getpid():
    print("it had no session of its own")
if int(status["NoNewPrivs"]) != 1:
    print("it could gain powers")
for name, most in zip(("NPROC", "NOFILE", "FSIZE", "CORE"), sys.argv[2:]):
    if resource.getrlimit(getattr(resource, "RLIMIT_" + name)) != (int(most), int(most)):
        print("its limit " + name + " was another")
if sys.argv[6] != "-" and os.getresuid() != (int(sys.argv[6]),) * 3:
    print("it kept the user root")
"""


def _limits() -> LevelProblem | None:
    program = _LOOK_FROM_LIMITS + _LEAVE_A_CHILD
    return _look("limits", (sys.executable, "-I", "-S", "-c", program), _limits_of)


def _limits_of(task: Task, how: Launch) -> tuple[str, ...]:
    """Return the limits that the kernel must show in the program, and its user."""
    user = str(how.slot.uid) if how.slot else "-"
    limits = (how.orders.limits[resource.RLIMIT_NPROC], task.files, task.file_bytes, 0)
    return (*map(str, limits), user)


_PROBES: dict[str, Callable[[], LevelProblem | None]] = {
    "bwrap": _bwrap,
    "landlock": _landlock,
    "limits": _limits,
    "none": lambda: None,
}


def _look(
    level: str,
    argv: tuple[str, ...],
    more: Callable[[Task, Launch], tuple[str, ...]] = lambda task, how: (),
) -> LevelProblem | None:
    """Run a program that prints what it could do and should not, a line each, then ``looked``.

    Args:
        level: where it runs.
        argv: the program; the last word that it gets is a file that it must not reach.
        more: words after that which depend on how it is started.
    """
    with (
        tempfile.TemporaryDirectory(prefix="probe-", dir=own_folder()) as folder,
        tempfile.NamedTemporaryFile(prefix="secret-", dir=own_folder()) as secret,
    ):
        os.chmod(folder, 0o755)
        os.chmod(secret.name, 0o666)
        task = Task((*argv, secret.name), folder)
        try:
            with find_level(level).launch(task) as how:
                trial = run_trial(how._replace(argv=(*how.argv, *more(task, how))), SECONDS)
        except ClosedToOthers as error:
            return LevelProblem(error.reason, error.remedy)
        except (OSError, LaunchError) as error:
            return LevelProblem(
                str(error), "see what the message names, and try again", lack_of(error)
            )
    if not trial.ran:
        return explain(trial.err)
    if trial.out != "looked\n":
        seen = "; ".join(trial.out.splitlines()[:-1]) or trial.err.strip() or "it did not end"
        return LevelProblem(seen, "it isolates less here than it should; use another level")
    if any(strays()) or (how.slot is not None and not how.slot.empty):
        return LevelProblem("a process that it had started was still there", "use another level")
    return None


def _at_home() -> tuple[str, ...]:
    """Return what you could read of some files in your home."""
    paths = [str(Path.home() / name) for name in (".profile", ".bashrc", ".bash_history")]
    return tuple(path for path in paths if os.access(path, os.R_OK))
