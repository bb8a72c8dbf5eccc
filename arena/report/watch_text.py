"""A match as a person watches it: after each node what was done, and the position it led to.

Whoever only watches sees the whole truth. People who play see what all of them may know.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.values.untrusted import show
from engines import State


def watch_text(
    state: State,
    actions: Sequence[tuple[int, str | None]],
    first: int,
    people: Sequence[int],
    names: Sequence[str] = (),
    *,
    color: bool = False,
) -> str:
    """Return the lines that show a node: its actions, then the board.

    Args:
        state: the position after the node.
        actions: what the node's players did, in player order; ``None``: the player was dropped.
        first: the number of the first of them.
        people: the seats of those who play and watch; nobody: it may show everything.
        names: what the board calls the players.
        color: whether it is a terminal that shows colours.
    """
    lines, last = [], None
    for number, (player, action) in enumerate(actions, start=first):
        seen = "dropped" if action is None else _action(state, player, action, people)
        lines.append(f"\n{number}. player {player}: {show(seen)}")
        last = None if action is None else (player, seen)
    boards = {
        state.draw_text(player, names=[*map(show, names)], last=last, color=color)
        for player in people or (None,)
    }
    different = "(you see different boards, each when it is asked)"
    return "\n".join([*lines, f"\n{boards.pop() if len(boards) == 1 else different}"])


def _action(after: State, player: int, action: str, people: Sequence[int]) -> str:
    """Return the action if all people may know it, else ``?``."""
    seen = {after.action_seen(viewer, player, action) for viewer in people}
    return action if seen <= {action} else "?"
