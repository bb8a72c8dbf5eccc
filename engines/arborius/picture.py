"""A position drawn in text, for people (rules section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engines.arborius.actions import SHAPES, Action
from engines.arborius.cast import COLOURS, ROOT, bits
from engines.arborius.grid import cell_at, coordinates
from engines.arborius.position import DEAD, DECK, DEFEND, Position
from engines.arborius.text import action_text
from engines.core.drawing import does, paint
from engines.core.typed import NamedTuple

_ARROWS = "^>v<"


def draw_text(
    pos: Position,
    names: Sequence[str] | None = None,
    last: tuple[int, Action] | None = None,
    *,
    color: bool = False,
) -> str:
    """Draw what goes on, the boards with their insides indented, the decks and the dead.

    Args:
        pos: the position.
        names: of the players, if they have any; then tiles in play that can do more than move are
            described, too.
        last: who took the last action, and what it was: a line says so, and colour marks its tiles.
        color: whether the terminal shows colours.
    """
    marked = frozenset(tiles_of(pos, last[1]) if last else ())
    pen = _Pen(pos, marked, color)
    lines = [summary(pos, COLOURS if names is None else names)]
    for player, name in enumerate(names or ()):
        number = f"player {player}"
        painted = paint(name, f"p{player}", color) + (f" ({number})" if name != number else "")
        lines.append(f"{painted}: {tally(pos, player)}")
    if last:
        lines.append(f"last action: {COLOURS[last[0]]} {action_text(pos.cast, last[1])}")
    lines += [*under_way(pos), *_board(pen, ROOT, "")]
    for player, colour in enumerate(COLOURS):
        sign, tiles = paint(colour, f"p{player}", color), pos.cast.tiles[player]
        if names is not None:
            able = [t for t in tiles if pos.in_play(t) and (pos.cast.icons[t] or pos.boards[t])]
            lines += [f"{sign} in play: {_described(pos, t)}" for t in able]
        in_deck = [t for t in tiles if pos.home[t] == DECK]
        lines.append(f"{sign} deck: {_names(pos, in_deck)}")
    lines.append(f"dead: {_names(pos, bits(pos.dead))}")
    return "\n".join(lines)


class _Pen(NamedTuple):
    """Writes tiles in the colours of their players, and those that are marked in another."""

    pos: Position
    marked: frozenset[int]
    color: bool

    def tile(self, tile: int) -> str:
        """Write a tile with its facing, and a star if it is frozen."""
        pos = self.pos
        shown = pos.cast.ids[tile] + _ARROWS[pos.face[tile]] + "*" * pos.is_frozen(tile)
        style = "last" if tile in self.marked else f"p{pos.cast.owner[tile]}"
        return paint(shown, style, self.color)

    def stack(self, stack: tuple[int, ...] | None) -> str:
        """Write a stack from bottom to top."""
        return "/".join(map(self.tile, stack)) if stack else "."


def summary(pos: Position, called: Sequence[str] = COLOURS) -> str:
    """Say in one line whose turn it is, or who won; ``called`` are the players."""
    if pos.result != "-":
        won = "a draw" if pos.result == "draw" else does(called[COLOURS.index(pos.result)], "wins")
        return f"after {pos.turn} turn{'s' * (pos.turn != 1)}: {won}"
    colour = called[pos.actor]
    if pos.give:
        giver = called[pos.cast.owner[pos.give.giver]]
        taker = pos.cast.ids[pos.give.taker]
        return (
            f"turn {pos.turn}: {does(giver, 'gives')} {pos.give.left} more out of "
            f"{pos.cast.ids[pos.give.giver]} to {taker}"
        )
    return f"turn {pos.turn}: {colour} {'may defend' if pos.phase == DEFEND else 'to act'}"


def tally(pos: Position, player: int) -> str:
    """Say how many of a player's tiles are where."""
    homes = [pos.home[tile] for tile in pos.cast.tiles[player]]
    deck, dead = homes.count(DECK), homes.count(DEAD)
    return f"{COLOURS[player]}: {len(homes) - deck - dead} in play, {deck} in the deck, {dead} dead"


def tiles_of(pos: Position, action: Action) -> list[int]:
    """Return the tiles that an action just taken was about: those that moved, fought or changed."""
    verb, tile, second, *_ = action
    shape = SHAPES[verb]
    if not shape:
        return []
    if verb == "attack":
        return [tile, second]
    if "count" not in shape or not pos.in_play(tile):
        return [tile]
    stack = pos.stack(tile)
    return list(stack[max(0, stack.index(tile) + 1 - second) : stack.index(tile) + 1])


def containers(pos: Position, board: int) -> list[int]:
    """Return the tiles on a board that have something inside, in tile order."""
    on_board = [t for stack in pos.boards[board].values() for t in stack]
    return sorted([t for t in on_board if pos.boards[t]])


def rows_and_columns(pos: Position, board: int, more: Iterable[int] = ()) -> tuple[range, range]:
    """Return the y from north to south and the x from west to east of a board and more cells."""
    places = [coordinates(cell) for cell in (*pos.boards[board], *more)] or [(0, 0)]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return range(max(ys), min(ys) - 1, -1), range(min(xs), max(xs) + 1)


def board_name(pos: Position, board: int) -> str:
    """Return what a board is called: the root, or the tile that it is inside of."""
    return "root" if board == ROOT else f"{pos.cast.ids[board]} {pos.cast.name(board)}"


def under_way(pos: Position) -> Iterator[str]:
    """Say which abilities are performed, how far, and which may be chained."""
    cast = pos.cast
    for run in pos.run:
        ability = f"{cast.ids[run.printed]} {cast.texts[run.printed]}"
        done = f", done to {_ids(pos, run.done)}" if run.done else ""
        yield f"{cast.ids[run.user]} performs {ability}, next icon {run.next}{done}"
    if pos.offer:
        yield f"{cast.ids[pos.offer.tile]} may chain {_ids(pos, bits(pos.offer.abilities))}"


def _board(pen: _Pen, board: int, indent: str) -> Iterator[str]:
    pos, plain = pen.pos, _Pen(pen.pos, frozenset(), color=False)
    yield f"{indent}[{board_name(pos, board)}]{'' if pos.active(board) else ' disabled'}"
    rows, columns = rows_and_columns(pos, board)
    stacks = {(x, y): pos.boards[board].get(cell_at(x, y)) for y in rows for x in columns}
    taken = {place: len(plain.stack(stack)) for place, stack in stacks.items()}
    labels = max(len(str(y)) for y in rows)
    widths = {x: max(len(str(x)), *(taken[x, y] for y in rows)) for x in columns}
    heads = [str(x).ljust(widths[x]) for x in columns]
    yield f"{indent}{' ' * labels}  {'  '.join(heads)}".rstrip()
    for y in rows:
        cells = [pen.stack(stacks[x, y]) + " " * (widths[x] - taken[x, y]) for x in columns]
        yield f"{indent}{y:>{labels}}  {'  '.join(cells)}".rstrip()
    for inner in containers(pos, board):
        yield from _board(pen, inner, indent + "    ")


def _described(pos: Position, tile: int) -> str:
    """Say what a tile in play can do, and what it is worth in a fight if it holds others."""
    stacks = len(pos.boards[tile])
    fight = f", attack {pos.attack_value(tile)}, killed by {stacks}" if stacks else ""
    return f"{pos.cast.ids[tile]} {pos.cast.texts[tile]}{fight}"


def _names(pos: Position, tiles: list[int]) -> str:
    return ", ".join([f"{pos.cast.ids[t]} {pos.cast.texts[t]}" for t in tiles]) or "-"


def _ids(pos: Position, tiles: tuple[int, ...] | list[int]) -> str:
    return ", ".join([pos.cast.ids[t] for t in tiles])
