"""Legal actions for a person: numbered, in columns that fit."""

from __future__ import annotations

from collections.abc import Sequence

MANY = 60  # actions are listed, unless all are asked for


def listing(actions: Sequence[str], text: str, columns: int, *, partial: bool = False) -> str:
    """Return the actions that contain a text, numbered as they are in the whole list.

    >>> print(listing(["N1", "E1", "E2"], "E", 80))
    2 of 3 legal actions:
      2 E1   3 E2

    Args:
        actions: all legal ones.
        text: what they contain; ``all``, or nothing: any, and with ``all`` all are shown.
        columns: how wide the terminal is.
        partial: whether there are more legal actions than these.
    """
    most = MANY
    if text == "all" and not any("all" in action for action in actions):
        text, most = "", len(actions)
    numbered = [pair for pair in enumerate(actions, start=1) if text in pair[1]]
    total = f"{len(actions)}{' and more' * partial}"
    found = total if len(numbered) == len(actions) else f"{len(numbered)} of {total}"
    head = f"{found} legal action{'s' * (total != '1')}"
    if not numbered:
        return f"{head}."
    shown, more = numbered[:most], len(numbered) - most
    digits = len(str(shown[-1][0]))
    rows = in_columns([f"{number:>{digits}} {action}" for number, action in shown], columns)
    hint = f"  … and {more} more: type legal and a part of them, or legal all"
    return "\n".join([f"{head}:", *rows, *[hint] * (more > 0)])


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
