"""Which names tournaments and their entrants may have.

Names stand in tables, logs, file names and on command lines, and are joined by ``+`` and ``|`` in
the names of blocks; an edition is written ``name#2``.
"""

from __future__ import annotations

import re
import unicodedata

from arena.errors import UsageError

__all__ = [
    "check_entrant_name",
    "check_path_as_name",
    "check_reference",
    "check_tournament_name",
    "same_name",
]

MAX_COLUMNS = 64

_NEVER = frozenset("/\\|+,;\"'`")
_REFERENCE = re.compile(r"[^@]+(?:@[1-9][0-9]{0,8})?")


def check_entrant_name(text: str) -> str:
    """Return an entrant's name in Unicode's composed form (NFC); raises ``UsageError``."""
    return _check(text, _NEVER)


def check_path_as_name(text: str) -> str:
    """Return the path of a bot that has no name of its own, as its name; raises ``UsageError``."""
    return _check(text, _NEVER - {"/"}, never_first="-")


def check_tournament_name(text: str) -> str:
    """Return a tournament's name in Unicode's composed form (NFC); raises ``UsageError``."""
    return _check(text, _NEVER | {"#"})


def check_reference(text: str) -> str:
    """Return ``NAME`` or ``NAME@VERSION`` as it is; raises ``UsageError``."""
    if "/" in text:
        raise UsageError(f'expected a bot\'s name; a file is given as {{name: …, run: "{text}"}}')
    if not _REFERENCE.fullmatch(text):
        raise UsageError("expected NAME or NAME@VERSION, with a version of 1 or more")
    return _check(text, _NEVER)


def same_name(name: str) -> str:
    """Return what two names have in common if people would take them for one.

    >>> same_name("Oak") == same_name("oak")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _check(text: str, never: frozenset[str], never_first: str = "-.") -> str:
    name = unicodedata.normalize("NFC", text)
    if not name:
        raise UsageError("expected a name, found nothing")
    wrong = next((c for c in name if c in never or c.isspace() or not c.isprintable()), None)
    if wrong is not None:
        what = (
            "spaces" if wrong == " " else f'"{wrong}"' if wrong in never else f"U+{ord(wrong):04X}"
        )
        raise UsageError(
            f"a name cannot hold {what}, nor any of {' '.join(sorted(never))} and characters that "
            "cannot be seen"
        )
    if name[0] in never_first:
        raise UsageError(f'a name does not begin with "{name[0]}"')
    if len(name) > MAX_COLUMNS or _columns(name) > MAX_COLUMNS:
        raise UsageError(f"a name is at most {MAX_COLUMNS} columns wide, found {_columns(name)}")
    return name


def _columns(name: str) -> int:
    """Count the columns of a terminal: wide characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in name
    )
