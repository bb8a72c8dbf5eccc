"""Folders that an untrusted bot filled are removed, however deep and closed they are.

``shutil.rmtree`` calls itself for each level, and sees nothing that lies deeper than a path may be
long. A program makes such a folder in a millisecond.
"""

from __future__ import annotations

import contextlib
import os
import stat
import uuid


def remove_folder(folder: str) -> None:
    """Remove a folder and all that lies in it; links are never followed.

    Folders within folders are moved up, so that no path gets longer than two names.

    Raises:
        OSError: something of it cannot be removed.
    """
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        while names := os.listdir(top):
            for name in names:
                if _is_folder(name, top):
                    _empty(name, top)
                    os.rmdir(name, dir_fd=top)
                else:
                    os.unlink(name, dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(folder)


def _empty(name: str, top: int) -> None:
    """Remove the files of a folder that lies in another, and move its folders there."""
    _open_up(name, top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    try:
        for entry in os.listdir(inner):
            if _is_folder(entry, inner):
                _open_up(entry, inner)  # only one that is open can be moved
                os.rename(entry, uuid.uuid4().hex, src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(entry, dir_fd=inner)
    finally:
        os.close(inner)


def _open_up(name: str, within: int) -> None:
    """Let the owner of a folder into it: the owner may have closed it.

    The bot that filled it may still run, and put a link in its place: no name is looked up twice.
    """
    folder = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=within)
    try:
        with contextlib.suppress(PermissionError):
            os.chmod(f"/proc/self/fd/{folder}", 0o700)
    finally:
        os.close(folder)


def _is_folder(name: str, within: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=within, follow_symlinks=False).st_mode)
