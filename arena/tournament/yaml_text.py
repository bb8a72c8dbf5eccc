"""YAML text → plain values and the place of each, refusing all that is dangerous or ambiguous.

Values are built from the parser's events, so nothing is read that was not asked for, and nothing
goes deeper than it may. Refused are aliases, anchors, tags, merge keys and second documents. Words
mean what YAML 1.2 says and what a reader expects: ``no``, ``on``, ``017``, ``0x1f``, ``1_000``,
``12:30:45`` and dates are texts, not booleans or numbers in disguise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from arena.tournament.problems import KeyPath, Location, Problem, file_error, shown
from arena.values.errors import TournamentFileError

MAX_BYTES = 256 * 1024
MAX_DEPTH = 32
MAX_NODES = 20_000  # keys and values

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,39})", re.ASCII)  # a seed has up to 39 digits
_REAL = re.compile(_WHOLE.pattern + r"(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Document:
    """A file's value (mappings, lists, texts, numbers, booleans, ``None``) and all places in it.

    ``problems`` are mistakes that leave a value to look at: keys given twice or that are no texts.
    """

    value: Any
    places: Mapping[KeyPath, Location]
    problems: tuple[Problem, ...]


def document_text(document: Mapping[str, Any]) -> str:
    """Return the text of a file that says this."""
    return yaml.safe_dump(dict(document), sort_keys=False, allow_unicode=False, width=100)


def read_document(text: str, source: str) -> Document:
    """Read the one document of a YAML text; an empty text is ``None``.

    Args:
        text: at most 256 KiB as UTF-8, 32 levels deep, 20,000 keys and values; a byte order mark
            at its beginning is dropped.
        source: the file as messages name it.

    Raises:
        TournamentFileError: the text is no YAML, or too large, too deep, or dangerous.
    """
    text = text.removeprefix("\ufeff")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise TournamentFileError(f"{source}: {size} bytes; a file has at most {MAX_BYTES}")
    try:
        return _EventReader(text).document()
    except _Refused as refused:
        raise file_error([refused.problem], {}, source) from None
    except yaml.reader.ReaderError as error:
        problem = Problem((), _unreadable(error), at=_position(text, error.position))
        raise file_error([problem], {}, source) from None
    except yaml.MarkedYAMLError as error:
        raise file_error([_syntax(error)], {}, source) from None


def load_yaml(text: str, source: str) -> Document:
    """Read a text as ``read_document`` does, and let no problem pass.

    Raises:
        TournamentFileError: as for ``read_document``, or a key is given twice or is no text.
    """
    document = read_document(text, source)
    if document.problems:
        raise file_error(document.problems, document.places, source)
    return document


class _Refused(Exception):
    """The text holds something that is not read at all."""

    def __init__(self, at: tuple[int, int], text: str, path: KeyPath = ()) -> None:
        super().__init__(text)
        self.problem = Problem(path, text, at=at)


class _EventReader:
    """Takes the parser's events as they come and builds the value and its places."""

    def __init__(self, text: str) -> None:
        self._events: Any = yaml.SafeLoader(text)  # its types know nothing of events
        self._places: dict[KeyPath, Location] = {}
        self._problems: list[Problem] = []
        self._nodes = 0

    def document(self) -> Document:
        """Return the one document; raises ``_Refused`` and what PyYAML raises."""
        self._events.get_event()  # the stream starts
        value = None
        if self._take(yaml.DocumentStartEvent):
            value = self._value((), None)
            self._events.get_event()  # the document ends
        if self._events.check_event(yaml.DocumentStartEvent):
            at = _at(self._events.get_event().start_mark)
            raise _Refused(at, "a second document begins; expected only one")
        return Document(value, self._places, tuple(self._problems))

    def _value(self, path: KeyPath, key_at: tuple[int, int] | None) -> Any:
        event, at = self._node()
        text = event.value if isinstance(event, yaml.ScalarEvent) else None
        self._places[path] = Location(*at, key_at or at, text)
        if text is not None:
            return _plain(text) if event.style is None else text
        if len(path) == MAX_DEPTH:
            raise _Refused(at, f"more than {MAX_DEPTH} levels deep")
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            while not self._take(yaml.SequenceEndEvent):
                items.append(self._value((*path, len(items)), None))
            return items
        mapping: dict[str, Any] = {}
        while not self._take(yaml.MappingEndEvent):
            key, at = self._key(path)
            mapping[key] = self._value((*path, key), at)
        return mapping

    def _key(self, path: KeyPath) -> tuple[str, tuple[int, int]]:
        """Return the next key of the mapping at a path, and where it stands."""
        event, at = self._node()
        if not isinstance(event, yaml.ScalarEvent):
            raise _Refused(at, "a key is a text, not a list or mapping", path)
        key: str = event.value
        if event.style is None and key == "<<":
            raise _Refused(at, "merge keys (<<) are not allowed; write the keys out", path)
        if event.style is None and not isinstance(_plain(key), str):
            wrong = f'a key is a text; write it in quotes: "{shown(key)}"'
            self._problems.append(Problem(path, wrong, at=at))
        if (earlier := self._places.get((*path, key))) is not None:
            again = f"given twice, first on line {earlier.key[0]}"
            self._problems.append(Problem((*path, key), again, at=at))
        return key, at

    def _node(self) -> tuple[Any, tuple[int, int]]:
        """Return the event that begins the next key or value, and where it stands."""
        event = self._events.get_event()
        at = _at(event.start_mark)
        if event.anchor is not None:  # an alias has one as well
            wrong = "anchors and aliases (&name, *name) are not allowed; write the value out"
            raise _Refused(at, wrong)
        if event.tag is not None:
            raise _Refused(at, f'tags like "{shown(event.tag)}" are not allowed')
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _Refused(at, f"more than {MAX_NODES} keys and values")
        text = event.value if isinstance(event, yaml.ScalarEvent) else ""
        if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
            raise _Refused(at, "a text holds NUL or half a character")
        return event, at

    def _take(self, kind: type[yaml.Event]) -> bool:
        """Take the next event if it is of a kind."""
        return self._events.check_event(kind) and bool(self._events.get_event())


def _plain(text: str) -> Any:
    """Return what an unquoted word means; what is not plainly something else is a text."""
    if text in _NULL:
        return None
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _REAL.fullmatch(text) else text


def _at(mark: Any) -> tuple[int, int]:
    """Return line and column of a mark of the parser, from 1."""
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def _position(text: str, index: int) -> tuple[int, int]:
    before = text[:index]
    return before.count("\n") + 1, index - (before.rfind("\n") + 1) + 1


def _unreadable(error: yaml.reader.ReaderError) -> str:
    code = error.character if isinstance(error.character, int) else ord(error.character)
    return f"character U+{code:04X} cannot stand in a file"


def _syntax(error: yaml.MarkedYAMLError) -> Problem:
    found = shown(error.problem or error.context or "cannot be read")
    hint = "; indent with spaces, not tabs" if "'\\t'" in found else ""
    return Problem((), f"not YAML: {found}{hint}", at=_at(error.problem_mark or error.context_mark))
