"""A build step run as bots are: it is the bot's own program, and as little to be trusted."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from arena.isolation.trial import Trial, run_trial
from arena.process.bot import LaunchError
from arena.process.folders import MAX_DEPTH, entries_below
from arena.process.memory import unnamed_files
from arena.process.tree import Tree
from arena.sandbox import Task
from arena.sandbox.diagnosis import explain
from arena.session.launch import launch_in_group
from arena.values.errors import BotBuildError, Lack, MachineLacks, lack_of

MEMORY_BYTES = 2 << 30
PROCESSES = 256
FILES = 1024
FILE_BYTES = 256 << 20
FOLDER_BYTES = 512 << 20  # of all that it makes
FOLDER_FILES = 10_000
FREE_BYTES, FREE_SHARE = 1 << 30, 10  # of its disk stay free: so much, or a part in so many
FULL = "the disk is nearly full"


def run_build(
    command: tuple[str, ...],
    folder: Path,
    limit_s: float,
    level: str,
    shown: tuple[str, ...] = (),
    more: int = 0,
) -> Trial:
    """Run a build command in a folder at an isolation level; it can read all that is ``shown``.

    A build may write to its folder and to nothing else, for a limited time and up to a size, as
    long as the disk has room; so many bytes ``more`` than usual may be in the folder. Where it made
    too much, ``stopped`` says so, if that was its end or was found afterwards.

    Raises:
        BotBuildError: it cannot be run, or not isolated.
        MachineLacks: this machine has too little of something for it.
    """
    task = Task(
        argv=command,
        folder=str(folder),
        # C: compilers quote in ASCII; their temporary files go where they may write
        env=(("LC_ALL", "C"), ("TMPDIR", ".")),
        memory_bytes=MEMORY_BYTES,
        cpu_seconds=int(2 * limit_s) + 1,
        processes=PROCESSES,
        files=FILES,
        file_bytes=FILE_BYTES,
        writable=True,
        shown=shown,
    )
    is_full = _nearly_full(folder)
    try:
        trial = _try(task, level, limit_s, is_full, FOLDER_BYTES + more)
    except BaseException:
        with contextlib.suppress(BotBuildError):  # of two, the first says what happened
            _take_back(folder)
        raise
    _take_back(folder)
    if not trial.ran:
        problem = explain(trial.err)
        if problem.lack:
            raise MachineLacks(f"the build could not be isolated: {problem.reason}", problem.lack)
        raise BotBuildError(f"the build cannot be isolated: {problem.reason}; {problem.remedy}")
    if trial.stopped == FULL or (trial.code and is_full()):
        raise MachineLacks(f"the build was stopped, as {FULL}", Lack.DISK)
    # the last look may be some time ago
    stopped = trial.stopped or too_much(folder, most=FOLDER_BYTES + more) or ""
    return trial._replace(stopped=stopped)


def _try(task: Task, level: str, limit_s: float, is_full: Callable[[], bool], most: int) -> Trial:
    """Run a build in its folder, which is left to the user that it ran as."""
    folder = Path(task.folder)
    try:
        with launch_in_group(task, level) as how:
            if how.slot is not None:
                _give(folder, how.slot.uid)
            return run_trial(how, limit_s, stop=lambda tree: too_much(folder, tree, is_full, most))
    except (OSError, LaunchError) as error:
        if lack := lack_of(error):
            raise MachineLacks(f'"{task.argv[0]}" could not be run', lack) from error
        raise BotBuildError(f'cannot run "{task.argv[0]}": {error}') from None


def _nearly_full(folder: Path) -> Callable[[], bool]:
    """Return what says whether others may soon be unable to write to the disk of a folder.

    How much is free now, before a build writes to it, is what that is judged by.
    """

    def free() -> int:
        found = os.statvfs(folder)
        return found.f_bavail * found.f_frsize

    whole = os.statvfs(folder)
    least = min(FREE_BYTES, whole.f_blocks * whole.f_frsize // FREE_SHARE, free() // 2)
    return lambda: free() < least


def too_much(
    folder: Path,
    tree: Tree | None = None,
    is_full: Callable[[], bool] = lambda: False,
    most: int = FOLDER_BYTES,
) -> str | None:
    """Say what is too much in a folder, which has ``most`` bytes at most; ``None``: nothing is.

    Each file counts once, whatever its names are; so do those without a name that processes of
    ``tree`` use. That its disk ``is_full`` is said last, as it may be others' doing.
    """
    sizes: dict[int, int] = {}  # by the numbers of inodes

    def beyond() -> str | None:
        if len(sizes) > FOLDER_FILES:
            return f"it made more than {FOLDER_FILES} files"
        if sum(sizes.values()) > most:
            return f"it wrote more than {most >> 20} MiB"
        return None

    try:
        for count, (entry, depth) in enumerate(entries_below(str(folder))):
            if count >= FOLDER_FILES:
                return f"it made more than {FOLDER_FILES} files"
            if depth > MAX_DEPTH:
                return f"it made more than {MAX_DEPTH} folders within one another"
            with contextlib.suppress(FileNotFoundError):
                found = entry.stat(follow_symlinks=False)
                sizes[found.st_ino] = found.st_blocks * 512
    except OSError as error:
        return f"a folder that it made cannot be looked into: {error.strerror}"
    why = beyond()
    # names first: what loses its name meanwhile is then still open
    for unnamed in () if tree is None else unnamed_files(tree):
        if unnamed is None:
            return "one of its processes hides what it has open"
        for inode, size in unnamed.items():
            sizes[inode] = max(size, sizes.get(inode, 0))
        why = why or beyond()
        if why or is_full():
            break
    return why or (FULL if is_full() else None)


def _give(folder: Path, uid: int) -> None:
    """Make a folder and all in it a user's; links are not followed."""
    os.chmod(folder, 0o755)  # bubblewrap has no power of root's to enter it otherwise
    os.lchown(folder, uid, uid)
    for entry, _ in entries_below(str(folder)):
        os.lchown(entry.path, uid, uid)


def _take_back(folder: Path) -> None:
    """Make what a build has left root's own again; nobody else gave it away."""
    try:
        if os.geteuid() == 0:
            _give(folder, 0)
    except OSError as error:  # such as a path that is too long
        raise BotBuildError(f"what the build made cannot be kept: {error.strerror}") from None
