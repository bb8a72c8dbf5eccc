"""One position of Treeblox, with what the players may do in it.

A cube's code is ``2 * player + leaf``: 0 and 1 are Dark's branch and leaf, 2 and 3 Light's. What
the rules ask for is kept up to date cube by cube: who can use which cells, the highest cube of
every column, active leaves, stocks. States share dictionaries and tuples and never change them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from engines.core.chance import below
from engines.core.drawing import Seat, label, outcomes, paint
from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import IllegalAction
from engines.core.interface import Game, State, View, require_turn
from engines.core.typed import TYPE_CHECKING
from engines.treeblox.lattice import COLUMNS, reached
from engines.treeblox.moves import (
    OVER,
    PHASES,
    begin_turn,
    has_cell,
    put_beside,
    take_out,
    turn_after_cube,
)
from engines.treeblox.picture import draw_text
from engines.treeblox.playout import play_at_random
from engines.treeblox.svg import draw_svg
from engines.treeblox.text import ACTIONS, LONGEST, cell_of, objection, position_text
from engines.treeblox.words import action_words, prompt

if TYPE_CHECKING:
    import random

    from engines.treeblox.moves import Cells, Turn

_NAMES = ("Dark", "Light")
_TO_ACT = ((0,), (1,), ())
_PASS_MEANS = {
    "idle": "pass places nothing",
    "end": "pass ends the game",
    "stop": "pass ends the turn",
}


class TreebloxState(State):
    """A position. The attributes may be read, as by a bot, and must not be changed.

    Attributes:
        cubes: cell (see ``lattice``) → code of the cube in it.
        tops: column (``cell % COLUMNS``) → its highest occupied cell.
        free: available cells, ascending, one tuple a player.
        stock: cubes not yet placed, by code.
        active: active leaves, one number a player.
        turn: see ``Turn``.
        drops: who was dropped.
    """

    __slots__ = ("active", "cubes", "drops", "free", "game", "stock", "tops", "turn")

    def __init__(
        self,
        game: Game,
        cubes: dict[int, int],
        tops: dict[int, int],
        free: tuple[Cells, Cells],
        stock: tuple[int, ...],
        active: tuple[int, int],
        turn: Turn,
        drops: Drops = NO_DROPS,
    ) -> None:
        """Put together parts that belong together; nothing is checked."""
        self.game = game
        self.cubes = cubes
        self.tops = tops
        self.free = free
        self.stock = stock
        self.active = active
        self.turn = turn
        self.drops = drops

    def players_to_act(self) -> tuple[int, ...]:
        return _TO_ACT[self.turn[0]]

    def legal_actions(self, player: int) -> tuple[str, ...]:
        if player != self.turn[0] or player < 0:
            return ()
        cells, actions = self.free[player], list[str]()
        for letter in self._letters():
            actions += map(ACTIONS[letter].__getitem__, cells)
        if self.turn[3] != "-":
            actions.append("pass")
        return tuple(actions)

    def count_legal(self, player: int) -> int:
        if player not in self.players_to_act():
            return 0
        return len(self._letters()) * len(self.free[player]) + (self.turn[3] != "-")

    def sample_action(self, player: int, rng: random.Random) -> str:
        require_turn(self, player)
        cells, letters = self.free[player], self._letters()
        count = len(letters) * len(cells)
        index = below(rng, count + (self.turn[3] != "-"))
        if index == count:
            return "pass"
        kind, place = divmod(index, len(cells))
        return ACTIONS[letters[kind]][cells[place]]

    def after(self, player: int, action: str) -> TreebloxState:
        if action == "pass":
            if self.turn[3] != "-":
                return self.after_pass()
        else:
            cell = cell_of(action) if len(action) <= LONGEST else None
            if (
                cell is not None
                and action[0] in self._letters()
                and has_cell(self.free[player], cell)
            ):
                return self.after_cube(cell, action[0] == "L")
        legal = self.legal_actions(player)[0]
        raise IllegalAction(objection(action, legal, self.cubes, self.free[player], self.turn))

    def after_cube(self, cell: int, leaf: bool) -> TreebloxState:
        """Return the state after the player to act placed a branch or a leaf.

        It is taken on trust that the cell is available and the cube in stock.
        """
        player = self.turn[0]
        code = 2 * player + leaf
        cubes = self.cubes.copy()  # faster than {**cubes, …}
        cubes[cell] = code
        tops, active = self.tops, self.active
        column = cell % COLUMNS
        lower = tops.get(column, -1)
        if lower < cell:
            tops = tops.copy()
            tops[column] = cell
            dark, light = active
            shaded = cubes[lower] if lower >= 0 else 0  # a branch, if anything: no leaf is shaded
            dark += (code == 1) - (shaded == 1)
            light += (code == 3) - (shaded == 3)
            active = (dark, light)
        stock = list(self.stock)
        stock[code] -= 1
        own, other = self.free[player], self.free[1 - player]
        own = take_out(own, cell) if leaf else put_beside(own, cell, cubes)
        other = take_out(other, cell)
        free = (other, own) if player else (own, other)
        rest = tuple(stock)
        turn = turn_after_cube(self.turn, free, rest, active)
        return TreebloxState(self.game, cubes, tops, free, rest, active, turn)

    def after_pass(self) -> TreebloxState:
        """Return the state after the player to act passed, which must be legal."""
        player, _, _, passing = self.turn
        turn = OVER
        if passing != "end":
            empty = passing == "idle"
            turn = begin_turn(1 - player, self.stock, self.active, "end" if empty else "idle")
        return self._with(turn, self.drops)

    def without(self, player: int, drops: Drops) -> TreebloxState:
        return self._with(OVER, drops)

    def scores(self) -> tuple[float, ...]:
        return self.active

    def seen(self, player: int | None) -> str:
        return position_text(self.turn, self.cubes)

    def random_playout(self, rng: random.Random) -> tuple[float, ...]:
        if self.turn[0] < 0:
            return self.returns()
        dark, light = play_at_random(
            self.cubes, self.tops, self.free, self.stock, self.active, self.turn, rng
        )
        return (0.0, 0.0) if dark == light else (1.0, -1.0) if dark > light else (-1.0, 1.0)

    def count_sequences(self, depth: int) -> int:
        player, _, _, passing = self.turn
        if depth == 0:
            return 1
        if depth == 1 or player < 0:
            return self.count_legal(player)
        total = self.after_pass().count_sequences(depth - 1) if passing != "-" else 0
        for letter in self._letters():
            for cell in self.free[player]:
                total += self.after_cube(cell, letter == "L").count_sequences(depth - 1)
        return total

    def key(self) -> Hashable:
        # everything else follows from these
        return self.turn, frozenset(self.cubes.items()), self.drops

    def features(self, player: int) -> tuple[float, ...]:
        """Return for each cell in reach 1 for a branch and 2 for a leaf, the other's below 0.

        Then stocks and active leaves, one's own first; whether it is the player's turn, how many
        cubes are left in it, the phase by its number, and whether it may be passed.
        """
        values = {2 * player: 1.0, 2 * player + 1: 2.0, 2 - 2 * player: -1.0, 3 - 2 * player: -2.0}
        cubes = self.cubes
        cells = [values[cubes[cell]] if cell in cubes else 0.0 for cell in reached()]
        own, other = self.stock[2 * player :][:2], self.stock[2 - 2 * player :][:2]
        active = self.active[player], self.active[1 - player]
        to, phase, left, passing = self.turn
        turn = to == player, left, PHASES.index(phase), passing != "-", passing == "end"
        return (*cells, *map(float, (*own, *other, *active, *turn)))

    def prompt(self, player: int, clicks: Sequence[str]) -> str:
        return prompt(self._letters(), self.turn[3] != "-", clicks)

    def called(self, action: str) -> str:
        known = action == "pass" or cell_of(action[: LONGEST + 1]) is not None
        return action_words(action) if known else super().called(action)

    def svg(self, view: View) -> str:
        ends = outcomes(self.ranks()) if self.turn[0] < 0 else ("", "")
        seats = []
        for p, called in enumerate(self._called(view.names)):
            branches, leaves = self.stock[2 * p : 2 * p + 2]
            left = f", {ends[p]}" if ends[p] else f"; {branches} branches, {leaves} leaves"
            seats.append(Seat(called, f"{self.active[p]} active{left}", p == self.turn[0]))
        placed = self._placed(view.last)
        return draw_svg(self.cubes, self.tops, seats, self._status(), placed, view.choices)

    def text(self, view: View) -> str:
        placed, color = self._placed(view.last), view.color
        lines = [*draw_text(self.cubes, placed, color=color), "", self._status()]
        for p, called in enumerate(self._called(view.names)):
            branches, leaves = self.stock[2 * p : 2 * p + 2]
            lines.append(
                f"{paint(called, f'p{p}', color)}: active leaves {self.active[p]}; "
                f"in stock: branches {branches}, leaves {leaves}"
            )
        return "\n".join(lines)

    def _called(self, names: Sequence[str]) -> Iterator[str]:
        """Yield what the players are called: Dark and Light, after their names if they have any."""
        for player, colour in enumerate(_NAMES):
            yield f"{label(player, names)} ({colour})" if names else colour

    def _placed(self, last: tuple[int, str] | None) -> int | None:
        """Return the cell of the last action's cube, if it is one that was placed."""
        if last is None:
            return None
        player, action = last
        cell = cell_of(action[: LONGEST + 1])
        code = self.cubes.get(cell, -1) if cell is not None else -1
        return cell if code == 2 * player + (action[:1] == "L") else None

    def _letters(self) -> str:
        """Return the kinds of cubes that may be placed now, branches first."""
        player, phase, _, _ = self.turn
        if phase == "first":
            return "L"
        stock = self.stock
        if stock[2 * player]:
            return "BL" if stock[2 * player + 1] else "B"
        return "L" if stock[2 * player + 1] else ""

    def _with(self, turn: Turn, drops: Drops) -> TreebloxState:
        parts = (self.cubes, self.tops, self.free, self.stock, self.active)
        return TreebloxState(self.game, *parts, turn, drops)

    def _status(self) -> str:
        """Say who is to act and what they may do, or how the game ended."""
        player, phase, left, passing = self.turn
        if player < 0:
            return f"The game is over: {self._outcome()}"
        most = f"{left} cube{'s' * (left != 1)}"
        what = f"at most {most}" if phase == "main" else most
        means = f"; {_PASS_MEANS[passing]}" if passing != "-" else ""
        return f"{_NAMES[player]} to act, {phase}: {what}{means}"

    def _outcome(self) -> str:
        gone = [_NAMES[player] for group in self.drops.groups for player in group]
        if gone:
            return " and ".join(gone) + (" were dropped" if len(gone) > 1 else " was dropped")
        dark, light = self.ranks()
        return "a draw" if dark == light else f"{_NAMES[dark > light]} wins"
