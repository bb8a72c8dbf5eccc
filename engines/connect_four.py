"""Connect Four: drop stones into columns; four of one's own in a line win.

Rules, texts and counts: docs/rules/connect-four.md. This is the model of a small game: one file,
the seven methods that a game has to write, and two that draw it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from engines.core.base import ValueState, View, fields, quoted
from engines.core.choices import Choices
from engines.core.drawing import Seat, frame, label, outcomes, paint, rect, text
from engines.core.errors import BadSetup, IllegalAction
from engines.core.interface import Game, GameType
from engines.core.typed import NamedTuple

WIDTH, HEIGHT = 7, 6
LETTERS, STONES = "abcdefg", "xo"
# A bit a place, a column after the other from its bottom, and one bit between two columns that is
# never set, so that no line goes on around the edge:
#   5 12 19 26 33 40 47
#   . .  .  .  .  .  .
#   0  7 14 21 28 35 42
PITCH = HEIGHT + 1
COLUMN = {letter: PITCH * n for n, letter in enumerate(LETTERS)}
BOTTOM = {letter: 1 << shift for letter, shift in COLUMN.items()}
TOP = {letter: 1 << (shift + HEIGHT - 1) for letter, shift in COLUMN.items()}
FULL = sum(((1 << HEIGHT) - 1) << shift for shift in COLUMN.values())
TOPS = sum(TOP.values())
# the columns that have room, by the stones in the topmost row
WITH_ROOM = {
    tops: tuple([letter for letter in LETTERS if not tops & TOP[letter]])
    for tops in map(sum, product(*[(0, top) for top in TOP.values()]))
}
DIRECTIONS = (1, PITCH, PITCH - 1, PITCH + 1)  # up, right, and the two diagonals


class ConnectFour(Game):
    """Seven columns of six places, two players."""

    name = "connect_four"
    title = "Connect Four"
    type = GameType("sequential", "deterministic", "perfect", WIDTH * HEIGHT)
    num_features = 2 * WIDTH * HEIGHT + 1

    def setup(self, seed: int) -> str:
        return "-/-/-/-/-/-/- 0"

    def action_names(self) -> tuple[str, ...]:
        return tuple(LETTERS)

    def read(self, text: str) -> ConnectFourState:
        board, player = fields(text, 2, "COLUMNS PLAYER")
        columns = ["" if column == "-" else column for column in board.split("/")]
        stones = "".join(columns)
        whole = len(columns) == WIDTH and max(map(len, columns)) <= HEIGHT
        if not whole or {*stones} - {*STONES} or "" in board.split("/"):
            raise BadSetup(f'expected 7 columns, as "xo" or "-", joined by "/": {quoted(board)}')
        turn = len(stones) % 2
        if stones.count("x") - stones.count("o") != turn or player != str(turn):
            raise BadSetup(f"player 0 begins, and they take turns: {quoted(text)}")
        sides = [0, 0]
        for column, shift in zip(columns, COLUMN.values(), strict=True):
            for height, stone in enumerate(column):
                sides[STONES.index(stone)] |= 1 << (shift + height)
        if _connects(sides[turn]):
            raise BadSetup(f"player {turn} has four in a line and is to act: {quoted(text)}")
        placed = Stones(sides[0], sides[1], turn, _connects(sides[1 - turn]))
        return ConnectFourState(self, placed)


class Stones(NamedTuple):
    """The stones of both as bits, who is next, and whether the other one has won."""

    first: int
    second: int
    player: int
    won: bool


class ConnectFourState(ValueState[Stones]):
    """A position with the drops."""

    __slots__ = ()

    def players_to_act(self) -> tuple[int, ...]:
        first, second, player, won = self.position
        return () if won or first | second == FULL else (player,)

    def legal_actions(self, player: int) -> tuple[str, ...]:
        return WITH_ROOM[(self.position.first | self.position.second) & TOPS]

    def after(self, player: int, action: str) -> ConnectFourState:
        first, second, *_ = self.position
        taken, bottom = first | second, BOTTOM.get(action)
        if bottom is None or taken & TOP[action]:
            raise IllegalAction("expected a column from a to g that has room")
        # adding to the bottom carries up to the lowest place that is free
        stone = (taken + bottom) & ~taken & ((bottom << HEIGHT) - bottom)
        mine = (second if player else first) | stone
        first, second = (first, mine) if player else (mine, second)
        return ConnectFourState(self.game, Stones(first, second, 1 - player, _connects(mine)))

    def scores(self) -> tuple[float, ...]:
        won, winner = self.position.won, 1 - self.position.player
        return int(won and winner == 0), int(won and winner == 1)

    def seen(self, player: int | None) -> str:
        columns = ("".join(column).rstrip(".") or "-" for column in self._columns())
        return f"{'/'.join(columns)} {self.position.player}"

    def features(self, player: int) -> tuple[float, ...]:
        """Return the player's stones, then the other's, a column after the other; who is next."""
        sides = self.position[player], self.position[1 - player]
        cells = [at + height for at in COLUMN.values() for height in range(HEIGHT)]
        stones = [float(side >> cell & 1) for side in sides for cell in cells]
        return (*stones, float(self.position.player == player))

    def prompt(self, player: int, clicks: Sequence[str]) -> str:
        return "Choose a column for your stone."

    def called(self, action: str) -> str:
        column = action in COLUMN
        return f"drops a stone into column {action}" if column else super().called(action)

    def text(self, view: View) -> str:
        rows = [" ".join(row) for row in zip(*self._columns(), strict=True)]
        last = view.last and view.last[1]
        letters = [paint(x, "last", view.color) if x == last else x for x in LETTERS]
        names = [f"{STONES[p]} {label(p, view.names)}" for p in (0, 1)] if view.names else []
        return "\n".join([*reversed(rows), " ".join(letters), *names, self._status()])

    def svg(self, view: View) -> str:
        ends = outcomes(self.ranks()) if self.is_terminal() else ("", "")
        seats = [
            Seat(f"{label(p, view.names)} ({STONES[p]})", ends[p], p in self.players_to_act())
            for p in (0, 1)
        ]
        picks = Choices(view.choices, lambda column: (column,))
        body = [rect(0, 0, 40 * WIDTH, 40 * HEIGHT, "field", rounded=8)]
        for n, column in enumerate(self._columns()):
            for height, stone in enumerate(column):
                x, y = 40 * n + 20, 40 * (HEIGHT - height) - 20
                colour = f"p{STONES.index(stone)}" if stone in STONES else "cell"
                body.append(f'<circle class="{colour}" cx="{x}" cy="{y}" r="16"/>')
                if stone in STONES:
                    body.append(text(x, y + 5, stone, f"on{STONES.index(stone)} bold mid"))
            if view.last and view.last[1] == LETTERS[n] and (top := 6 - column.count(".")):
                ring = f'cx="{40 * n + 20}" cy="{40 * (HEIGHT - top) + 20}" r="18"'
                body.append(f'<circle class="last" {ring}/>')
            body.append(text(40 * n + 20, 40 * HEIGHT + 18, LETTERS[n], "faint mid"))
            body += picks.spot(LETTERS[n], f"column {LETTERS[n]}", 40 * n, 0, 40, 40 * HEIGHT + 28)
        return frame("Connect Four", seats, self._status(), (40 * WIDTH, 40 * HEIGHT + 28), body)

    def _columns(self) -> list[list[str]]:
        first, second, *_ = self.position
        return [
            ["x" if first >> n & 1 else "o" if second >> n & 1 else "." for n in range(at, at + 6)]
            for at in COLUMN.values()
        ]

    def _status(self) -> str:
        return "over" if self.is_terminal() else f"{STONES[self.position.player]} is next"


def _connects(side: int) -> bool:
    """Return whether stones hold four in a line.

    >>> _connects(0b1111), _connects(0b10111), _connects(1 | 1 << 8 | 1 << 16 | 1 << 24)
    (True, False, True)
    """
    for pitch in DIRECTIONS:
        pairs = side & side >> pitch
        if pairs & pairs >> 2 * pitch:
            return True
    return False


GAME = ConnectFour
