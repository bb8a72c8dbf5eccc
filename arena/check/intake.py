"""Hand-ins as the systems of courses give them: where each one's bot lies, and whose it is.

What a person handed in is not trusted: neither names nor archives. A person is recognized by what
the system wrote, never by what the person did where the two can be told apart.
"""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from arena.bots.bot_yaml import FILE_NAME
from arena.bots.content import names_in
from arena.bots.program import is_archive
from arena.bots.unpack import stem_of, unpacked, zip_names
from arena.process.languages import language_of
from arena.store.people import Person
from arena.tournament.names import same_look
from arena.tournament.text_files import read_text
from arena.values.errors import BotError, UsageError
from arena.values.model import DEFAULT_BOT_SIZE
from arena.values.untrusted import hidden_character, show

MOST_NAMES = 1 << 20  # bytes of a file of names
MOST_PERSON = 200  # characters of a person's name
COLUMNS = ("pattern", "name", "person", "group")
AT_ONCE = 64  # bots of the usual size in the archive of all hand-ins
NESTED = 4  # folders and archives around a bot, one in another

_MOODLE = re.compile(r"(?P<person>.+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)(?:_.*)?")
_CANVAS = re.compile(r"(?P<person>[^_\W]+)(?:_LATE)?_(?P<id>\d+)_\d+_.+")
_GRADESCOPE = re.compile(r"submission_\d+")
_BESIDE = re.compile(r"(readme|licen[cs]e|copying|submission_metadata)\b.*", re.IGNORECASE)
_LITTER = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini")
_SPELT = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe", "å": "aa"}
_SPELT |= {"ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}


class HandInPath(NamedTuple):
    """A hand-in: the path to read, and what that is called where it came from."""

    path: Path
    shown: str


@dataclass(slots=True)
class Expected:
    """A line of a file of names; ``found`` are the hand-ins that it names."""

    line: int
    pattern: str
    name: str
    person: str
    group: str
    found: list[str] = field(default_factory=list, init=False)


def whose(path: Path) -> Person:
    """Return whose a hand-in is, by its own name and that of the folder around it.

    The bot's name is '' if no name is left, the person's if the system wrote none; the origin is
    what the same person's next hand-in has as well, and nobody else's.

    >>> whose(Path("Ada Adler_4711_assignsubmission_file"))
    Person(bot='ada-adler', person='Ada Adler', team='', origin='moodle 4711')
    >>> whose(Path("adlerada_LATE_12_345_bot.py")).origin, whose(Path("paul smith.py")).bot
    ('canvas 12', 'paul-smith')
    """
    text = _as_text(path.name)
    # if a person or a file is called so as well, it cannot be told which number is Moodle's
    clear = text.count("_assignsubmission_") <= 1
    for system, form in (("moodle", _MOODLE), ("canvas", _CANVAS)):
        if clear and (found := form.fullmatch(text)):
            person, origin = found["person"], f"{system} {found['id']}"
            return Person(plain_name(person).lower(), show(person, MOST_PERSON), origin=origin)
    own = _as_text(name_of(path))
    course, ending, _ = path.absolute().parent.name.partition("-submissions")
    if ending and own.startswith(f"{course}-") and own != f"{course}-":
        own = own.removeprefix(f"{course}-")
        origin = f"classroom {own.casefold()}"
        return Person(plain_name(own), show(own, MOST_PERSON), origin=origin)
    return Person(plain_name(own), "", origin=own.casefold())


def name_of(path: Path) -> str:
    """Return a path's own name, without the suffix of a bot.

    >>> name_of(Path("handed-in/ada.py")), name_of(Path("bela.tar.gz")), name_of(Path("carl/"))
    ('ada', 'bela', 'carl')
    """
    if path.is_dir():
        return Path(os.path.abspath(path)).name
    if is_archive(path):
        return stem_of(path)
    return path.name if language_of(path.name) is None else path.stem


def plain_name(text: str) -> str:
    """Return a text as a bot's name, '' if nothing of it can be in one; other alphabets stay.

    >>> plain_name("Jörg Groß"), plain_name("Zoë_2"), plain_name("__MACOSX"), plain_name("李 明")
    ('Joerg-Gross', 'Zoe_2', 'MACOSX', '李-明')
    """
    spelt = []
    for letter in unicodedata.normalize("NFC", text):
        small = letter.lower()
        plain = _SPELT.get(small, small)
        if plain == small and "LATIN" in unicodedata.name(letter, ""):
            plain = unicodedata.normalize("NFKD", small).encode("ascii", "ignore").decode()
        spelt.append(plain if letter == small else plain.capitalize())
    name = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", "".join(spelt)))
    return name.strip("._-")[:64].rstrip("._-")


@contextmanager
def sources(paths: Sequence[Path], most: int = DEFAULT_BOT_SIZE) -> Iterator[list[HandInPath]]:
    """Give the hand-ins that paths mean: each path, or all that lie in the only one.

    Of several paths each is one person's, who could put anything into it.

    Raises:
        BotError: the archive of all cannot be unpacked.
    """
    with ExitStack() as stack:
        found = [HandInPath(path, str(path)) for path in paths]
        path = place = paths[0]
        is_own = whose(path).person or _GRADESCOPE.fullmatch(name_of(path))
        if len(paths) == 1 and not is_own:
            if path.suffix.lower() == ".zip" and path.is_file() and _is_of_all(path):
                place = stack.enter_context(unpacked(path, most * AT_ONCE, AT_ONCE))
            if inner := _all_in(place):
                found = [
                    HandInPath(each, os.path.join(path, each.relative_to(place))) for each in inner
                ]
        files = {whose(Path(one.shown)).origin for one in found if not _is_text(one)}
        yield [
            one for one in found if not _is_text(one) or whose(Path(one.shown)).origin not in files
        ]


@contextmanager
def bot_in(path: Path, most: int = DEFAULT_BOT_SIZE) -> Iterator[Path]:
    """Give the file or folder of the bot in what a person handed in.

    It may be the only thing in an archive, or in a folder, beside a README or a licence.

    Raises:
        BotError: an archive cannot be unpacked; nothing is left of it.
    """
    with ExitStack() as stack:
        place = path
        for _ in range(NESTED):
            place = stack.enter_context(unpacked(place, most))
            child = _only_child(place)
            if child is None:
                break
            place = child
        if len(_all_in(place)) > 1:
            raise BotError(f"{path}: it has hand-ins of a course: give it alone, as the only path")
        yield place


def read_names(path: Path) -> list[Expected]:
    """Read a file that says whose hand-ins are whose: ``pattern,name,person,group``.

    Raises:
        UsageError: it cannot be read; the message names the line.
    """
    text = read_text(path, MOST_NAMES)
    mark = next((one for one in ";\t" if one in text.partition("\n")[0]), ",")
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True, delimiter=mark)
    found: list[Expected] = []
    names: dict[str, Expected] = {}
    try:
        rows.fieldnames = [word.strip().lower() for word in rows.fieldnames or ()]
        if sorted(rows.fieldnames) != sorted(COLUMNS):
            raise UsageError(f"{path}:1: expected the header {','.join(COLUMNS)}")
        for row in rows:
            where = f"{path}:{rows.line_num}"
            if None in row or None in row.values():
                raise UsageError(f"{where}: expected {len(COLUMNS)} columns")
            line = {key: unicodedata.normalize("NFC", word.strip()) for key, word in row.items()}
            if not any(line.values()):
                continue
            one = Expected(rows.line_num, **line)
            hidden = hidden_character(f"{one.person}{one.group}")
            if not one.pattern or hidden is not None:
                raise UsageError(f"{where}: expected a pattern, and texts that can be seen")
            other = names.setdefault(same_look(one.name), one) if one.name else one
            if other.person != one.person:
                said = f'"{one.name}" is the bot of "{other.person}" in line {other.line}'
                raise UsageError(f"{where}: {said}; give each person a name")
            found.append(one)
    except csv.Error as error:
        raise UsageError(f"{path}:{rows.reader.line_num}: no CSV: {error}") from None
    return found


def expected_of(shown: str, names: Sequence[Expected]) -> Expected | None:
    """Return the first line whose pattern fits a hand-in's own name, and note the hand-in there."""
    own = unicodedata.normalize("NFC", Path(shown).name)
    for one in names:
        if fnmatchcase(own, one.pattern):
            one.found.append(shown)
            return one
    return None


def _as_text(name: str) -> str:
    """Return the name of a file as text that can be stored, also if it is none."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "backslashreplace").decode())


def _is_text(source: HandInPath) -> bool:
    """Return whether it is what somebody typed into Moodle's form beside the files."""
    return "_assignsubmission_onlinetext" in source.path.name


def _is_of_all(archive: Path) -> bool:
    """Return whether a zip archive seems to hold hand-ins of a course: by the names in it alone."""
    return any(_form(part) for name in zip_names(archive) for part in Path(name).parts[:2])


def _form(name: str) -> re.Match[str] | None:
    return _MOODLE.fullmatch(name) or _CANVAS.fullmatch(name) or _GRADESCOPE.fullmatch(name)


def _visible(folder: Path) -> list[str]:
    """Return what lies in a folder and may be a person's work."""
    return [
        name
        for name in names_in(folder)
        if not (name.startswith(".") or name in _LITTER or name.endswith(".pyc"))
        and not (folder / name / "pyvenv.cfg").is_file()
    ]


def _all_in(folder: Path) -> list[Path]:
    """Return the hand-ins of a folder that has nothing else in it, maybe one folder down."""
    for place in (folder, _only_child(folder)):
        if place is None or not place.is_dir():
            continue
        inner = [place / name for name in _visible(place) if not _BESIDE.fullmatch(name)]
        course, ending, _ = place.name.partition("-submissions")
        classroom = ending and all(one.name.startswith(f"{course}-") for one in inner)
        if inner and (classroom or all(_form(one.name) for one in inner)):
            return inner
    return []


def _only_child(folder: Path) -> Path | None:
    """Return the only folder or archive in a folder that is no bot itself."""
    if folder.is_symlink() or not folder.is_dir():
        return None
    names = _visible(folder)
    if FILE_NAME in names or any(language_of(name) for name in names):
        return None
    names = [name for name in names if not _BESIDE.fullmatch(name)]
    child = folder / names[0] if len(names) == 1 else None
    if child is None or child.is_symlink() or not (child.is_dir() or is_archive(child)):
        return None
    return child
