"""Actions in sentences for people, and what to click next."""

from __future__ import annotations

from collections.abc import Sequence

_KINDS = {"B": "a branch", "L": "a leaf"}


def prompt(letters: str, may_pass: bool, clicks: Sequence[str]) -> str:
    """Say what to choose after some clicks, of the kinds of cubes that may be placed."""
    if len(letters) == 2 and not clicks:
        return "Choose a branch or a leaf" + (", or pass." if may_pass else ".")
    kind = f"the {clicks[0]}" if len(letters) == 2 else _KINDS.get(letters, "the cube")
    return f"Choose a cell for {kind}" + (", or pass." if may_pass and not clicks else ".")


def action_words(action: str) -> str:
    """Say what an action does, without who does it."""
    return "passes" if action == "pass" else f"places {_KINDS[action[0]]} at {action[1:]}"
