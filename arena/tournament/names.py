"""Which names tournaments and their entrants may have.

Names stand in tables, logs, file names and on command lines, and are joined by ``+`` and ``|`` in
the names of blocks; an edition is written ``name#2``.
"""

from __future__ import annotations

import re
import unicodedata

from arena.values.errors import UsageError
from arena.values.model import PATTERN
from arena.values.untrusted import hidden_character, show, width

MAX_COLUMNS = 64

_NEVER = frozenset("/\\|+,;\"'`")
# Windows keeps these for devices, with any ending; a folder of that name could not be copied there
_DEVICES = frozenset({"con", "prn", "aux", "nul"}).union(
    f"{device}{number}" for device in ("com", "lpt") for number in range(1, 10)
)
# letters of other scripts that are drawn like Latin ones
_OTHERS = "АВЕКМНОРСТХУІЈЅЇЁӀԚԜаеорсухіјѕїёһӏԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχϲϳıɑɡ"
_LATIN = "ABEKMHOPCTXYIJSÏËIQWaeopcyxijsïëhldqwABEZHIKMNOPTYXaikvopuxcjiag"
_DRAWN_LIKE = str.maketrans(_OTHERS, _LATIN)
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
    """Return ``NAME``, ``NAME@VERSION`` or a pattern as it is; raises ``UsageError``."""
    if "@" in text and not PATTERN.isdisjoint(text):
        raise UsageError("a pattern of names has no version; expected NAME@VERSION or a pattern")
    if "/" in text:
        raise UsageError(f'expected a bot\'s name; a file is given as {{name: …, run: "{text}"}}')
    if not _REFERENCE.fullmatch(text):
        raise UsageError("expected NAME or NAME@VERSION, with a version of 1 or more")
    return _check(text, _NEVER)


def name_of_text(text: str, columns: int = MAX_COLUMNS) -> str:
    """Return a name for an entrant that a person named by any text, such as a path with arguments.

    What a name cannot hold becomes ``_``, except spaces and ``/``; what is too wide is cut off.
    """
    kept = _NEVER - {"/"}
    name = "".join("_" if c in kept or (c.isspace() and c != " ") else c for c in text)
    while (hidden := hidden_character(name)) is not None:
        name = name.replace(hidden, "_")
    name = unicodedata.normalize("NFC", name[:columns])
    while width(name) > columns:
        name = name[:-1]
    return name.strip() or "bot"


def same_name(name: str) -> str:
    """Return what two names have in common if people would take them for one.

    >>> same_name("Oak") == same_name("oak")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def same_look(name: str) -> str:
    """Return what two names have in common if they look alike, though their letters differ.

    A letter of another script counts as the Latin one it is drawn like, a wide one as the usual.

    >>> same_look("\u043eak") == same_look("oak")
    True
    """
    return same_name(unicodedata.normalize("NFKC", name).translate(_DRAWN_LIKE))


def _check(text: str, never: frozenset[str], never_first: str = "-.") -> str:
    if len(text) > 4 * MAX_COLUMNS:  # before anything is done with all of it
        raise UsageError(f"a name is at most {MAX_COLUMNS} columns wide, found more")
    name = unicodedata.normalize("NFC", text)
    if not name:
        raise UsageError("expected a name, found nothing")
    wrong = next((c for c in name if c in never or c.isspace()), hidden_character(name))
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
    if name.partition(".")[0].casefold() in _DEVICES:
        raise UsageError(f'"{show(name)}" is the name of a device on other systems')
    if len(name) > MAX_COLUMNS or width(name) > MAX_COLUMNS:
        raise UsageError(f"a name is at most {MAX_COLUMNS} columns wide, found {width(name)}")
    return name
