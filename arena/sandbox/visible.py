"""Which folders a program needs to see in order to run, beside the system's programs."""

from __future__ import annotations

import glob
import os
import pwd
import stat
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePath

from arena.values.errors import UsageError

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")  # seen at every level

# of an installation, what its programs read: never all of it, people keep their files beside it
PARTS = ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "include")
# a virtual environment may lie in the folder of a project that has a lib of its own
OF_VENV = ("bin", "lib/py*", "lib/*.so*", "lib64/py*", "pyvenv.cfg")
OF_JAVA = ("conf",)  # without which UUID.randomUUID() fails; a Java is known by its lib/modules
# what interpreters in /usr read of /etc, partly through links; there is nothing private in it
REQUIRED = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/java*")
# these may be missing, but where they are there programs fail that may not read them
SETTINGS = (
    *REQUIRED,
    "/etc/crypto-policies",
    "/etc/perl",
    "/etc/python3*",
    "/etc/ssl/openssl.cnf",
)
MOST_LINKS = 40  # as many as the kernel follows


@lru_cache(maxsize=64)
def needed(program: str, shown: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return what must be readable for a program to run, besides the system's own folders.

    Of a program that lies in a folder ``bin``, it is the folders beside that one which programs
    read. Of a program that lies elsewhere, it is the file. What a link leads to counts as the link
    does. Of the virtual environment that arena runs in nothing is read: its interpreter is that of
    the installation below.

    Args:
        program: what is to run; one that is relative needs nothing but its own folder.
        shown: folders that are shown to the program as a whole.

    Returns:
        Absolute paths that exist, sorted, none of them within another.
    """
    if not program.startswith("/"):
        return ()
    if plain_path(program) == plain_path(sys.executable):
        program = base_python()
    found = {*shown, *_of_program(program)}
    interpreter = _shebang(program)
    if interpreter is not None:
        found |= {*_of_program(interpreter)}
    kept: list[str] = []
    for path in sorted(found):
        if not any(within(path, other) for other in (*SYSTEM, *kept)) and os.path.exists(path):
            kept.append(path)
    return tuple(kept)


@lru_cache(maxsize=1)
def base_python() -> str:
    """Return the interpreter that arena runs on, without its virtual environment, if it has one."""
    return os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)


def plain_path(program: str) -> str:
    """Return the absolute path of a program, without ``..``; a program that is a link stays one."""
    folder, name = os.path.split(program)
    return os.path.join(os.path.realpath(folder), name)


def is_another_for_each(path: str) -> bool:
    """Return whether a path leads through ``/proc`` or ``/dev``.

    To us ``/proc/self/cwd/bin/tool`` is a file in our working directory, whose neighbours the bot
    would then be shown; to the bot it is a file of its own.
    """
    place = "/"
    for part in path.split("/"):
        place = os.path.realpath(os.path.join(place, part))
        if place in ("/proc", "/dev"):
            return True
    return False


@lru_cache(maxsize=2)
def settings(*, required: bool = False) -> tuple[str, ...]:
    """Return the system's settings that are shown to every program.

    Args:
        required: only those without which some do not run, where all others are not there.
    """
    patterns = REQUIRED if required else SETTINGS
    return tuple(path for pattern in patterns for path in sorted(glob.glob(pattern)))


class ClosedToOthers(UsageError):
    """The users that root's bots run as cannot read what they need.

    ``reason`` and ``remedy`` are the two halves of the message.
    """

    def __init__(self, path: str, closed: str) -> None:
        right = "x" if path != closed else "rx" if os.path.isdir(path) else "r"
        self.reason = (
            f"root's bots are users of their own, and at this level of isolation they cannot read "
            f'"{path}", as "{closed}" is closed to other users'
        )
        self.remedy = (
            f"open it (chmod o+{right} {closed}), keep what bots need where all users may read, "
            "use the level bwrap, or run arena as an ordinary user"
        )
        super().__init__(f"{self.reason}: {self.remedy}")


def check_open(paths: Iterable[str]) -> None:
    """Raise ``ClosedToOthers`` unless a user without files can read all of these."""
    for path in paths:
        if closed := closed_at(path):
            raise ClosedToOthers(path, closed)


def closed_at(path: str) -> str:
    """Return the folder or file, on the way to a path, that is closed to other users; or nothing.

    Of a folder, its own mode is looked at and that of each above it; not what lies in it.
    """
    path = os.path.realpath(path)
    for above in reversed(PurePath(path).parents):
        if not _grants(str(above), stat.S_IXOTH):
            return str(above)
    wanted = stat.S_IROTH | (stat.S_IXOTH if os.path.isdir(path) else 0)
    return "" if _grants(path, wanted) else path


def _grants(path: str, rights: int) -> bool:
    try:
        return os.stat(path).st_mode & rights == rights
    except OSError:
        return True  # it is not there, which is for others to say


def _of_program(program: str) -> Iterator[str]:
    """Yield what a program needs, some of it twice or within other things."""
    if os.path.realpath(program) == base_python():
        for prefix in (sys.base_prefix, sys.base_exec_prefix):
            for place in (os.path.abspath(prefix), os.path.realpath(prefix)):
                yield from _parts(place)
    for path in _links(program):
        yield path
        prefix, folder = os.path.split(os.path.dirname(path))
        holds_homes = any(within(home, prefix) for home in homes())
        if folder in ("bin", "sbin") and not holds_homes:
            yield from _parts(prefix)


def _parts(prefix: str) -> Iterator[str]:
    if os.path.isfile(os.path.join(prefix, "pyvenv.cfg")):
        if os.path.realpath(prefix) == os.path.realpath(sys.prefix):
            return
        for pattern in OF_VENV:
            yield from glob.iglob(os.path.join(glob.escape(prefix), pattern))
        return
    java = os.path.isfile(os.path.join(prefix, "lib", "modules"))
    for part in (*PARTS, *(OF_JAVA if java else ())):
        yield os.path.join(prefix, part)


def _links(path: str) -> Iterator[str]:
    """Yield a path, all that it leads to link by link, and where it leads in the end."""
    path = os.path.abspath(path)
    yield os.path.realpath(path)
    for _ in range(MOST_LINKS):
        yield path
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))


def _shebang(program: str) -> str | None:
    """Return the absolute path of the interpreter that a script names in its first line."""
    try:
        with open(program, "rb") as file:
            line = file.read(256).partition(b"\n")[0]
    except OSError:
        return None
    words = line[2:].split() if line.startswith(b"#!") else []
    return os.fsdecode(words[0]) if words and words[0].startswith(b"/") else None


@lru_cache(maxsize=1)
def homes() -> frozenset[str]:
    """Return the home folders of people, which must never be shown as a whole."""
    found = {entry.pw_dir for entry in pwd.getpwall() if entry.pw_uid == 0 or entry.pw_uid >= 1000}
    found |= {os.path.expanduser("~"), "/root", "/home", "/tmp"}
    return frozenset(
        place
        for home in found
        if home.startswith("/") and home not in ("/", "/nonexistent")
        for place in (home, os.path.realpath(home))
    )


def within(path: str, folder: str) -> bool:
    """Return whether an absolute path is a folder, or lies in the folder; no link is followed."""
    return folder == "/" or path == folder or path.startswith(folder.rstrip("/") + "/")
