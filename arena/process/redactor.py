"""The values of a bot's secrets, taken out of what it writes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

LEAST = 8  # characters of a value, of which the beginning alone says enough


class Redactor:
    """Replaces exact values by the names of their variables, as ``[NAME]``.

    >>> Redactor({"KEY": "sk-12345678"}).in_line(b"the key is sk-12345678")
    b'the key is [KEY]'

    Args:
        values: of variables, by their names.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        words = {
            os.fsencode(value.strip()): b"[%s]" % name.encode() for name, value in values.items()
        }
        self._words = dict(sorted(words.items(), key=lambda word: -len(word[0])))
        self._found = re.compile(b"|".join(map(re.escape, self._words)) or b"(?!)")
        self._begun = b""  # the end of what was written so far, with which a value may begin

    def in_line(self, data: bytes) -> bytes:
        """Return a whole line without them."""
        return self._found.sub(lambda found: self._words[found[0]], data)

    def in_part(self, data: bytes) -> bytes:
        """Return what has come of a line without them, and without what one begins with."""
        end = self._end(data)
        begun = data[end:]
        if len(begun) < LEAST or begun in self._words:
            return self.in_line(data)
        return self.in_line(data[:end]) + next(
            name for word, name in self._words.items() if word.startswith(begun)
        )

    def in_stream(self, data: bytes, *, ended: bool = False) -> bytes:
        """Return what is known to be none of them, of what was written and was not returned yet.

        Args:
            data: what was written now.
            ended: whether no more will come.
        """
        data = self._begun + data
        if ended:
            self._begun = b""
            return self.in_part(data)
        end = self._end(data)
        self._begun = data[end:]
        return self.in_line(data[:end])

    def _end(self, data: bytes) -> int:
        """Return where a value begins that is not whole yet, though another one may be."""
        end = len(data) - self._beginning(data)
        for found in self._found.finditer(data):
            if found.start() < end < found.end():  # it is the end of a whole one
                return len(data) - self._beginning(data[found.end() :])
        return end

    def _beginning(self, data: bytes) -> int:
        """Return how many of the last bytes are the beginning of a value, and not all of it."""
        most = min(len(data), max(map(len, self._words), default=1) - 1)
        for size in range(most, 0, -1):
            if any(len(word) > size and word.startswith(data[-size:]) for word in self._words):
                return size
        return 0
