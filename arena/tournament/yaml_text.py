"""YAML text → plain values and the place of each, refusing all that is dangerous or ambiguous.

Values are built from the parser's events, so nothing recurses and nothing is read that was not
asked for. Refused are aliases, anchors, tags, merge keys and second documents. Words mean what
YAML 1.2 says and what a reader expects: ``no``, ``on``, ``017``, ``0x1f``, ``1_000``, ``12:30:45``
and dates are texts, not booleans or numbers in disguise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from arena.errors import TournamentFileError
from arena.tournament.problems import KeyPath, Place, Problem, file_error, shown

__all__ = ["MAX_BYTES", "Document", "read_document"]

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
    places: Mapping[KeyPath, Place]
    problems: tuple[Problem, ...]


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
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            builder.take(event)
    except _Refused as refused:
        raise file_error([refused.problem], {}, source) from None
    except yaml.reader.ReaderError as error:
        problem = Problem((), _unreadable(error), at=_position(text, error.position))
        raise file_error([problem], {}, source) from None
    except yaml.MarkedYAMLError as error:
        raise file_error([_syntax(error)], {}, source) from None
    return Document(builder.value, builder.places, tuple(builder.problems))


class _Refused(Exception):
    """The text holds something that is not read at all."""

    def __init__(self, at: tuple[int, int], text: str, path: KeyPath = ()) -> None:
        super().__init__(text)
        self.problem = Problem(path, text, at=at)


class _Open:
    """A list or mapping whose end has not come; ``key`` is the one that waits for its value."""

    __slots__ = ("key", "key_at", "path", "value")

    def __init__(self, path: KeyPath, value: dict[str, Any] | list[Any]) -> None:
        self.path = path
        self.value = value
        self.key: str | None = None
        self.key_at = (1, 1)

    def awaits_key(self) -> bool:
        """Return whether the next event is a key."""
        return isinstance(self.value, dict) and self.key is None


class _Builder:
    """Takes the parser's events one by one and builds the value and its places."""

    def __init__(self) -> None:
        self.value: Any = None
        self.places: dict[KeyPath, Place] = {}
        self.problems: list[Problem] = []
        self._open: list[_Open] = []
        self._documents = 0
        self._nodes = 0

    def take(self, event: yaml.Event) -> None:
        """Take one event; raises ``_Refused``."""
        at = _at(event.start_mark)
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise _Refused(at, "a second document begins; expected only one")
        elif isinstance(event, yaml.AliasEvent):
            raise _Refused(at, "aliases (*name) are not allowed; write the value out")
        elif isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            self._admit(event, at)
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event.value, event.style is None, at)
            else:
                self._begin({} if isinstance(event, yaml.MappingStartEvent) else [], at)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()

    def _admit(
        self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, at: tuple[int, int]
    ) -> None:
        if event.anchor is not None:
            raise _Refused(at, "anchors (&name) are not allowed; write the value out")
        if event.tag is not None:
            raise _Refused(at, f'tags like "{shown(event.tag)}" are not allowed')
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _Refused(at, f"more than {MAX_NODES} keys and values")

    def _scalar(self, text: str, plain: bool, at: tuple[int, int]) -> None:
        if any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text):
            raise _Refused(at, "a text holds NUL or half a character")
        if self._open and self._open[-1].awaits_key():
            self._key(self._open[-1], text, plain, at)
        else:
            self._put(_plain(text) if plain else text, text, at)

    def _begin(self, value: dict[str, Any] | list[Any], at: tuple[int, int]) -> None:
        if self._open and self._open[-1].awaits_key():
            raise _Refused(at, "a key is a text, not a list or mapping", self._open[-1].path)
        if len(self._open) == MAX_DEPTH:
            raise _Refused(at, f"more than {MAX_DEPTH} levels deep")
        self._open.append(_Open(self._put(value, None, at), value))

    def _key(self, top: _Open, text: str, plain: bool, at: tuple[int, int]) -> None:
        if plain and text == "<<":
            raise _Refused(at, "merge keys (<<) are not allowed; write the keys out", top.path)
        path = (*top.path, text)
        if plain and not isinstance(_plain(text), str):
            wrong = f'a key is a text; write it in quotes: "{shown(text)}"'
            self.problems.append(Problem(top.path, wrong, at=at))
        if path in self.places:
            again = f"given twice, first on line {self.places[path].key[0]}"
            self.problems.append(Problem(path, again, at=at))
        top.key, top.key_at = text, at

    def _put(self, value: Any, text: str | None, at: tuple[int, int]) -> KeyPath:
        """Put a value behind the last key or at the end of the list; its path."""
        path: KeyPath = ()
        key_at = at
        if not self._open:
            self.value = value
        elif isinstance((top := self._open[-1]).value, list):
            path = (*top.path, len(top.value))
            top.value.append(value)
        else:
            assert top.key is not None, "a key comes before its value"
            path, key_at = (*top.path, top.key), top.key_at
            top.value[top.key] = value
            top.key = None
        self.places[path] = Place(*at, key_at, text)
        return path


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
    if _REAL.fullmatch(text):
        return float(text)
    return text


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
