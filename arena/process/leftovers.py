"""What dead runs left behind: found by the mark it bears, and swept away.

Processes, their control groups, files and folders.

A bot whose worker and runner were killed at the same instant usually dies with them; this is for
the case that one does not. Only what belongs to this user, bears a mark, and whose maker is gone
counts; nothing is ever guessed from a name alone.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import NamedTuple

from arena.machine import procfs
from arena.machine.owner import VARIABLE, Mark, is_dead, mark_in_name, own_mark, parse_mark
from arena.process.cache import find_caches
from arena.process.folders import remove_folder
from arena.process.stop_all import ends
from arena.sandbox.cgroups.remains import dead_groups, remove_group
from arena.sandbox.slots import FIRST_UID, LAST_UID

__all__ = ["Leftover", "claim_folder", "find_leftovers", "folder_of_sockets", "sweep"]

SWEEP_SECONDS = 2.0  # the longest that a sweep waits for processes to end
CLAIM = "arena-run"  # the file that says whose a folder is, where its name cannot
ENVIRON_BYTES = 1 << 16
WHAT_CHARACTERS = 120
SHORT = "/tmp"
MAX_SOCKET_FOLDER = 70  # a socket's path has 107 bytes, of which our part takes 34


class Leftover(NamedTuple):
    """A process, a control group or a file or folder of a dead run.

    Attributes:
        what: the process's command line, cut off, or the path; untrusted text.
        pid: the process, 0 for anything else.
        mark: of the run that made it.
        group: is it a control group?
    """

    what: str
    pid: int
    mark: Mark
    group: bool = False


def folder_of_sockets() -> str:
    """Return the folder where ``multiprocessing`` keeps its sockets, made and claimed if need be.

    It lies in the usual place for temporary files, unless the path of a socket there is too long.
    """
    usual, tempfile.tempdir = tempfile.tempdir, _above_sockets()
    try:
        folder = get_temp_dir()
    finally:
        tempfile.tempdir = usual
    claim_folder(folder)
    return folder


def _above_sockets() -> str:
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) <= MAX_SOCKET_FOLDER else SHORT


def claim_folder(folder: str) -> None:
    """Say that a temporary folder whose name is not ours to choose is this process's own.

    It stays that of another one that lives: of a fork's parent, which uses it on.
    """
    owner = _claim_on(folder)
    if owner is not None and owner != own_mark() and not is_dead(owner):
        return
    with contextlib.suppress(OSError):
        Path(folder, CLAIM).write_text(f"{own_mark()}\n", encoding="ascii")


def find_leftovers(home: Path | None = None) -> tuple[Leftover, ...]:
    """Return what dead runs of this user left on this machine: processes, groups, then files.

    Args:
        home: the arena's home, where copies may have been left half done, as in the user's cache.
    """
    return (*_processes(), *_groups(), *_files(home))


def sweep(home: Path | None = None) -> tuple[Leftover, ...]:
    """Kill and remove what ``find_leftovers`` finds; returns what is gone now.

    Processes that multiply are killed for two seconds; in a control group all end at once, also
    those that have taken their mark off.
    """
    before = tuple(_processes())
    groups = [one for one in _groups() if remove_group(Path(one.what))]
    gone = {one.pid: one for one in before if _mark_on(one.pid) != one.mark}
    deadline = time.monotonic() + SWEEP_SECONDS
    found = tuple(_processes()) if groups else before
    while found:
        gone.update((one.pid, one) for one in _end(found, deadline))
        if time.monotonic() >= deadline or not gone.keys() & {one.pid for one in found}:
            break
        found = tuple(_processes())
    files = (one for one in _files(home) if _remove(one.what))
    return (*gone.values(), *groups, *files)


# processes


def _processes() -> Iterator[Leftover]:
    me = os.getpid()
    for pid in procfs.pids():
        mark = _mark_on(pid) if pid != me else None
        if mark is not None and is_dead(mark):
            yield Leftover(_command_line(pid), pid, mark)


def _mark_on(pid: int) -> Mark | None:
    """Return the mark in the environment that a process of this user was started with."""
    try:
        if not _is_ours(procfs.user(pid)):
            return None
        text = procfs.read(pid, "environ", ENVIRON_BYTES)
    except OSError:
        return None
    _, found, after = (b"\0" + text).partition(b"\0" + VARIABLE.encode() + b"=")
    return parse_mark(after.partition(b"\0")[0].decode("ascii", "replace")) if found else None


def _is_ours(uid: int) -> bool:
    me = os.geteuid()
    return uid == me or (me == 0 and FIRST_UID <= uid <= LAST_UID)


def _command_line(pid: int) -> str:
    with contextlib.suppress(OSError):
        words = procfs.command_line(pid, 4 * WHAT_CHARACTERS)
        text = " ".join(word.decode("utf-8", "backslashreplace") for word in words)
        return text if len(text) <= WHAT_CHARACTERS else text[: WHAT_CHARACTERS - 1] + "…"
    return ""


def _end(found: Iterable[Leftover], deadline: float) -> list[Leftover]:
    """Kill processes and wait for their end; returns those that have ended."""
    killed: list[tuple[int, Leftover]] = []
    with contextlib.ExitStack() as opened:
        for one in found:
            with contextlib.suppress(OSError):
                pidfd = os.pidfd_open(one.pid)
                opened.callback(os.close, pidfd)
                # the descriptor pins the process: its mark is checked again
                if _mark_on(one.pid) == one.mark and is_dead(one.mark):
                    killed.append((pidfd, one))
                    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        return [one for pidfd, one in killed if ends(pidfd, deadline - time.monotonic())]


# groups


def _groups() -> Iterator[Leftover]:
    for folder, mark in dead_groups():
        yield Leftover(str(folder), 0, mark, group=True)


# files


def _files(home: Path | None) -> Iterator[Leftover]:
    temporary = dict.fromkeys((tempfile.gettempdir(), _above_sockets()))
    starts = ("arena-", "pymp-")
    for entry in itertools.chain.from_iterable(_entries(each, starts) for each in temporary):
        mark = mark_in_name(entry.name) if entry.name.startswith("arena-") else None
        if entry.name.startswith("pymp-"):
            mark = _claim_on(entry.path)
        if mark is not None and is_dead(mark):
            yield Leftover(entry.path, 0, mark)
    if home is None:
        return
    shelves = (Path(entry.path) for entry in _entries(home / "bots"))
    for folder in (home, *find_caches(), *shelves):
        for entry in _entries(folder, (".",)):
            mark = mark_in_name(entry.name)
            if mark is not None and is_dead(mark):
                yield Leftover(entry.path, 0, mark)


def _entries(folder: str | Path, starts: tuple[str, ...] = ("",)) -> tuple[os.DirEntry[str], ...]:
    """Return what lies in a folder and belongs to this user; links are never followed.

    Args:
        folder: it may hold a lot that is others'.
        starts: how names begin, of which one is wanted.
    """
    found = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.startswith(starts):
                continue
            with contextlib.suppress(OSError):  # it is gone already
                if _is_ours(entry.stat(follow_symlinks=False).st_uid):
                    found.append(entry)
    return tuple(found)


def _claim_on(folder: str) -> Mark | None:
    try:
        # O_NONBLOCK: a bot may have left a pipe of that name, and opening one waits forever
        file = os.open(os.path.join(folder, CLAIM), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        return parse_mark(os.read(file, 64).decode("ascii").strip())
    except (OSError, UnicodeDecodeError):
        return None
    finally:
        os.close(file)


def _remove(path: str) -> bool:
    """Remove a file or a whole folder; returns whether it is gone."""
    with contextlib.suppress(OSError):
        if stat.S_ISDIR(os.lstat(path).st_mode):
            remove_folder(path)
        else:
            os.unlink(path)
        return True
    return False
