"""Boards on which an action is chosen by clicks: which element is which click of which action.

A game splits each action into steps, the keys of what a person would click, and asks for the
attributes of each element that it draws. ``data-choices="1:0,3 2:4"`` says: the first click of the
actions 0 and 3, the second of action 4, the numbers being indices into the choices. Clicking the
elements of an action in order builds it; several elements may have the same key.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

from engines.core.drawing import escape, rect, text
from engines.core.typed import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
BUTTON, GAP = 36, 8  # height of a button, and between two, in pixels


class Choices(Generic[K]):
    """The clicks that build each of some actions, by the key of the element that is clicked.

    >>> picks = Choices(["red:1", "red:2", "pass"], lambda action: action.split(":"))
    >>> picks.attributes("red", "hand card: red")
    ' data-choices="1:0,1" aria-label="hand card: red"'
    >>> picks.attributes("2", "heap 2"), picks.attributes("blue", "hand card: blue")
    (' data-choices="2:1" aria-label="heap 2"', '')
    """

    def __init__(self, actions: Collection[str], parts: Callable[[str], Sequence[K]]) -> None:
        """Take the actions that can be chosen, and what splits one into the keys of its steps."""
        self._clicks: dict[K, dict[int, list[str]]] = {}
        for index, action in enumerate(actions):
            number = str(index)
            for step, key in enumerate(parts(action), start=1):
                self._clicks.setdefault(key, {}).setdefault(step, []).append(number)

    def __iter__(self) -> Iterator[K]:
        """Yield the keys that are part of an action, each once."""
        return iter(self._clicks)

    def __contains__(self, key: object) -> bool:
        return key in self._clicks

    def attributes(self, key: K, label: str) -> str:
        """Return the attributes of an element, with a space in front; empty if it does nothing.

        Args:
            key: of the element.
            label: what it is, in short words for a person who does not see the board; any text.
        """
        if key not in self._clicks:
            return ""
        steps = sorted(self._clicks[key].items())
        clicks = " ".join([f"{step}:{','.join(numbers)}" for step, numbers in steps])
        return f' data-choices="{clicks}" aria-label="{escape(label)}"'

    def spot(
        self, key: K, label: str, x: float, y: float, width: float, height: float
    ) -> Iterator[str]:
        """Yield a rectangle that is not seen but can be clicked, or nothing if it does nothing."""
        if key in self._clicks:
            place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5"'
            yield f'<rect class="pick" {place}{self.attributes(key, label)}/>'

    def buttons(
        self, words: Iterable[tuple[K, str]], x: int, y: int, width: int
    ) -> tuple[list[str], int]:
        """Return buttons for steps without a place on the board, in rows, and how high they are.

        Args:
            words: the keys with what is written on their buttons; those that do nothing are not
                drawn.
            x: where the rows begin.
            y: their upper edge.
            width: the most pixels of a row.
        """
        lines, left, top = [], x, y
        for key, word in words:
            if key not in self._clicks:
                continue
            wide = max(48, 9 * len(word) + 20)
            if left > x and left + wide > x + width:
                left, top = x, top + BUTTON + GAP
            face = rect(left, top, wide, BUTTON, "cell rule-line", rounded=8)
            name = text(left + wide / 2, top + 23, word, "ink mid", room=wide - 8)
            lines.append(f"<g{self.attributes(key, word)}>{face}{name}</g>")
            left += wide + GAP
        return lines, top + BUTTON - y if lines else 0
