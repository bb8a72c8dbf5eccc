"""Actions and events in sentences for people, and what to click next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engines.build_your_arboretum.table import BID, BOARD_SIZE, FIRST, Table

_PLANS = {"b": "bulletin", "g": "garden"}


def prompt(table: Table, player: int, clicks: Sequence[str]) -> str:
    """Say what to choose after some clicks."""
    last = clicks[-1] if clicks else ""
    if table.phase == FIRST:
        return "Choose who starts the first round."
    if table.phase == BID:
        if last == "bid nothing":
            return "Really bid nothing, and have no turn in this round? Then press bid."
        usable = table.usable(player)
        if clicks:
            sizes = [click.partition(" ")[0] for click in clicks]
            left = usable - sum([int(size) for size in sizes if size in map(str, range(99))])
            return f"Your bid: {', '.join(clicks)}; parrots left: {left}. Add a group or press bid."
        return f"Bid up to {usable} parrots, which come back: a group is a turn, the largest first."
    if last == "skip":
        return "Really give up all your turns left in this round? Then press done."
    if "hire" in " ".join(clicks[:1]):
        return "Choose a card of your ad board to pay with, or end."
    if table.turns[0] & 1:
        if clicks:
            return f"Choose a cell of your arboretum for {last.rpartition(' ')[2]}."
        return "A garden turn: choose a card to plant, or what else to do."
    if clicks and table.boards[player].bit_count() == BOARD_SIZE:
        return "Choose the card of your full ad board that goes back."
    return "A bulletin turn: choose a card for your ad board, or what else to do."


def action_words(action: str) -> str:
    """Say what an action does, without who does it; raises ``ValueError`` if it is none."""
    verb, *words = action.split(":")
    if verb == "bid" and words:
        return f"bids {_bid(words[0])}"
    if verb == "first" and words in (["0"], ["1"]):
        return f"chooses the starting player: {{{words[0]}}}"
    if verb == "take" and words:
        return f"takes {words[0]}" + (f" and discards {words[1]}" if len(words) > 1 else "")
    if verb in ("plant", "dig") and len(words) == 2:
        what = f"plants {words[0]}" if verb == "plant" else f"digs up {words[0]} to plant it"
        return f"{what} at {words[1]}"
    if verb == "hire" and words:
        return f"hires a parrot for {words[0].replace(',', ', ')}"
    said = {"start": "claims the start of the next round", "skip": "skips all turns left"}
    if action not in said:
        raise ValueError(action)
    return said[action]


def event_words(event: str) -> str:
    """Say an event as a sentence; a text that is none stays as it is."""
    verb, *words = event.split(" ")
    try:
        return _EVENTS[verb](words)
    except (KeyError, IndexError, ValueError):
        return event


def _bid(text: str) -> str:
    groups = [] if text == "-" else text.split("-")
    return ", ".join([f"{g[:-1]} {_PLANS[g[-1]]}" for g in groups]) or "nothing"


def _pair(text: str, what: str = "{}") -> str:
    first, second = text.split("/")
    return f"{{0}} {what.format(first)} and {{1}} {what.format(second)}"


def _bids(words: list[str]) -> str:
    first, second = map(_bid, words[0].split("/"))
    return f"{{0}} bid {first}; {{1}} bid {second}"


def _turns(words: list[str]) -> str:
    if words[0] == "-":
        return "nobody has a turn"
    turns = [f"{{{turn[0]}}} {_PLANS[turn[1]]}" for turn in words[0].split(",")]
    return f"the turns: {', '.join(turns)}"


def _cards(text: str) -> str:
    return "no card" if text == "-" else text.replace(",", ", ")


_EVENTS: dict[str, Callable[[list[str]], str]] = {
    "bids": _bids,
    "turns": _turns,
    "forced-skip": lambda words: f"{{{words[0]}}} could do nothing and skipped",
    "round": lambda words: (
        f"round {words[0]} began: {{{words[2]}}} is the starting player, "
        f"offered are {_cards(words[6])}"
    ),
    "end": lambda words: f"round {words[0]} ended: out of the game: {_cards(words[4])}",
    "score": lambda words: f"points for {words[0]}: {_pair(words[1])}",
    "total": lambda words: f"in all {_pair(words[0], 'has {} points')}",
}
