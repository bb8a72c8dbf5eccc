"""Copies of bots that never change: what plays is the copy, whatever happens to the original.

A program lies once in a home, by its content: names, versions and tournaments have its hash.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
from functools import cache
from pathlib import Path

from arena.bots.build import copied
from arena.bots.content import is_hash, names_in
from arena.bots.program import Program, describe
from arena.machine.untrusted_files import make_private
from arena.process.folders import lies_within, remove_whole
from arena.values.errors import BotError

FOLDER = "_run"


def kept_folder(home: Path, digest: str) -> Path:
    """Return where the program of a hash lies in a home, or would lie."""
    shelf = home / "bots" / FOLDER
    _gather(shelf)
    return shelf / digest.removeprefix("sha256:")


def kept_programs(home: Path) -> list[str]:
    """Return the hashes of all programs that lie in a home, sorted; none behind a link."""
    home = home.absolute()
    shelf = kept_folder(home, "")
    digests = [f"sha256:{name}" for name in names_in(shelf)]
    return [each for each in digests if is_hash(each) and lies_within(shelf / each[7:], home)]


def note_place(home: Path, digest: str) -> Path:
    """Return where a home keeps what a build made of the program of a hash; see ``built``."""
    folder = kept_folder(home, digest)
    return folder.with_name(f"{folder.name}.built")


def keep(original: Program, home: Path) -> Program:
    """Copy a program into a home, read-only, unless it is there already.

    Only its own files are copied, whatever else lies in its folder.

    Returns:
        The program as it lies there.

    Raises:
        BotError: its files are no longer those that were described; or what is there was changed.
    """
    target = kept_folder(home, original.hash)
    if target.exists():
        open_snapshot(target, original.hash, original.name)
    else:
        make_private(target.parent)
        with copied(original, target):
            pass
    return dataclasses.replace(original, folder=Path(os.path.realpath(target)))


def open_kept(
    home: Path, digest: str, name: str, version: int = 0, origin: str = "file"
) -> Program:
    """Return the program of a hash as it lies in a home; errors as for ``open_snapshot``."""
    program = open_snapshot(kept_folder(home, digest), digest, name)
    return dataclasses.replace(program, version=version, origin=origin)


def open_snapshot(folder: Path, digest: str, name: str) -> Program:
    """Return the program that a copy holds, once its content was seen to be what it was.

    Raises:
        BotError: the copy is gone or was changed.
    """
    if not folder.is_dir():
        raise BotError(f"{name}: its snapshot {folder} is gone; submit it again")
    program = described_as(digest, folder)  # whether it may be so large is asked elsewhere
    if program.hash != digest:
        raise BotError(
            f"{name}: its snapshot {folder} was changed (it is {program.hash}, it was {digest}); "
            "delete that folder and submit or run the bot again"
        )
    return dataclasses.replace(program, name=name)


def described_as(digest: str, folder: Path, most: int | None = None) -> Program:
    """Return the bot in a folder, as one that asks if only then it has the hash that is expected.

    It need not be able to start on this machine.
    """
    program = describe(folder, here=False, most=most)
    return program if program.hash == digest else describe(folder, here=False, asks=True, most=most)


def forget(home: Path, digest: str) -> bool:
    """Remove the program of a hash from a home; return whether it is gone.

    Nothing is removed through a link, nor of a hash that is none: the store may be somebody else's.
    """
    home = home.absolute()
    folder = kept_folder(home, digest)
    if not is_hash(digest) or not lies_within(folder, home):
        return False
    with contextlib.suppress(OSError):
        remove_whole(folder)
        note_place(home, digest).unlink(missing_ok=True)
        return True
    return False


@cache
def _gather(shelf: Path) -> None:
    """Bring what a home of an earlier build has in other places to the one place, once.

    Submitted bots lay in ``bots/NAME/VERSION-HASH``, bundled ones in ``bots/_bundled/HASH``.
    """
    bots = shelf.parent
    if not lies_within(shelf, bots.parent):
        return
    for old in (*bots.glob("_bundled/[!.]*"), *bots.glob("[!_.]*/[!.]*")):
        if not lies_within(old, bots.parent):
            continue
        with contextlib.suppress(OSError, BotError):  # it is no bot, or somebody else was first
            target = shelf / describe(old, here=False).hash.removeprefix("sha256:")
            if target.is_dir():
                remove_whole(old)
            else:
                make_private(shelf)
                os.rename(old, target)
    for folder in bots.glob("[!.]*"):
        if folder != shelf:
            with contextlib.suppress(OSError):  # there is something in it
                folder.rmdir()
