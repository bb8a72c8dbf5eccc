"""A build step run as bots are: it is the bot's own program, and as little to be trusted."""

from __future__ import annotations

import os
from pathlib import Path

from arena.errors import BotBuildError
from arena.referee.process import LaunchError
from arena.referee.sandbox import Task, find_level
from arena.referee.sandbox.complaints import explain
from arena.referee.sandbox.trial import run_trial
from arena.roster.build import BuildOutcome, BuildRunner

__all__ = ["build_at"]

MEMORY_BYTES = 2 << 30
PROCESSES = 256
FILES = 1024
FILE_BYTES = 256 << 20
FOLDER_BYTES = 512 << 20  # of all that it makes
FOLDER_FILES = 10_000


def build_at(level: str) -> BuildRunner:
    """Return what runs build commands at an isolation level.

    A build may write to its folder and to nothing else, for a limited time and up to a size.
    """

    def run(command: tuple[str, ...], folder: Path, limit_s: float) -> BuildOutcome:
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
        )
        try:
            how = find_level(level).launch(task)
            if how.slot is not None:
                _give(folder, how.slot.uid)
            trial = run_trial(how, limit_s, stop=lambda: too_much(folder))
        except (OSError, LaunchError) as error:
            raise BotBuildError(f'cannot run "{command[0]}": {error}') from None
        finally:
            if os.geteuid() == 0:
                _give(folder, 0)
        if not trial.ran:
            problem = explain(trial.err)
            raise BotBuildError(f"the build cannot be isolated: {problem.reason}; {problem.remedy}")
        output = trial.out + trial.err + (f"\n{trial.stopped}" if trial.stopped else "")
        return BuildOutcome(trial.code, output.encode("utf-8", "backslashreplace"))

    return run


def too_much(folder: Path) -> str | None:
    """Say what is too much in a folder, ``None`` if nothing is."""
    count = size = 0
    for place, folders, names in os.walk(folder):
        count += len(folders) + len(names)
        if count > FOLDER_FILES:
            return f"it made more than {FOLDER_FILES} files"
        for name in names:
            try:
                size += os.lstat(os.path.join(place, name)).st_blocks * 512
            except FileNotFoundError:
                continue
        if size > FOLDER_BYTES:
            return f"it wrote more than {FOLDER_BYTES >> 20} MiB"
    return None


def _give(folder: Path, uid: int) -> None:
    """Make a folder and all in it a user's; links are not followed."""
    os.chmod(folder, 0o755)  # bubblewrap has no power of root's to enter it otherwise
    for place, folders, names in os.walk(folder):
        for name in (".", *folders, *names):
            os.lchown(os.path.join(place, name), uid, uid)
