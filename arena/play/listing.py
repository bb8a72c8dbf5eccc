"""Legal actions for a person: numbered, in columns that fit, in groups if there are many."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

MANY = 60  # actions are listed; more are shown by how they begin
GROUPS = 40  # of them, at most


def listing(actions: Sequence[str], text: str, columns: int, *, partial: bool = False) -> str:
    """Return the actions that contain a text, numbered as they are in the whole list.

    >>> print(listing(["N1", "E1", "E2"], "E", 80))
    2 of 3 legal actions:
      2 E1   3 E2

    Args:
        actions: all legal ones.
        text: what they contain; ``all``, or nothing: any.
        columns: how wide the terminal is.
        partial: whether there are more legal actions than these.
    """
    numbered = [(number, action) for number, action in enumerate(actions, start=1)]
    listed = text == "all" and not any("all" in action for action in actions)
    if not listed:
        numbered = [(number, action) for number, action in numbered if text in action]
    total = f"{len(actions)}{' and more' * partial}"
    found = total if len(numbered) == len(actions) else f"{len(numbered)} of {total}"
    head = f"{found} legal action{'s' * (total != '1')}"
    if not numbered:
        return f"{head}."
    if len(numbered) <= MANY or listed:
        digits = len(str(numbered[-1][0]))
        items = [f"{number:>{digits}} {action}" for number, action in numbered]
        return "\n".join([f"{head}:", *in_columns(items, columns)])
    counts = groups([action for _, action in numbered])
    items = [
        f"{beginning}… {count}" if count > 1 else beginning for beginning, count in counts.items()
    ]
    hint = "  type legal and a part of them, or legal all"
    return "\n".join(
        [f"{head}; how they begin, and how many do:", *in_columns(items, columns), hint]
    )


def chosen(text: str, actions: Sequence[str]) -> str:
    """Return the action that a person means: by its number, unless that is an action, or as it is.

    >>> chosen("2", ["N1", "E1"]), chosen("2", ["1", "2", "3"]), chosen("9", ["N1"])
    ('E1', '2', '9')
    """
    if text in actions or not text.isdecimal() or len(text) > len(str(len(actions))):
        return text
    number = int(text)
    return actions[number - 1] if 1 <= number <= len(actions) else text


def in_columns(items: Sequence[str], columns: int) -> list[str]:
    """Return items in rows, each as wide as the widest; none is broken.

    >>> in_columns(["a", "bbb", "cc"], 12)
    ['  a     bbb', '  cc']
    """
    widest = max(map(len, items), default=0)
    beside = max(1, (columns - 2 + 3) // (widest + 3))
    rows = [items[start : start + beside] for start in range(0, len(items), beside)]
    return [("  " + "   ".join(item.ljust(widest) for item in row)).rstrip() for row in rows]


def groups(actions: Sequence[str]) -> dict[str, int]:
    """Return how actions begin, and how many do so: the longest beginnings of which few differ.

    >>> groups([f"{side}{line}-{second}" for side in "NE" for line in "12" for second in range(15)])
    {'N1-': 15, 'N2-': 15, 'E1-': 15, 'E2-': 15}
    """
    parts = [re.findall(r"[^-:;,./@]*[-:;,./@]?", action) for action in actions]
    found = Counter({"": len(actions)})
    for length in range(1, max(map(len, parts))):
        longer = Counter("".join(words[:length]) for words in parts)
        if len(longer) > GROUPS:
            break
        found = longer
    return dict(found)
