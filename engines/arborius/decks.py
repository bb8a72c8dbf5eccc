"""Decks as data: deck files (rules section 3) and the starts they make (section 4)."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from engines.arborius.cast import NAME, read_ability
from engines.core.errors import BadSetup, near_miss

_COUNT = re.compile("[1-9]|1[0-6]", re.ASCII)

_MOST_TOLD = 20  # mistakes in one file


def read_deck_file(text: str, source: str) -> dict[str, tuple[str, ...]]:
    """Read a deck file: the tiles of each deck by its name; one is ``name`` or ``name[ability]``.

    Args:
        text: the file's content.
        source: what to call it in errors, e.g. its path.

    Raises:
        BadSetup: something is wrong; each mistake stands on a line of its own, ``SOURCE:LINE: …``.
    """
    reader = _Reader()
    mistakes = []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        try:
            reader.line(number, _words(line))
        except ValueError as error:
            mistakes.append(f"{source}:{number}: {error}")
    if not mistakes and not reader.decks:
        mistakes.append(
            f'{source}:{len(lines)}: expected a line like "deck mine oak*2 elm", found no deck'
        )
    if mistakes:
        more = len(mistakes) - _MOST_TOLD
        raise BadSetup(
            "\n".join(mistakes[:_MOST_TOLD]) + (f"\nand {more} more" if more > 0 else "")
        )
    return reader.decks


def start_line(white: tuple[str, ...], black: tuple[str, ...]) -> str:
    """Return the setup of a new game with these decks (section 4)."""
    return (
        f"turn=0 phase=turn actor=0 w={','.join(white)} b={','.join(black)} "
        "root=0,0:w0N|1,1:b0S dead=- used=- hit=- run=- offer=- give=- result=-"
    )


@lru_cache(maxsize=1)
def shipped_decks() -> dict[str, tuple[str, ...]]:
    """Return the decks that come with the game: the tiles of each by its name."""
    # importlib.resources would cost a bot 10 ms
    with open(os.path.join(os.path.dirname(__file__), "decks.txt"), encoding="utf-8") as file:
        return read_deck_file(file.read(), "decks.txt")


def _words(line: str) -> list[str]:
    """Return the words of a line without its comment; raises ``ValueError``."""
    content = line.partition("#")[0].replace("\t", " ").rstrip("\r")
    if not content.isprintable():
        raise ValueError(f"expected words and spaces, found {content.strip()!a}")
    return content.split()


class _Reader:
    """What the lines so far have defined, and where."""

    def __init__(self) -> None:
        self.tiles: dict[str, str] = {}
        self.decks: dict[str, tuple[str, ...]] = {}
        self.lines: dict[tuple[str, str], int] = {}  # of ("tile" or "deck", its name)

    def line(self, number: int, words: list[str]) -> None:
        """Take the words of one line; raises ``ValueError``."""
        if not words:
            return
        if words[0] == "tile":
            self._tile(number, words[1:])
        elif words[0] == "deck":
            self._deck(number, words[1:])
        else:
            known = near_miss(words[0], ("tile", "deck"))
            raise ValueError(f'expected "tile ..." or "deck ...", found "{words[0]}"{known}')

    def _tile(self, number: int, words: list[str]) -> None:
        if len(words) not in (1, 2):
            raise ValueError(f'expected "tile NAME [ABILITY]", found "tile {" ".join(words)}"')
        name = self._new_name(number, "tile", words[0])
        # defined even with a bad ability, so that the decks do not complain of it as well
        self.tiles[name] = name
        if len(words) == 2:
            read_ability(words[1])
            self.tiles[name] = f"{name}[{words[1]}]"

    def _deck(self, number: int, words: list[str]) -> None:
        if len(words) < 2:
            raise ValueError(
                'expected "deck NAME ITEM ..." with at least one tile, '
                f'found "{" ".join(["deck", *words])}"'
            )
        name = self._new_name(number, "deck", words[0])
        self.decks[name] = tuple(tile for word in words[1:] for tile in self._copies(word))

    def _copies(self, word: str) -> list[str]:
        name, star, count = word.partition("*")
        if name not in self.tiles:
            known = near_miss(name, self.tiles)
            raise ValueError(f'no tile "{name}" is defined above{known}')
        if star and not _COUNT.fullmatch(count):
            raise ValueError(f'expected a number of copies from 1 to 16, found "{word}"')
        return [self.tiles[name]] * (int(count) if star else 1)

    def _new_name(self, number: int, what: str, word: str) -> str:
        """Return the name of the tile or deck that a line defines."""
        if not NAME.fullmatch(word):
            raise ValueError(f'expected a name like "horse" or "ivy-2", found "{word}"')
        first = self.lines.setdefault((what, word), number)
        if first != number:
            raise ValueError(f'{what} "{word}" is defined in line {first}: expected another name')
        return word
