"""The bots that come with the arena."""

from __future__ import annotations

from pathlib import Path

from arena.bots.manifest import FILE_NAME
from arena.bots.program import Program, describe
from arena.errors import BotError

__all__ = ["bundled_bots", "bundled_folder"]


def bundled_folder() -> Path:
    """Return the folder ``bots``: inside the package when installed, else beside it."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "bundled" / "bots"
    return installed if installed.is_dir() else package.parent / "bots"


def bundled_bots() -> tuple[Program, ...]:
    """Return every bundled bot, sorted by name; they run from where they are.

    Raises:
        BotError: one of them is broken, or two have one name.
    """
    found: dict[str, Program] = {}
    for manifest in sorted(bundled_folder().glob(f"*/{FILE_NAME}")):
        program = describe(manifest.parent)
        if program.name in found:
            raise BotError(
                f'two bundled bots are called "{program.name}": {found[program.name].folder} and '
                f"{program.folder}"
            )
        found[program.name] = program
    return tuple(found[name] for name in sorted(found))
