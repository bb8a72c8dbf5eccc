"""A position, and the things that can be asked of it (rules section 1)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.arborius.actions import Action
from engines.arborius.cast import ROOT, Cast
from engines.arborius.grid import AHEAD, LINKED, SIDES, Rings, add_cell, splits, take_cell
from engines.core.typed import NamedTuple

DECK = -2  # where a tile is that is on no board

DEAD = -3

MOST_USED = 6  # abilities in one turn

TURN = "turn"

DEFEND = "defend"

Spot = tuple[int, int, int]  # a plain ``Place``: board, cell, facing

Basics = tuple[list[Action], list[int], list[Spot]]  # actions; of the plays, tiles and spots


class Board(dict[int, tuple[int, ...]]):
    """The stacks of a board by their cells, each from bottom to top; never changed.

    Attributes:
        rings: which neighbours of each cell are occupied, see ``grid``.
        euler: the number of pieces less the number of holes, likewise.
        split: what ``splits`` has returned, which depends on the rings alone.
    """

    __slots__ = ("euler", "rings", "split")

    rings: Rings
    euler: int
    split: dict[tuple[int, int | None], bool]

    @classmethod
    def of(cls, stacks: Mapping[int, tuple[int, ...]]) -> Board:
        """Return the board with these stacks."""
        board = cls(stacks)
        board.rings, board.euler, board.split = {}, 0, {}
        for cell in stacks:
            board.euler += add_cell(board.rings, cell)
        return board

    def with_stack(self, cell: int, stack: tuple[int, ...]) -> Board:
        """Return a board on which a cell holds this stack, or nothing if it is ()."""
        board = Board(self)
        board.rings, board.euler, board.split = self.rings, self.euler, self.split
        if stack:
            board[cell] = stack
            if cell in self.rings:
                return board
        else:
            del board[cell]
        board.rings, board.split = self.rings.copy(), {}
        board.euler += add_cell(board.rings, cell) if stack else -take_cell(board.rings, cell)
        return board

    def splits(self, gone: int, new: int | None = None) -> bool:
        """Return whether the board falls apart when a cell is vacated.

        Args:
            gone: the cell that becomes empty.
            new: a cell in front of it that is occupied then, whether it was before or not.
        """
        around = self.rings[gone]
        if new is not None:
            if new in self.rings:
                new = None
            else:
                around |= SIDES[new - gone]
        if LINKED[around]:  # as most often, and then quicker than to look what is known
            return False
        found = self.split.get((gone, new))
        if found is None:
            found = self.split[gone, new] = splits(self.rings, self.euler, gone, new)
        return found


class Place(NamedTuple):
    """Where a tile stands or last stood, and its facing there."""

    board: int
    cell: int
    face: int


class Run(NamedTuple):
    """An ability under way; ``left_at`` is the user's last place if it has left play."""

    user: int
    printed: int
    next: int
    left_at: Place | None
    done: tuple[int, ...]


class Offer(NamedTuple):
    """A chain offered to ``tile``: the set of abilities (section 6.3)."""

    tile: int
    left_at: Place | None
    abilities: int


class Gifts(NamedTuple):
    """Stacks that the owner of ``giver`` still has to give to ``taker`` (section 5.1)."""

    taker: int
    giver: int
    left: int


class Limits(NamedTuple):
    """When a game ends for length: after how many turns, and what that means (section 2)."""

    turns: int
    cap: str


class Position:
    """Everything an observation says. Changed in place by its owner; ``copy`` first to keep it.

    The members of ``boards`` are never changed but replaced, so copies share them. Where a tile is
    stands twice, in ``boards`` and in ``home`` and ``cell``: the second is for speed.
    """

    __slots__ = (
        "actor",
        "basics",
        "boards",
        "cast",
        "cell",
        "dead",
        "face",
        "frozen",
        "give",
        "hit",
        "home",
        "limits",
        "memo",
        "offer",
        "phase",
        "result",
        "run",
        "turn",
        "used",
    )

    cast: Cast
    limits: Limits
    turn: int
    phase: str
    actor: int
    boards: list[Board]  # by tile; the root's is the last
    home: list[int]  # by tile: the board it stands on, DECK or DEAD
    cell: list[int]  # by tile: its cell, 0 if it is not in play
    face: list[int]  # by tile: its facing, 0 if it is not in play
    frozen: int  # sets of tiles
    dead: int
    used: int
    hit: int
    run: tuple[Run, ...]  # outermost first
    offer: Offer | None
    give: Gifts | None
    result: str
    basics: Basics | None  # the basic actions, if they were listed when the turn began
    memo: dict[object, bool] | None  # of this turn part, what can be completed

    @classmethod
    def empty(cls, cast: Cast, limits: Limits) -> Position:
        """Return the position with all tiles in their decks."""
        pos = cls()
        pos.cast, pos.limits = cast, limits
        pos.turn, pos.phase, pos.actor = 0, TURN, 0
        pos.boards = [Board.of({})] * (cast.size + 1)
        pos.home = [DECK] * cast.size
        pos.cell = [0] * cast.size
        pos.face = [0] * cast.size
        pos.frozen = pos.dead = pos.used = pos.hit = 0
        pos.run, pos.offer, pos.give, pos.result, pos.memo = (), None, None, "-", None
        pos.basics = None
        return pos

    def copy(self) -> Position:
        """Return a position that can be changed without changing this one; they share the memo."""
        pos = Position()
        pos.cast, pos.limits = self.cast, self.limits
        pos.turn, pos.phase, pos.actor = self.turn, self.phase, self.actor
        pos.boards = self.boards[:]
        pos.home = self.home[:]
        pos.cell = self.cell[:]
        pos.face = self.face[:]
        pos.frozen, pos.dead, pos.used, pos.hit = self.frozen, self.dead, self.used, self.hit
        pos.run, pos.offer, pos.give = self.run, self.offer, self.give
        pos.result, pos.memo, pos.basics = self.result, self.memo, None
        return pos

    def core(self, run: tuple[object, ...]) -> tuple[object, ...]:
        """Return what decides how this turn part can go on, ``run`` taking its own one's place."""
        high = [s for board in self.boards if board for s in board.values() if len(s) > 1]
        return (
            tuple(self.home),
            tuple(self.cell),
            tuple(self.face),
            frozenset(high),
            self.frozen,
            self.used,
            run,
            self.offer,
            self.give,
        )

    def key(self) -> tuple[object, ...]:
        """Return a value that is equal for equal positions of one game."""
        rest = (self.turn, self.phase, self.actor, self.hit, self.result, self.cast.texts)
        return (*self.core(self.run), *rest, len(self.cast.tiles[0]))

    def may_use_more(self) -> bool:
        """Return whether another ability may be used in this turn (ruling of section 6.4)."""
        return self.used.bit_count() < MOST_USED

    def unusable(self) -> int:
        """Return the abilities that cannot be used any more in this turn."""
        return self.used if self.may_use_more() else -1

    def stack(self, tile: int) -> tuple[int, ...]:
        """Return the stack in which a tile in play stands."""
        return self.boards[self.home[tile]][self.cell[tile]]

    def in_play(self, tile: int) -> bool:
        return self.home[tile] >= ROOT

    def is_top(self, tile: int) -> bool:
        """Return whether a tile in play is uncovered."""
        return self.boards[self.home[tile]][self.cell[tile]][-1] == tile

    def is_frozen(self, tile: int) -> bool:
        return bool(self.frozen >> tile & 1)

    def active(self, board: int) -> bool:
        """Return whether a board is the root or that of an enabled tile."""
        while board != ROOT:
            home = self.home[board]
            if home < ROOT or self.frozen >> board & 1:
                return False
            if self.boards[home][self.cell[board]][-1] != board:
                return False
            board = home
        return True

    def enabled(self, tile: int) -> bool:
        """Return whether a tile can act: its board, if anybody looked inside, is active."""
        return self.active(tile)

    def abilities(self, tile: int) -> int:
        """Return the set of abilities a tile can use: its own and those open inside it."""
        found = self.cast.able & 1 << tile
        inside = self.boards[tile]
        if inside:
            for stack in inside.values():
                if not self.frozen >> stack[-1] & 1:
                    found |= self.abilities(stack[-1])
        return found

    def attack_value(self, tile: int) -> int:
        """Return the height of the highest stack inside a tile, 0 if it is empty."""
        return max(map(len, self.boards[tile].values()), default=0)

    def level(self, tile: int) -> int:
        """Return the level of a tile in play: 1 at the bottom of its stack."""
        return self.stack(tile).index(tile) + 1

    def front(self, tile: int) -> int:
        """Return the cell in front of a tile in play."""
        return self.cell[tile] + AHEAD[self.face[tile]]

    def front_stack(self, tile: int) -> tuple[int, ...]:
        """Return the stack in front of a tile in play, () if there is none."""
        return self.boards[self.home[tile]].get(self.front(tile), ())

    def place(self, tile: int) -> Place:
        """Return the place of a tile in play."""
        return Place(self.home[tile], self.cell[tile], self.face[tile])

    def place_of(self, of: Run | Offer) -> Place:
        """Return the current place of a user or of who is offered a chain, or its last one."""
        tile = of.user if isinstance(of, Run) else of.tile
        return of.left_at or self.place(tile)


# these may occupy a new cell of the board they leave; a descent leaves tiles behind
_FORWARD = frozenset({"move", "ascend"})

_MOVERS = frozenset({*_FORWARD, "descend", "enter", "exit"})


def breaks_a_board(pos: Position, action: Action, *, whole: bool = False) -> bool:
    """Return whether an action would leave a board in two pieces.

    ``whole``: the step of this action takes the whole stack along, whatever it says.
    """
    verb, tile, number, _, _ = action
    if verb == "give":
        return pos.boards[tile].splits(number)
    if verb in _MOVERS:
        leaving = number
    elif verb == "unplay":
        leaving = len(pos.stack(tile)) if whole else 1
    elif verb == "attack":
        if len(pos.boards[number]) > pos.attack_value(tile):
            return False
        tile, leaving = number, 1
    else:
        return False
    if len(pos.stack(tile)) > leaving:
        return False
    new = pos.front(tile) if verb in _FORWARD else None
    return pos.boards[pos.home[tile]].splits(pos.cell[tile], new)
