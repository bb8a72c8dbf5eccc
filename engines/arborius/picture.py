"""A position drawn in text, for people (rules section 8)."""

from __future__ import annotations

from collections.abc import Iterator

from engines.arborius.cast import COLOURS, ROOT, bits
from engines.arborius.grid import cell_at, coordinates
from engines.arborius.position import DECK, DEFEND, Position

__all__ = ["containers", "draw_text", "rows_and_columns", "summary"]

_ARROWS = "^>v<"


def draw_text(pos: Position) -> str:
    """Draw what goes on, the boards with their insides indented, the decks and the dead."""
    lines = [summary(pos), *_under_way(pos), *_board(pos, ROOT, "")]
    for player, colour in enumerate(COLOURS):
        tiles = [t for t in pos.cast.tiles[player] if pos.home[t] == DECK]
        lines.append(f"{colour} deck: {_names(pos, tiles)}")
    lines.append(f"dead: {_names(pos, bits(pos.dead))}")
    return "\n".join(lines)


def summary(pos: Position) -> str:
    """Say in one line whose turn it is, or who won."""
    if pos.result != "-":
        won = "a draw" if pos.result == "draw" else f"{pos.result} wins"
        return f"after {pos.turn} turn{'s' * (pos.turn != 1)}: {won}"
    colour = COLOURS[pos.actor]
    if pos.give:
        giver = COLOURS[pos.cast.owner[pos.give.giver]]
        taker = pos.cast.ids[pos.give.taker]
        return (
            f"turn {pos.turn}: {giver} gives {pos.give.left} more out of "
            f"{pos.cast.ids[pos.give.giver]} to {taker}"
        )
    return f"turn {pos.turn}: {colour} {'may defend' if pos.phase == DEFEND else 'to act'}"


def containers(pos: Position, board: int) -> list[int]:
    """Return the tiles on a board that have something inside, in tile order."""
    on_board = [t for stack in pos.boards[board].values() for t in stack]
    return sorted([t for t in on_board if pos.boards[t]])


def rows_and_columns(pos: Position, board: int) -> tuple[range, range]:
    """Return the y from north to south and the x from west to east that a board needs."""
    places = [coordinates(cell) for cell in pos.boards[board]] or [(0, 0)]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return range(max(ys), min(ys) - 1, -1), range(min(xs), max(xs) + 1)


def _under_way(pos: Position) -> Iterator[str]:
    cast = pos.cast
    for run in pos.run:
        ability = f"{cast.ids[run.printed]} {cast.texts[run.printed]}"
        done = f", done to {_ids(pos, run.done)}" if run.done else ""
        yield f"{cast.ids[run.user]} performs {ability}, next icon {run.next}{done}"
    if pos.offer:
        yield f"{cast.ids[pos.offer.tile]} may chain {_ids(pos, bits(pos.offer.abilities))}"


def _board(pos: Position, board: int, indent: str) -> Iterator[str]:
    name = "root" if board == ROOT else f"{pos.cast.ids[board]} {pos.cast.name(board)}"
    yield f"{indent}[{name}]{'' if pos.active(board) else ' disabled'}"
    rows, columns = rows_and_columns(pos, board)
    cells = {
        (x, y): _stack(pos, pos.boards[board].get(cell_at(x, y))) for y in rows for x in columns
    }
    labels = max(len(str(y)) for y in rows)
    widths = [max(len(str(x)), *(len(cells[x, y]) for y in rows)) for x in columns]
    heads = [str(x).ljust(width) for x, width in zip(columns, widths, strict=True)]
    yield f"{indent}{' ' * labels}  {'  '.join(heads)}".rstrip()
    for y in rows:
        texts = [cells[x, y].ljust(width) for x, width in zip(columns, widths, strict=True)]
        yield f"{indent}{y:>{labels}}  {'  '.join(texts)}".rstrip()
    for inner in containers(pos, board):
        yield from _board(pos, inner, indent + "    ")


def _stack(pos: Position, stack: tuple[int, ...] | None) -> str:
    if stack is None:
        return "."
    ids, face = pos.cast.ids, pos.face
    return "/".join([ids[t] + _ARROWS[face[t]] + ("*" if pos.is_frozen(t) else "") for t in stack])


def _names(pos: Position, tiles: list[int]) -> str:
    return ", ".join([f"{pos.cast.ids[t]} {pos.cast.texts[t]}" for t in tiles]) or "-"


def _ids(pos: Position, tiles: tuple[int, ...] | list[int]) -> str:
    return ", ".join([pos.cast.ids[t] for t in tiles])
