"""The folder of a report: each file is replaced whole, and only a folder of ours is written to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from arena.machine.untrusted_files import read_regular, whole_file
from arena.report.site_links import FILES, INDEX
from arena.values.errors import UsageError
from arena.values.untrusted import show

LIST = "report.json"  # says which files are ours; without it a folder is somebody else's
_MADE_BY = "arena report"
_INNER = ("bots", "matches")
MAX_LIST = 64 << 20  # bytes of it


def check_folder(folder: Path) -> None:
    """Raise ``UsageError`` unless the folder is new, empty, or that of a report."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir():
        raise UsageError(f"-o {show(str(folder))}: expected a folder, found a file")
    if _listed(folder) is None:
        raise UsageError(
            f"-o {show(str(folder))}: the folder is no earlier report, since it has no {LIST}; "
            "name a new folder"
        )
    for name in _INNER:
        if (folder / name).is_symlink():
            raise UsageError(
                f"-o {show(str(folder))}: {name} in it is a symbolic link, and a report writes "
                "only into its own folder; remove the link or name a new folder"
            )


def write_folder(folder: Path, pages: Mapping[str, Callable[[], str]]) -> None:
    """Write a report; what it has no more is removed, and no other file is touched.

    A page is there as it was or as it is now, and the first page is the last one that is written.
    Stopped halfway, it is a report still, and can be written again.

    Args:
        folder: where; see ``check_folder``.
        pages: per name of a file, as ``FILES`` has them, what makes its text.
    """
    assert all(map(FILES.fullmatch, pages)), pages.keys()
    check_folder(folder)
    old = set(_listed(folder) or ())
    folder.mkdir(parents=True, exist_ok=True)
    write_file(folder / LIST, _list(old.union(pages)))  # first, so that it can be written again
    for name in sorted(pages, key=lambda name: name == INDEX):
        write_file(folder / name, pages[name]())
    for name in old.difference(pages):
        (folder / name).unlink(missing_ok=True)
    write_file(folder / LIST, _list(pages))


def write_file(path: Path, text: str, *, private: bool = False) -> None:
    """Write a file as a whole, into a folder of ours; a private one only its user can read."""
    path.parent.mkdir(exist_ok=True)
    with whole_file(path, private=private) as file:
        file.write(text.encode(errors="backslashreplace"))


def _listed(folder: Path) -> list[str] | None:
    """Return the files that a report says are its own; ``None`` if it is none."""
    try:
        said = json.loads(read_regular(folder / LIST, MAX_LIST))
        if said["made by"] != _MADE_BY:
            return None
        # whoever wrote it, nothing else is ever removed
        return [name for name in said["files"] if FILES.fullmatch(name)]
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _list(names: Iterable[str]) -> str:
    return json.dumps({"made by": _MADE_BY, "files": sorted(names)}, indent=1) + "\n"
