"""The tiles of one match and all that never changes about them (rules sections 1 and 3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from engines.core.errors import near_miss
from engines.core.typed import NamedTuple

COLOURS = "wb"  # of player 0 and 1

ROOT = -1  # the board that is inside no tile; so ``boards[ROOT]`` is the last of a list


class Cast:
    """Both tile lists. A tile is its place in tile order (w0, w1, …, b0, b1, …).

    Sets of tiles are integers: bit t stands for tile t.
    """

    __slots__ = (
        "able",
        "chained_by",
        "defending",
        "icons",
        "icons_from",
        "ids",
        "kind",
        "number",
        "own",
        "owner",
        "size",
        "texts",
        "tiles",
        "usable",
        "verbs_from",
        "written",
    )

    def __init__(self, white: tuple[str, ...], black: tuple[str, ...]) -> None:
        """Take the lists, each tile as ``name`` or ``name[ability]``; raises ``ValueError``."""
        self.texts = white + black
        self.size = len(self.texts)
        middle = len(white)
        self.tiles = (range(middle), range(middle, self.size))
        self.own = ((1 << middle) - 1, (1 << self.size) - (1 << middle))
        self.owner = (0,) * middle + (1,) * len(black)
        # the last name is the root's, as ``ids[ROOT]``
        names = [f"w{i}" for i in range(middle)] + [f"b{i}" for i in range(len(black))]
        self.ids = (*names, "root")
        self.number = {name: t for t, name in enumerate(names)}
        self.icons: tuple[tuple[Icon, ...], ...] = tuple(map(read_tile, self.texts))
        # what is left of an ability from each of its icons on
        self.icons_from = tuple(
            tuple(icons[i:] for i in range(len(icons) + 1)) for icons in self.icons
        )
        self.verbs_from = tuple(
            tuple(frozenset([icon.verb for icon in left]) for left in rest)
            for rest in self.icons_from
        )
        self.written: dict[tuple[str | int, ...], str] = {}  # texts of actions and of spots
        self.able = self._all(lambda icons: bool(icons))
        self.usable = self._all(lambda icons: _first(icons) not in ("", "play", "defend"))
        self.defending = self._all(lambda icons: _first(icons) == "defend")
        verbs = {icon.verb for icons in self.icons for icon in icons}
        self.chained_by = {verb: self._all(_begins(verb)) for verb in verbs}
        # tiles of one kind are alike in all that the rules look at
        like: dict[tuple[int, tuple[Icon, ...]], int] = {}
        self.kind = tuple(
            like.setdefault((self.owner[t], self.icons[t]), t) for t in range(self.size)
        )

    def _all(self, test: Callable[[tuple[Icon, ...]], bool]) -> int:
        return sum(1 << t for t, icons in enumerate(self.icons) if test(icons))

    def list_of(self, player: int) -> tuple[str, ...]:
        """Return one player's tiles as text, in id order."""
        tiles = self.tiles[player]
        return self.texts[tiles.start : tiles.stop]

    def name(self, tile: int) -> str:
        """Return a tile's name without its ability."""
        return self.texts[tile].partition("[")[0]


@lru_cache(maxsize=64)
def cast_of(white: tuple[str, ...], black: tuple[str, ...]) -> Cast:
    """Return the cast of two lists, the same object for the same lists; raises ``ValueError``."""
    return Cast(white, black)


def bits(tiles: int) -> list[int]:
    """Return the members of a set of tiles, in tile order.

    >>> bits(0b10010)
    [1, 4]
    """
    members = []
    while tiles:
        low = tiles & -tiles
        members.append(low.bit_length() - 1)
        tiles ^= low
    return members


def _first(icons: tuple[Icon, ...]) -> str:
    return icons[0].verb if icons else ""


def _begins(verb: str) -> Callable[[tuple[Icon, ...]], bool]:
    """Return the test for abilities that a step of this verb may chain to (section 6.3)."""
    return lambda icons: _first(icons) == verb and not icons[0].where and len(icons) >= 2


NAME = re.compile(r"[a-z][a-z0-9-]*", re.ASCII)

_TO_SUBJECTS = ("freeze", "rotate", "descend", "reorder", "unplay", "ascend", "exit", "enter")

_VERBS = (*_TO_SUBJECTS, "attack", "play", "defend")

_MAX_ACTIONS = 5  # of one ability: bounds the search of section 6.4


class Icon(NamedTuple):
    """One icon: what is done, to the whole stack or not, to whom, how many times."""

    verb: str
    stack: bool = False
    where: str = ""  # "" the user, "front", "adj"
    times: int = 1


@lru_cache(maxsize=1024)
def read_ability(text: str) -> tuple[Icon, ...]:
    """Read an ability; raises ``ValueError`` with what is wrong and what was expected.

    >>> read_ability("descend;rotate.stack.adj2")[1]
    Icon(verb='rotate', stack=True, where='adj', times=2)
    """
    icons = tuple(_read_icon(word) for word in text.split(";"))
    if any(icon.verb == "defend" for icon in icons[1:]):
        raise ValueError(f'"defend" may only be the first icon: "{text}"')
    if len(icons) == 1 and icons[0].verb in ("play", "defend"):
        raise ValueError(
            f'an ability that begins with "{icons[0].verb}" has another icon: "{text}"'
        )
    if sum(icon.times for icon in icons) > _MAX_ACTIONS:
        raise ValueError(
            f'an ability takes at most {_MAX_ACTIONS} actions (".adjN" counts N): "{text}"'
        )
    return icons


def read_tile(text: str) -> tuple[Icon, ...]:
    """Read ``name`` (no icons) or ``name[ability]``; raises ``ValueError``."""
    name, bracket, rest = text.partition("[")
    if not NAME.fullmatch(name):
        raise ValueError(f'expected a name like "horse" or "ivy-2", found "{name}"')
    if not bracket:
        return ()
    if not rest.endswith("]"):
        raise ValueError(f'expected "name" or "name[ability]", found "{text}"')
    return read_ability(rest[:-1])


def _read_icon(word: str) -> Icon:
    verb, *modifiers = word.split(".")
    if verb not in _VERBS:
        raise ValueError(
            f'unknown icon "{verb}"'
            + (near_miss(verb, _VERBS) or f": icons are {', '.join(_VERBS)}")
        )
    stack = modifiers[:1] == ["stack"]
    if stack and verb not in _TO_SUBJECTS:
        raise ValueError(f'"{verb}" takes no ".stack": "{word}"')
    rest = modifiers[1:] if stack else modifiers
    if not rest:
        return Icon(verb, stack)
    if len(rest) > 1:
        raise ValueError(f'expected VERB[.stack][.front or .adjN], found "{word}"')
    if rest[0] == "front":
        if verb not in _TO_SUBJECTS:
            raise ValueError(f'"{verb}" takes no ".front": "{word}"')
        return Icon(verb, stack, "front")
    if not re.fullmatch("adj[1-8]", rest[0]):
        known = near_miss(rest[0], ("stack", "front", *(f"adj{n}" for n in range(1, 9))))
        raise ValueError(
            f'expected ".stack", ".front" or ".adj1" to ".adj8", found "{word}"{known}'
        )
    if verb not in (*_TO_SUBJECTS, "attack"):
        raise ValueError(f'"{verb}" takes no ".adj": "{word}"')
    return Icon(verb, stack, "adj", int(rest[0][3:]))
