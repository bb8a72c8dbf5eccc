"""A position as one line of text (rules section 8); ``setup`` reads it back."""

from __future__ import annotations

from engines.arborius.cast import COLOURS, ROOT, bits
from engines.arborius.grid import FACES, cell_text
from engines.arborius.position import Board, Place, Position

__all__ = ["write"]


def write(pos: Position) -> str:
    """Write the observation of a position, the same for everyone."""
    cast, ids = pos.cast, pos.cast.ids
    tokens = [f"turn={pos.turn} phase={pos.phase} actor={pos.actor}"]
    tokens += [f"{colour}={_joined(cast.list_of(i))}" for i, colour in enumerate(COLOURS)]
    tokens.append(f"root={_board(pos, pos.boards[ROOT])}")
    tokens += [f"{ids[t]}={_board(pos, pos.boards[t])}" for t in range(cast.size) if pos.boards[t]]
    for key, tiles in (("dead", pos.dead), ("used", pos.used), ("hit", pos.hit)):
        tokens.append(f"{key}={_joined([ids[t] for t in bits(tiles)])}")
    tokens.append(f"run={_runs(pos)} offer={_offer(pos)} give={_gifts(pos)} result={pos.result}")
    return " ".join(tokens)


def _joined(words: tuple[str, ...] | list[str], mark: str = ",") -> str:
    return mark.join(words) or "-"


def _board(pos: Position, board: Board) -> str:
    return _joined([f"{cell_text(c)}:{_stack(pos, board[c])}" for c in sorted(board)], "|")


def _stack(pos: Position, stack: tuple[int, ...]) -> str:
    ids, face, frozen = pos.cast.ids, pos.face, pos.frozen
    return "+".join([ids[t] + FACES[face[t]] + ("*" if frozen >> t & 1 else "") for t in stack])


def _place(pos: Position, place: Place) -> str:
    return f"{pos.cast.ids[place.board]}/{cell_text(place.cell)}/{FACES[place.face]}"


def _runs(pos: Position) -> str:
    ids = pos.cast.ids
    texts = [
        f"{ids[run.user]}/{ids[run.printed]}/{run.next}/{_place(pos, pos.place_of(run))}/"
        + _joined([ids[t] for t in run.done], "+")
        for run in pos.run
    ]
    return _joined(texts, "|")


def _offer(pos: Position) -> str:
    offer = pos.offer
    if offer is None:
        return "-"
    abilities = _joined([pos.cast.ids[p] for p in bits(offer.abilities)], "+")
    return f"{pos.cast.ids[offer.tile]}/{_place(pos, pos.place_of(offer))}/{abilities}"


def _gifts(pos: Position) -> str:
    if pos.give is None:
        return "-"
    return f"{pos.cast.ids[pos.give.taker]}/{pos.cast.ids[pos.give.giver]}/{pos.give.left}"
