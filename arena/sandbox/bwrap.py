"""Bubblewrap: a bot sees its own files, its interpreter and its pipes, and nothing else.

Every namespace is new, the root holds an allow-list, all of it read-only but two small folders in
memory, system calls that namespaces do not cover are denied, and the kernel counts processes. As an
ordinary user this takes a user namespace. Root would keep its powers in one, so root's bots run
without it, under a user of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

from arena.sandbox.confine import INHERITED
from arena.sandbox.environment import clean_environment
from arena.sandbox.importable import SETTINGS, engines_import, import_folder, on_bare_python
from arena.sandbox.interface import HOME, PLACE, SHARED_MEMORY, Launch, Level, Orders, Task
from arena.sandbox.limits import kernel_limits
from arena.sandbox.seccomp import FilterKind, seccomp_descriptor
from arena.sandbox.slots import needed_slot
from arena.sandbox.visible import SYSTEM, base_python, needed, settings
from arena.values.model import Import

IMPORTS = "/arena"  # where a bot finds its Python, the package `engines`, and plug-in games
HOME_BYTES = 16 << 20
SHM_BYTES = 4 << 20
PATH = "/usr/local/bin:/usr/bin:/bin"
# what there is in /dev, beside shm: bubblewrap's own ``--dev`` has as much again, terminals with it
DEVICES = ("null", "zero", "urandom")
DEVICE_LINKS = {
    "random": "urandom",
    "fd": "/proc/self/fd",
    "stdin": "/proc/self/fd/0",
    "stdout": "/proc/self/fd/1",
    "stderr": "/proc/self/fd/2",
}

# The namespace's first process is bubblewrap. Where it has the bot's user, the bot could write
# machine code into it, which nobody would time, stop or weigh.
HIDDEN = ("--tmpfs", "/proc/1", "--remount-ro", "/proc/1")


@lru_cache(maxsize=1)
def find_bwrap() -> str | None:
    """Return the absolute path of bubblewrap, ``None`` if it is not installed."""
    return shutil.which("bwrap", path=os.environ.get("PATH", os.defpath) + ":/usr/bin")


@lru_cache(maxsize=1)
def features() -> frozenset[str]:
    """Return the options that this version of bubblewrap knows, such as ``--size``."""
    words = [find_bwrap() or "bwrap", "--help"]
    text = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    return frozenset(word for word in text.split() if word.startswith("--"))


def _launch(task: Task, kept: ExitStack, lent: ExitStack) -> Launch:
    tool = find_bwrap()
    if tool is None:
        raise FileNotFoundError("bubblewrap (bwrap) is not installed")
    slot = needed_slot(kept, again=True)
    filter_ = seccomp_descriptor(FilterKind("bwrap", build=task.writable))
    lent.callback(os.close, filter_)
    report, status = os.pipe2(os.O_CLOEXEC)
    kept.callback(os.close, report)
    lent.callback(os.close, status)
    counted = slot is not None and _spares_root()
    argv = (
        tool,
        *(_namespaces_of_root() if slot else _namespaces_of_user()),
        "--die-with-parent", "--new-session", "--hostname", "arena",
        *_root(task),
        *(() if slot else HIDDEN),
        "--remount-ro", "/proc",  # its autogroup is a priority, for one
        *(word for name, value in task.env for word in ("--setenv", name, value)),
        "--seccomp", str(INHERITED), "--json-status-fd", str(INHERITED + 1), "--",
        *(() if counted else (_tool("prlimit"), f"--nproc={task.processes}", "--")),
        *(_becoming(slot.uid) if slot else ()),
        *on_bare_python(task.argv, IMPORTS),
    )  # fmt: skip
    return Launch(
        argv=argv,
        env=clean_environment(PATH) | {"PYTHONPATH": IMPORTS},
        folder="/",
        orders=Orders(kernel_limits(task, task.processes if counted else None), session=False),
        inherited=(filter_, status),
        report=report,
        filter=filter_,
        slot=slot,
    )


@lru_cache(maxsize=1)
def _spares_root() -> bool:
    """Return whether a limit on processes can be set outside, where it would stop bubblewrap.

    The kernel lets root go past it, but not who is root in a user namespace only.
    """
    users = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
    return users == ["0", "0", "4294967295"]  # as outside of every user namespace


def _namespaces_of_user() -> tuple[str, ...]:
    words = ("--unshare-all", "--unshare-user")
    return (*words, "--disable-userns") if "--disable-userns" in features() else words


def _namespaces_of_root() -> tuple[str, ...]:
    kinds = ("ipc", "pid", "net", "uts", "cgroup")
    kept = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")  # to become another user, and then none
    return (
        *(f"--unshare-{kind}" for kind in kinds),
        "--cap-drop", "ALL",
        *(word for power in kept for word in ("--cap-add", power)),
    )  # fmt: skip


def _becoming(uid: int) -> tuple[str, ...]:
    """Return words before a command that make root a user without any power."""
    return (
        _tool("setpriv"), "--reuid", str(uid), "--regid", str(uid), "--clear-groups",
        "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--",
    )  # fmt: skip


@lru_cache(maxsize=2)
def _tool(name: str) -> str:
    """Return the absolute path of a tool of util-linux; raises ``FileNotFoundError``."""
    found = shutil.which(name, path="/usr/bin:/bin:/usr/sbin:/sbin")
    if found is None:
        raise FileNotFoundError(f"{name} (util-linux) is not installed")
    return found


def _root(task: Task) -> tuple[str, ...]:
    """Return the words that build the file system, from the root down."""
    words = [*_system()]
    made = {"/", "/usr"}
    words += _memory(HOME, HOME_BYTES) + _memory(SHARED_MEMORY, SHM_BYTES)
    made |= {"/proc", "/dev", HOME}
    for place in settings(required=True):  # each of them takes a tenth of a millisecond
        words += [*_parents(place, made), "--ro-bind-try", place, place]
    for place in needed(task.argv[0], task.shown):
        if any(f"{place}/".startswith(f"{setting}/") for setting in settings(required=True)):
            continue
        words += [*_parents(place, made), "--ro-bind", place, place]
    settings_of_python = Import(SETTINGS, f"{import_folder()[0]}/{SETTINGS}")
    for name, source in (settings_of_python, engines_import(), *task.imports):
        words += [*_parents(f"{IMPORTS}/{name}", made), "--ro-bind", source, f"{IMPORTS}/{name}"]
    (python,) = on_bare_python((sys.executable,), IMPORTS)
    words += [*_parents(python, made), "--symlink", base_python(), python]
    words += ["--bind" if task.writable else "--ro-bind", task.folder, PLACE, "--chdir", PLACE]
    words += ["--remount-ro", "/"]  # it is writable memory otherwise
    return tuple(words)


@lru_cache(maxsize=1)
def _system() -> tuple[str, ...]:
    """Return the words for the system's programs, its processes and devices."""
    words: list[str] = []
    for place in SYSTEM:  # all but the first are often links into it
        if os.path.islink(place):
            words += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            words += ["--ro-bind", place, place]
    words += ["--proc", "/proc", "--perms", "0755", "--dir", "/dev"]
    for name in DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name, target in DEVICE_LINKS.items():
        words += ["--symlink", target, f"/dev/{name}"]
    return tuple(words)


def _memory(place: str, size: int) -> list[str]:
    """Return the words for a folder in memory that all users may write to."""
    bounded = ["--size", str(size)] if "--size" in features() else []
    return ["--perms", "1777", *bounded, "--tmpfs", place]


def _parents(place: str, made: set[str]) -> list[str]:
    """Return the words that make a place's missing parents passable to every user."""
    words: list[str] = []
    for parent in reversed(Path(place).parents):
        if str(parent) not in made:
            made.add(str(parent))
            words += ["--perms", "0755", "--dir", str(parent)]
    return words


LEVEL = Level(
    name="bwrap",
    promise="a bot reaches only its own files and its pipes",
    starts=_launch,
    isolates=True,
)
