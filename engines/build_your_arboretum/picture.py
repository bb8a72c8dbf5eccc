"""The board for a person, in text: both arboretums side by side, then what lies between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engines.build_your_arboretum.cards import CARD_INDEX, CARDS, EMPTY, SUITS, cards_text
from engines.build_your_arboretum.scoring import ScoreLine, rights_to, scored_paths
from engines.build_your_arboretum.table import (
    BID,
    FIRST,
    LAST_ROUND,
    NOBODY,
    OVER,
    PLAY,
    TURNS,
    Table,
)
from engines.core.drawing import does, paint
from engines.core.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.core.interface import Viewer

PLAYERS = ("player 0", "player 1")

_WIDTH = 30
"""Columns that the left half takes."""


def headline(table: Table, called: Sequence[str] = PLAYERS) -> str:
    """Say in a few words how far the game is and what happens next; ``called`` are the players."""
    if table.phase == FIRST:
        return "before round 1: who starts?"
    if table.phase == OVER:
        first, second = table.totals()
        return f"over in round {table.round} of {LAST_ROUND}: {first} to {second} points"
    what = "bidding"
    if table.phase == PLAY:
        turn = table.turns[0]
        what = f"{does(called[turn >> 1], 'takes')} a {('bulletin', 'garden')[turn & 1]} turn"
    return f"round {table.round} of {LAST_ROUND}: {what}"


def board_text(
    table: Table,
    viewer: Viewer,
    names: Sequence[str] | None = None,
    marked: Iterable[str] = (),
    *,
    color: bool = False,
) -> str:
    """Draw the table; the deck is a number of cards, and a bid only made or owed.

    A player does not see even that much of the other one's bid.

    Args:
        table: the position.
        viewer: who looks; ``None`` sees all.
        names: of the players, if they have any.
        marked: the cards and specials that the last action named, which get a ``*``.
        color: whether the terminal shows colours.
    """
    pen = _Pen(frozenset(marked), color)
    called = PLAYERS if names is None else names
    lines = [headline(table, called), ""]
    if names is not None:
        lines.append(pen.people([f"{who} {name}" for who, name in enumerate(names)]))
    lines.append(pen.people([_player_line(table, who) for who in (0, 1)]))
    lines.append(_halves(["     A  B  C  D  E  F"] * 2))
    rows = [_halves([_row(garden, row) for garden in table.gardens]) for row in range(6)]
    lines += map(pen.marked, rows)
    lines.append(pen.marked(_halves([f"  ads {_list(board)}" for board in table.boards])))
    lines += ["", *_score(table), ""]
    lines.append(pen.marked(f"offering {_list(table.offering)}"))
    lines.append(pen.marked(f"refuse   {_list(table.refuse)}"))
    lines.append(f"removed  {_list(table.removed)}")
    lines.append(f"deck     {len(table.deck)} cards")
    if table.phase == BID:
        made = [
            "?" if viewer not in (None, who) else "owed" if bid is None else "made"
            for who, bid in enumerate(table.bids)
        ]
        lines.append(f"bids     0 {made[0]}, 1 {made[1]}")
    if table.phase == PLAY:
        lines.append(f"turns    {' '.join([TURNS[turn] for turn in table.turns])}")
        takers = [("dig", table.dig), ("hire", table.hire), ("start", table.start)]
        shown = [f"{name} {'free' if who == NOBODY else who}" for name, who in takers]
        lines.append(pen.marked(f"specials {', '.join(shown)}"))
    return "\n".join(lines)


class _Pen:
    """Marks what the last action named, and colours what is a player's."""

    def __init__(self, things: frozenset[str], color: bool) -> None:
        self.things, self.color = things, color

    def people(self, parts: list[str]) -> str:
        """Join what is said of the players, each in the player's colour."""
        gap = " " * (_WIDTH - len(parts[0]))
        return paint(parts[0], "p0", self.color) + gap + paint(parts[1], "p1", self.color)

    def marked(self, line: str) -> str:
        """Put a star into the space before each thing that is marked."""
        for thing in self.things:
            line = line.replace(f" {thing}", paint("*", "last", self.color) + thing)
        return line


def _player_line(table: Table, player: int) -> str:
    starts = ", starts" if table.starter == player else ""
    return f"player {player}, parrots: {table.parrots[player]}{starts}"


def _row(garden: bytes, row: int) -> str:
    cards = [garden[6 * column + row] for column in range(6)]
    cells = [" ." if card == EMPTY else CARDS[card] for card in cards]
    return f"  {row + 1} {' '.join(cells)}"


def _score(table: Table) -> Iterator[str]:
    """Write the points by suit as if the game were over, and the paths that they are for."""
    score = table.score()
    yield "points  " + "".join(f"{line.what:>3}" for line in score[2:]) + " parrots starter total"
    for who, total in enumerate(table.totals()):
        points = "".join(f"{_points(table, who, line):>3}" for line in score[2:])
        extra = f"{score[0].points(who):>8}{score[1].points(who):>8}"
        yield f"      {who} {points}{extra}{total:>6}"
    for who in (0, 1):
        paths = scored_paths(table.gardens[who], [line.points(who) > 0 for line in score[2:]])
        cards = [
            "-".join([CARDS[table.gardens[who][cell]] for cell in path]) for path in paths.values()
        ]
        for k in range(0, len(cards), 3):  # a path has 8 cards at most
            yield f"paths {who}  " + ", ".join(cards[k : k + 3])


def _points(table: Table, who: int, line: ScoreLine) -> str:
    may = rights_to(table.boards, SUITS.index(line.what))[who]
    return str(line.points(who)) if may else "-"


def _halves(parts: list[str]) -> str:
    return f"{parts[0]:{_WIDTH}}{parts[1]}".rstrip()


def _list(cards: int) -> str:
    return cards_text(cards).replace(",", " ")


def things_named(action: str) -> list[str] | None:
    """Return the cards that an action names, and the special it takes; ``None``: it is no action.

    >>> things_named("take:P1:Q2"), things_named("hire:P1,P6"), things_named("skip")
    (['P1', 'Q2'], ['P1', 'P6', 'hire'], [])
    """
    verb, *words = action.split(":")
    if verb in ("start", "skip", "first", "bid"):
        return ["start"] if verb == "start" else []
    if verb in ("plant", "dig"):
        words = words[:1]
    elif verb == "hire":
        words = words[0].split(",") if words else []
    elif verb != "take":
        return None
    if not words or not all(word in CARD_INDEX for word in words):
        return None
    return [*words, verb] if verb == "hire" else words
