"""Connect Four, as a quick engine to measure the arena with; it is no part of what is installed.

Players 0 (``x``) and 1 (``o``) drop a stone into one of seven columns of six places in turn; four
of one's own in a row, column or diagonal win. Actions: the columns, ``a`` to ``g``. Setup and
observation: ``COLUMNS PLAYER``, the columns from bottom to top and joined by ``/``, ``-`` for an
empty one, and who is to act next, also when the game is over: ``xo/-/-/x/-/-/- 1``. Score: 1 for
four in a row, 0 otherwise.
"""

from __future__ import annotations

from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import BadSetup, IllegalAction
from engines.core.interface import Game, GameType, State, require_turn, standing
from engines.core.text import fields

__all__ = ["ConnectFour"]

WIDTH, HEIGHT = 7, 6
LETTERS = "abcdefg"
STONES = "xo"
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
DIRECTIONS = (1, PITCH, PITCH - 1, PITCH + 1)  # up, right, and the two diagonals


class ConnectFour(Game):
    """Seven columns of six places, two players."""

    name = "connect_four"
    title = "Connect Four"
    type = GameType("sequential", "deterministic", "perfect", WIDTH * HEIGHT)

    def setup(self, seed: int) -> str:
        """Return the empty board: nothing here is random."""
        return "-/-/-/-/-/-/- 0"

    def new_initial_state(self, setup: str | None = None) -> ConnectFourState:
        text, drops = Drops.split(self.setup(0) if setup is None else setup, 2)
        board, player = fields(text, 2, "COLUMNS PLAYER")
        columns = ["" if column == "-" else column for column in board.split("/")]
        stones = "".join(columns)
        if (
            len(columns) != WIDTH
            or board.split("/").count("") > 0
            or set(stones) - set(STONES)
            or max(map(len, columns)) > HEIGHT
        ):
            raise BadSetup(f'expected 7 columns such as "xo" or "-", joined by "/": "{board}"')
        turn = len(stones) % 2
        if stones.count("x") - stones.count("o") != turn or player != str(turn):
            raise BadSetup(f'player 0 begins, and they take turns: "{text}"')
        sides = [0, 0]
        for column, shift in zip(columns, COLUMN.values(), strict=True):
            for height, stone in enumerate(column):
                sides[STONES.index(stone)] |= 1 << (shift + height)
        if _connects(sides[turn]):
            raise BadSetup(f'player {turn} has four in a row and is to act: "{text}"')
        return ConnectFourState(self, sides[0], sides[1], turn, _connects(sides[1 - turn]), drops)


class ConnectFourState(State):
    """The stones of both, who is next, whether the other one has won, and who was dropped."""

    __slots__ = ("drops", "first", "game", "player", "second", "won")

    def __init__(
        self, game: Game, first: int, second: int, player: int, won: bool, drops: Drops = NO_DROPS
    ) -> None:
        self.game, self.first, self.second = game, first, second
        self.player, self.won, self.drops = player, won, drops

    def players_to_act(self) -> tuple[int, ...]:
        if self.won or self.drops.groups or self.first | self.second == FULL:
            return ()
        return (self.player,)

    def legal_actions(self, player: int) -> tuple[str, ...]:
        """Return the columns that have room, from left to right."""
        if player not in self.players_to_act():
            return ()
        return LEGAL[(self.first | self.second) & TOPS]

    def apply_action(self, player: int, action: str) -> ConnectFourState:
        if self.won or player != self.player or self.drops.groups:
            require_turn(self, player)
        taken = self.first | self.second
        bottom = BOTTOM.get(action)
        if bottom is None or taken & TOP[action]:
            require_turn(self, player)
            raise IllegalAction("expected a column from a to g that has room")
        # adding to the bottom carries up to the lowest place that is free
        stone = (taken + bottom) & ~taken & ((bottom << HEIGHT) - bottom)
        if player:
            side = self.second | stone
            return ConnectFourState(self.game, self.first, side, 0, _connects(side))
        side = self.first | stone
        return ConnectFourState(self.game, side, self.second, 1, _connects(side))

    def scores(self) -> tuple[float, ...]:
        """Return 1 for whoever has four in a row: the one who is not to act."""
        return (float(self.won and self.player == 1), float(self.won and self.player == 0))

    def ranks(self) -> tuple[int, ...]:
        return self.drops.ranks(standing(self.scores()))

    def drop_player(self, player: int) -> ConnectFourState:
        if player not in (0, 1):
            raise ValueError(f"there is no player {player}")
        # with two players the first drop ends the game, so a second one shares its node
        drops = self.drops.add(player, same_node=True)
        return ConnectFourState(self.game, self.first, self.second, self.player, self.won, drops)

    def observation(self, player: int | None) -> str:
        columns = [
            "".join(self._stone(shift + height) for height in range(HEIGHT)).rstrip(".") or "-"
            for shift in COLUMN.values()
        ]
        return f"{'/'.join(columns)} {self.player}{self.drops.field(2)}"

    def __str__(self) -> str:
        rows = [
            " ".join(self._stone(shift + height) for shift in COLUMN.values())
            for height in reversed(range(HEIGHT))
        ]
        return "\n".join([*rows, " ".join(LETTERS), f"{STONES[self.player]} is next"])

    def to_svg(self, player: int | None = None) -> str:
        colours = {"x": "firebrick", "o": "goldenrod"}
        stones = "".join(
            f'<circle cx="{20 * n + 10}" cy="{20 * (HEIGHT - height) - 10}" r="8"'
            f' fill="{colours.get(self._stone(shift + height), "white")}"/>'
            for n, shift in enumerate(COLUMN.values())
            for height in range(HEIGHT)
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 140 120">{stones}</svg>'

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConnectFourState) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.game, self.first, self.second, self.player, self.drops

    def _stone(self, place: int) -> str:
        return "x" if self.first >> place & 1 else "o" if self.second >> place & 1 else "."


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


def _with_room() -> dict[int, tuple[str, ...]]:
    """Return the columns with room, by the stones in the topmost row."""
    found = {}
    for number in range(1 << WIDTH):
        full = {letter for n, letter in enumerate(LETTERS) if number >> n & 1}
        found[sum(TOP[letter] for letter in full)] = tuple(x for x in LETTERS if x not in full)
    return found


LEGAL = _with_room()
