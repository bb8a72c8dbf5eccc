"""Copies of bots that never change: what plays is the copy, whatever happens to the original."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from pathlib import Path

from arena.bots.build import copied, remove_copy
from arena.bots.content import is_hash, names_in
from arena.bots.program import Program, describe
from arena.machine.untrusted_files import make_private
from arena.process.folders import lies_within
from arena.values.errors import BotError

__all__ = [
    "BUNDLED_FOLDER",
    "RUN_FOLDER",
    "forget",
    "keep",
    "kept_names",
    "open_snapshot",
    "snapshot",
    "snapshot_folder",
    "unnamed_folder",
]

RUN_FOLDER = "_run"  # bots named by a path
BUNDLED_FOLDER = "_bundled"  # bundled bots, as they were when a tournament entered them


def snapshot_folder(home: Path, digest: str, name: str, version: int) -> Path:
    """Return where the snapshot of a submitted version lies, whose hash is ``sha256:<hex>``."""
    return home / "bots" / name / f"{version}-{digest.removeprefix('sha256:')[:12]}"


def unnamed_folder(home: Path, digest: str, shelf: str) -> Path:
    """Return where that of any other bot lies, on one of the two shelves named above."""
    return home / "bots" / shelf / digest.removeprefix("sha256:")


def snapshot(source: Path, home: Path) -> Program:
    """Copy the bot that a file or folder is into the arena's home, as ``keep`` does.

    Raises:
        BotError: the source is no bot, or changed while it was copied.
    """
    program = describe(source)
    return keep(program, unnamed_folder(home, program.hash, RUN_FOLDER))


def keep(original: Program, target: Path, name: str | None = None) -> Program:
    """Copy a program to where its snapshot lies, read-only, unless it is there already.

    Args:
        original: the program; only its own files are copied, whatever else lies in its folder.
        target: the folder of the snapshot.
        name: what it is called from now on; its own name if left out.

    Returns:
        The program as the snapshot holds it.

    Raises:
        BotError: its files are no longer those that were described.
    """
    name = name or original.name
    if target.exists():
        return open_snapshot(target, original.hash, name)
    make_private(target.parent)
    with copied(original, target):
        pass
    return dataclasses.replace(original, folder=Path(os.path.realpath(target)), name=name)


def open_snapshot(folder: Path, digest: str, name: str) -> Program:
    """Return the program that a snapshot holds, once its content was seen to be what it was.

    Raises:
        BotError: the snapshot is gone or was changed.
    """
    if not folder.is_dir():
        raise BotError(f"{name}: its snapshot {folder} is gone; submit it again")
    program = describe(folder, here=False)  # that is checked where it is started
    if program.hash != digest:
        raise BotError(
            f"{name}: its snapshot {folder} was changed (it is {program.hash}, it was {digest}); "
            "delete that folder and submit or run the bot again"
        )
    return dataclasses.replace(program, name=name)


def forget(home: Path, digest: str) -> bool:
    """Remove the snapshot of a bot that was not submitted, if there is one.

    Nothing is removed through a link, nor of a hash that is none: the store may be somebody else's.

    Args:
        home: the arena's home.
        digest: the bot's hash.

    Returns:
        Whether there was one.
    """
    if not is_hash(digest):
        return False
    home = home.absolute()
    shelves = [unnamed_folder(home, digest, shelf) for shelf in (RUN_FOLDER, BUNDLED_FOLDER)]
    found = False
    for folder in shelves:
        if not lies_within(folder, home):
            continue
        with contextlib.suppress(OSError):
            remove_copy(folder)
            found = True
    return found


def kept_names(home: Path) -> list[str]:
    """Return the names that have snapshots of submitted bots in a home, sorted."""
    return [name for name in names_in(home / "bots") if name[0] not in "._"]
