"""How much memory a bot's processes hold together, and how many they are.

Pages of programs and libraries are everybody's and count for nobody. What a process shares with its
children by ``fork`` is counted again for each of them by the cheap look, so that a sum beyond the
limit is looked at a second time, page by page.

Where the first thread of a process has ended, another one may go on, with all the memory; and each
thread may have descriptors of its own. So it is threads that are asked, and not processes.

An empty file in memory takes no page of its file system, and yet some of the kernel's memory: so
files are counted, where a bot has folders in memory that nobody else has.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.machine import procfs
from arena.process.machine_memory import number_after
from arena.process.tree import Tree
from arena.sandbox.interface import HOME, SHARED_MEMORY

MAX_PROCESSES = 256  # of a bot, at levels that do not count them; the others allow fewer
MAX_FILES = 10_000  # in a bot's own folders in memory
FILE_BYTES = 1331  # that each takes of the kernel's memory, with its name
# what files without a name are called that lie in memory; a bot can make no such name on a disk
_IN_MEMORY = ("/memfd:", "/dev/zero", "/SYSV", "/anon_hugepage")
_GONE = " (deleted)"
_KEYS = (b"\nRssAnon:", b"\nRssShmem:", b"\nVmSwap:", b"\nVmPTE:")
_FORKED = 0x40  # PF_FORKNOEXEC: it has executed no program yet


class Usage(NamedTuple):
    """What the processes of a bot hold.

    Attributes:
        memory_bytes: all of them together.
        processes: how many there are.
        hidden: has one of them seen to it that its descriptors cannot be listed?
    """

    memory_bytes: int
    processes: int
    hidden: bool = False


def usage(tree: Tree, limit_bytes: int, limit_processes: int) -> Usage:
    """Look at all processes of a tree.

    Args:
        tree: whose.
        limit_bytes: up to which nobody needs to know exactly: the memory is never below the
            truth by much, and exact (as far as the kernel tells) only above this.
        limit_processes: beyond so many their memory is not looked at.
    """
    members = tree.members()
    if len(members) > limit_processes:
        return Usage(0, len(members))
    own = shared = tables = files = 0
    seen: dict[tuple[int, int], int] = {}  # memory files
    for pid in members:
        anonymous, mapped, swapped, page_tables = _resident(pid)
        own += anonymous + swapped
        shared += mapped
        tables += page_tables
        try:
            seen.update(_memory_files(pid))
        except _Hidden:
            # bubblewrap hides, too, until it executes the bot
            if pid != members[0] or not _is_forked(pid):
                return Usage(own + shared + tables, len(members), hidden=True)
    # a file in memory need not be mapped by anybody; one that is mapped is not to count twice
    files = sum(seen.values())
    total = own + tables + max(shared, files)
    if total > limit_bytes and len(members) > 1:
        with contextlib.suppress(_Hidden):
            exact = [_proportional(pid) for pid in members]
            private = sum(anonymous for anonymous, _ in exact)
            total = private + tables + max(sum(mapped for _, mapped in exact), files)
    return Usage(total, len(members))


def own_files(tree: Tree) -> int:
    """Return how many files there are in the folders in memory that a bot has for itself.

    Those that are open without a name count, too. The folders are new, and empty, when it starts.
    Where its level gives it none, it is 0.
    """
    if not tree.namespaced or (main := tree.main()) is None:
        return 0
    for place in _places(main):
        with contextlib.suppress(OSError):  # that thread has ended, or we may not look
            root = f"/proc/{main}/{place}root"
            found = [os.statvfs(root + folder) for folder in (HOME, SHARED_MEMORY)]
            return sum([each.f_files - each.f_ffree - 1 for each in found])  # 1: the folder itself
    return 0


def unnamed_files(tree: Tree) -> Iterator[dict[int, int] | None]:
    """Yield files on a disk that have no name any more, and that a tree's processes have open.

    Mapped ones, too. There is an answer for each thread and each process: the number of the file's
    inode, and how many bytes of the disk it takes; ``None`` if a process hides what it has open.
    Of a file that is mapped only, an ordinary user is not told what it takes: that is taken to be
    all up to the end of its last mapping.
    """
    members = tree.members()
    for pid in members:
        for thread in _threads(pid):
            try:
                yield dict(_deleted(_descriptors(pid, thread)))
            except _Hidden:
                if pid != members[0] or not _is_forked(pid):
                    yield None
        yield _mapped(pid)


class _Hidden(Exception):
    """A process of ours has seen to it that we cannot look into it."""


def _resident(pid: int) -> tuple[int, ...]:
    """Return a process's bytes: its own, those shared with others, swapped out, of page tables."""
    text = _of_a_thread(pid, "status", _KEYS[0]) or b""
    return tuple([(number_after(text, key) or 0) * 1024 for key in _KEYS])


def _proportional(pid: int) -> tuple[int, int]:
    """Return its own and shared bytes with each page divided among the processes that map it.

    Raises:
        _Hidden: the process does not let us read that.
    """
    text = _of_a_thread(pid, "smaps_rollup", b"\nPss_Anon:")
    if text is None:
        if _of_a_thread(pid, "status", _KEYS[0]) is None:  # it has ended
            return 0, 0
        raise _Hidden
    own, mapped = number_after(text, b"\nPss_Anon:") or 0, number_after(text, b"\nPss_Shmem:") or 0
    return (own + (number_after(text, b"\nSwapPss:") or 0)) * 1024, mapped * 1024


def _of_a_thread(pid: int, name: str, key: bytes) -> bytes | None:
    """Return a file of the process's first thread that has a line with this key in it, if any."""
    for place in _places(pid):
        with contextlib.suppress(OSError):  # it has ended, or we may not read it
            text = procfs.read(pid, place + name)
            if key in text:
                return text
    return None


def _places(pid: int) -> Iterator[str]:
    """Yield where a process's files are, and those of its threads; nearly always the first does."""
    yield ""
    yield from (f"task/{thread}/" for thread in _threads(pid))


def _threads(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):
        yield from os.listdir(f"/proc/{pid}/task")


def _is_forked(pid: int) -> bool:
    """Return whether a process has executed no program since it was forked, or has ended."""
    try:
        return bool(int(procfs.stat(pid)[procfs.FLAGS]) & _FORKED)
    except OSError:
        return True


def _memory_files(pid: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the memory files (``memfd_create``) that a process has open, with their bytes.

    Raises:
        _Hidden: the process does not let us read which files it has open.
    """
    for thread in _threads(pid):
        for path, target in _descriptors(pid, thread):
            if target.startswith("/memfd:"):
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    found = os.stat(path)
                    yield (found.st_dev, found.st_ino), found.st_blocks * 512


def _descriptors(pid: int, thread: str) -> Iterator[tuple[str, str]]:
    """Yield the path in ``/proc`` and the target of each file that a thread has open.

    Raises:
        _Hidden: the process does not let us read which files it has open.
    """
    try:
        yield from procfs.open_files(pid, thread)
    except (FileNotFoundError, ProcessLookupError):
        return  # it has ended
    except PermissionError:
        if _hides(pid, thread):
            raise _Hidden from None


def _deleted(files: Iterable[tuple[str, str]]) -> Iterator[tuple[int, int]]:
    """Yield the inode and size on disk of those regular files, by path and name, that have none."""
    for path, target in files:
        if target.endswith(_GONE) and not target.startswith(_IN_MEMORY):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found = os.stat(path)
                if stat.S_ISREG(found.st_mode) and not found.st_nlink:
                    yield found.st_ino, found.st_blocks * 512


def _mapped(pid: int) -> dict[int, int]:
    """Return likewise what a process has mapped."""
    found: dict[int, int] = {}
    for line in (_of_a_thread(pid, "maps", b"-") or b"").splitlines():
        if not line.endswith(_GONE.encode()):
            continue
        places, _, offset, _, inode, name = os.fsdecode(line).split(maxsplit=5)
        first, end = (int(place, 16) for place in places.split("-"))
        sizes = {int(inode): int(offset, 16) + end - first}
        with contextlib.suppress(PermissionError):
            sizes = dict(_deleted([(f"/proc/{pid}/map_files/{first:x}-{end:x}", name)]))
        if not name.startswith(_IN_MEMORY):
            for each, size in sizes.items():
                found[each] = max(size, found.get(each, 0))
    return found


def _hides(pid: int, thread: str) -> bool:
    """Return whether the kernel keeps us from a process for what it did or what it executed.

    Its files are root's then, though it is ours itself. So are those of one that has ended. What is
    not ours, or is kept from us by another rule of this machine, hides nothing.
    """
    try:
        files = os.stat(f"/proc/{pid}/task/{thread}/fd").st_uid
        ours = procfs.user(pid) == os.geteuid() != files
        return ours and _KEYS[0] in procfs.read(pid, f"task/{thread}/status")
    except OSError:
        return False
