"""JSON that may come from anybody, read value by value: a reader returns what a value means.

Readers are put together from few. Whatever is not what they expect becomes a ``RecordError`` that
names the place, what was expected there, and what was found.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import TypeVar

from arena.errors import RecordError

__all__ = [
    "WHOLE",
    "Place",
    "Read",
    "Wrong",
    "array",
    "boolean",
    "each",
    "exact",
    "exactly",
    "integer",
    "items",
    "load_object",
    "natural",
    "number",
    "number_or_none",
    "or_none",
    "string",
    "strings",
]

T = TypeVar("T")
Read = Callable[[object], T]
"""Returns what a value of JSON means; raises ``Wrong``."""

WHOLE = 1 << 53  # up to here every whole float is that integer


class Wrong(Exception):
    """A value is not what was expected; ``str(error)`` says what that was."""


def exact(kind: type[T], expected: str, fits: Callable[[T], object] | None = None) -> Read[T]:
    """Return a reader of values that are exactly of a kind, and fit.

    >>> exact(int, "a seat", lambda number: number < 4)(3)
    3
    """

    def read(value: object) -> T:
        # not isinstance: a bool is an int, too
        if type(value) is not kind or not (fits is None or fits(value)):
            raise Wrong(expected)
        return value

    return read


def or_none(read: Read[T]) -> Read[T | None]:
    """Return a reader that takes ``null``, too."""

    def read_unless_none(value: object) -> T | None:
        try:
            return None if value is None else read(value)
        except Wrong as wrong:
            raise Wrong(f"{wrong} or null") from None

    return read_unless_none


def each(read: Read[T]) -> Read[tuple[T, ...]]:
    """Return a reader of lists."""
    return lambda value: tuple(read(item) for item in array(value))


def items(read: Read[T]) -> Read[tuple[tuple[str, T], ...]]:
    """Return a reader of objects with any keys."""
    return lambda value: tuple((key, read(item)) for key, item in mapping(value).items())


string = exact(str, "a text")
boolean = exact(bool, "true or false")
array = exact(list, "a list")
mapping = exact(dict, "an object")
integer = exact(int, "a whole number", lambda n: -WHOLE <= n <= WHOLE)
natural = exact(int, "a whole number from 0", lambda n: 0 <= n <= WHOLE)


def number(value: object) -> float:
    """Read a number that a float can be."""
    if type(value) is float and math.isfinite(value):  # 1e999 is read as infinity
        return value
    try:
        return float(integer(value))
    except Wrong:
        raise Wrong("a number") from None


def exactly(count: int, read: Read[T], expected: str) -> Read[tuple[T, ...]]:
    """Return a reader of lists that have just so many values."""

    def read_all(value: object) -> tuple[T, ...]:
        if len(array(value)) != count:
            raise Wrong(expected)
        return each(read)(value)

    return read_all


strings = each(string)
number_or_none = or_none(number)


class Place:
    """One object of the record, and its name, so that an error can say where it happened."""

    __slots__ = ("prefix", "value")

    def __init__(self, value: Mapping[str, object], prefix: str = "") -> None:
        self.value = value
        self.prefix = prefix

    def get(self, key: str, read: Read[T]) -> T:
        """Return what a key has; raises ``RecordError``."""
        if key not in self.value:
            raise RecordError(f"record: {self.prefix}{key}: missing")
        try:
            return read(self.value[key])
        except Wrong as wrong:
            found = _shown(self.value[key])
            message = f"record: {self.prefix}{key}: expected {wrong}, found {found}"
            raise RecordError(message) from None

    def default(self, key: str, read: Read[T], absent: T) -> T:
        """Return what a key has, ``absent`` if it is not there; raises ``RecordError``."""
        return self.get(key, read) if key in self.value else absent

    def at(self, key: str) -> Place:
        """Return the object that a key has; raises ``RecordError``."""
        return Place(self.get(key, mapping), f"{self.prefix}{key}.")

    def each(self, key: str) -> list[Place]:
        """Return the objects of the list that a key has; raises ``RecordError``."""
        places = []
        for index, item in enumerate(self.get(key, array)):
            name = f"{self.prefix}{key}[{index}]"
            if not isinstance(item, dict):
                raise RecordError(f"record: {name}: expected an object, found {_shown(item)}")
            places.append(Place(item, f"{name}."))
        return places


def load_object(text: str) -> dict[str, object]:
    """Return the object that a text is; raises ``RecordError``."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise RecordError("record: expected a record, found too many brackets") from None
    except ValueError as error:  # not JSON, or a number of thousands of digits
        raise RecordError(f"record: expected one line of JSON: {error}") from None
    if not isinstance(value, dict):
        raise RecordError(f"record: expected an object, found {_shown(value)}")
    return value


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON number")


def _shown(value: object) -> str:
    """Name a value for an error: in ASCII, on one line, short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    text = json.dumps(value) if not isinstance(value, int) or abs(value) < WHOLE else "a number"
    return text if len(text) <= 60 else text[:59] + "…"
