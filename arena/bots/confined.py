"""A build step run as bots are: it is the bot's own program, and as little to be trusted."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from arena.process.bot import LaunchError
from arena.process.folders import MAX_DEPTH, entries_below
from arena.sandbox import Task
from arena.sandbox.diagnosis import explain
from arena.session.launch import launch_in_group
from arena.session.trial import Trial, run_trial
from arena.values.errors import BotBuildError, MachineLacks, lack_of

__all__ = ["run_build"]

MEMORY_BYTES = 2 << 30
PROCESSES = 256
FILES = 1024
FILE_BYTES = 256 << 20
FOLDER_BYTES = 512 << 20  # of all that it makes
FOLDER_FILES = 10_000


def run_build(
    command: tuple[str, ...],
    folder: Path,
    limit_s: float,
    level: str,
    shown: tuple[str, ...] = (),
) -> Trial:
    """Run a build command in a folder at an isolation level; it can read all that is ``shown``.

    A build may write to its folder and to nothing else, for a limited time and up to a size. Where
    it made too much, ``stopped`` says so, if that was its end or was found afterwards.

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
    try:
        trial = _try(task, level, limit_s)
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
    # the last look may be some time ago
    return trial._replace(stopped=trial.stopped or too_much(folder) or "")


def _try(task: Task, level: str, limit_s: float) -> Trial:
    """Run a build in its folder, which is left to the user that it ran as."""
    folder = Path(task.folder)
    try:
        how = launch_in_group(task, level)
        try:
            if how.slot is not None:
                _give(folder, how.slot.uid)
        except BaseException:
            how.give_up()
            raise
        return run_trial(how, limit_s, stop=lambda: too_much(folder))
    except (OSError, LaunchError) as error:
        if lack := lack_of(error):
            raise MachineLacks(f'"{task.argv[0]}" could not be run', lack) from error
        raise BotBuildError(f'cannot run "{task.argv[0]}": {error}') from None


def too_much(folder: Path) -> str | None:
    """Say what is too much in a folder, ``None`` if nothing is."""
    count = size = 0
    try:
        for entry, depth in entries_below(str(folder)):
            count += 1
            if count > FOLDER_FILES:
                return f"it made more than {FOLDER_FILES} files"
            if depth > MAX_DEPTH:
                return f"it made more than {MAX_DEPTH} folders within one another"
            with contextlib.suppress(FileNotFoundError):
                size += entry.stat(follow_symlinks=False).st_blocks * 512
            if size > FOLDER_BYTES:
                return f"it wrote more than {FOLDER_BYTES >> 20} MiB"
    except OSError as error:
        return f"a folder that it made cannot be looked into: {error.strerror}"
    return None


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
