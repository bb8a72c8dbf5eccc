"""The ability grammar (rules section 3): ``descend;rotate.adj1`` and its icons."""

from __future__ import annotations

import re
from functools import lru_cache

from engines.core.errors import near_miss
from engines.core.typed import NamedTuple

__all__ = ["NAME", "Icon", "read_ability", "read_tile"]

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
