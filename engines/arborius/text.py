"""Actions and positions as text, with all that can be wrong in it (rules sections 4 and 8)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from engines.arborius.actions import LEFT, RIGHT, SHAPES, Action
from engines.arborius.cast import COLOURS, ROOT, Cast, bits, cast_of, read_tile
from engines.arborius.chains import chains
from engines.arborius.completion import completable
from engines.arborius.grid import FACES, cell_text, coordinates, in_one_piece, read_cell
from engines.arborius.moves import can_defend, is_legal
from engines.arborius.position import (
    DEAD,
    DEFEND,
    MOST_USED,
    TURN,
    Basics,
    Board,
    Gifts,
    Limits,
    Offer,
    Place,
    Position,
    Run,
    Spot,
)
from engines.core.errors import BadSetup, IllegalAction, near_miss
from engines.core.text import natural, quoted

_ORDER = "turn phase actor w b root (boards in tile order) dead used hit run offer give result"

_STANDING = re.compile(r"([wb][0-9]+)([NESW])(\*?)", re.ASCII)

# Coordinates in a setup are at most so large, and _STEPS larger for each turn begun, so that
# what is played from it can be read again; with all turns that there can be they have nine digits.
_EDGE, _STEPS = 100_000_000, 800

_DEEPEST = 250  # boards around a tile in a setup; functions that go inside call themselves

MOST_WRITTEN = 1 << 14  # texts that a cast keeps

_EXAMPLES = {
    "tile": "a tile like w3",
    "count": "a number",
    "board": 'a tile or "root"',
    "cell": "a cell like -1,0",
    "face": "N, E, S or W",
    "turn": "L or R",
}


def action_text(cast: Cast, action: Action | Spot) -> str:
    """Write an action, as the inverse of ``read_action``, or a spot as a play ends with it."""
    text = cast.written.get(action)  # of one list, most were in the last one
    if text is None:
        if len(cast.written) == MOST_WRITTEN:
            cast.written.clear()
        text = cast.written[action] = _write(cast, action)
    return text


def texts_of(cast: Cast, found: Basics) -> list[str]:
    """Write all actions that were found, by their numbers."""
    actions, tiles, spots = found
    written = cast.written
    begins = [f"play:{cast.ids[tile]}:" for tile in tiles]
    ends = [written.get(spot) or action_text(cast, spot) for spot in spots]
    plays = [begin + end for begin in begins for end in ends]
    return plays + [written.get(action) or action_text(cast, action) for action in actions]


def _write(cast: Cast, action: Action | Spot) -> str:
    ids = cast.ids
    if len(action) == 3:
        board, cell, face = action
        return f"{ids[board]}:{cell_text(cell)}:{FACES[face]}"
    verb = action[0]
    if verb == "play":
        return f"play:{ids[action[1]]}:{_write(cast, action[2:])}"
    words = [verb]
    for kind, value in zip(SHAPES[verb], action[1:], strict=False):
        if kind == "tile":
            words.append(ids[value])
        elif kind == "count":
            words.append(str(value))
        elif kind == "cell":
            words.append(cell_text(value))
        else:
            words.append("L" if value == LEFT else "R")
    return ":".join(words)


def read_action(cast: Cast, text: str) -> Action:
    """Read an action, written exactly as ``action_text`` writes it; raises ``IllegalAction``."""
    verb, *words = text.split(":")
    shape = SHAPES.get(verb)
    if shape is None:
        known = ", ".join(SHAPES)
        raise IllegalAction(
            f"unknown action {quoted(verb)}{near_miss(verb[:20], SHAPES)}: expected one of {known}"
        )
    if len(words) != len(shape):
        form = ":".join([verb, *shape])
        raise IllegalAction(f"expected {form}, found {quoted(text)}")
    values = [0, 0, 0, 0]
    for i, (kind, word) in enumerate(zip(shape, words, strict=True)):
        value = _READERS[kind](cast, word)
        if value is None:
            raise IllegalAction(
                f"expected {_EXAMPLES[kind]} as part {i + 2} of {quoted(text)}, "
                f"found {quoted(word)}"
            )
        values[i] = value
    return (verb, *values)  # type: ignore[return-value]  # four values, but a list cannot say so


_READERS: dict[str, Callable[[Cast, str], int | None]] = {
    "tile": lambda cast, word: cast.number.get(word),
    "count": lambda cast, word: natural(word),
    "board": lambda cast, word: ROOT if word == "root" else cast.number.get(word),
    "cell": lambda cast, word: read_cell(word),
    "face": lambda cast, word: {"N": 0, "E": 1, "S": 2, "W": 3}.get(word),
    "turn": lambda cast, word: {"L": LEFT, "R": RIGHT}.get(word),
}


def read(text: str, limits: Limits) -> Position:
    """Read an observation; raises ``BadSetup``. The end conditions of section 2 are not applied."""
    tokens = _Tokens(text)
    turn = _number("turn", tokens.take("turn"))
    if turn > limits.turns:  # what follows could not be read again
        raise BadSetup(f"turn= is at most {limits.turns}, as the game has max_turns, not {turn}")
    phase = _one_of("phase", tokens.take("phase"), (TURN, DEFEND))
    actor = int(_one_of("actor", tokens.take("actor"), ("0", "1")))
    white = _tile_list("w", tokens.take("w"))
    black = _tile_list("b", tokens.take("b"))
    pos = Position.empty(cast_of(white, black), limits)
    pos.turn, pos.phase, pos.actor = turn, phase, actor
    _read_boards(pos, tokens)
    pos.dead = _read_set(pos, "dead", tokens.take("dead"))
    pos.used = _read_set(pos, "used", tokens.take("used"))
    pos.hit = _read_set(pos, "hit", tokens.take("hit"))
    pos.run = _read_runs(pos, tokens.take("run"))
    pos.offer = _read_offer(pos, tokens.take("offer"))
    pos.give = _read_gifts(pos, tokens.take("give"))
    pos.result = _one_of("result", tokens.take("result"), ("-", "w", "b", "draw"))
    tokens.end()
    _check_sets(pos)
    _check_under_way(pos)
    _check_edge(pos)
    if write(pos) != text:
        raise BadSetup(f'not written as an observation writes it: expected "{write(pos)}"')
    return pos


class _Tokens:
    """The tokens ``key=value`` of a setup, taken one after the other."""

    def __init__(self, text: str) -> None:
        if not text.isascii() or not text.isprintable():
            raise BadSetup("a setup is one line of printable ASCII")
        self.words = text.split(" ")
        self.next = 0

    def key(self) -> str:
        """Return the key of the next token, '' at the end."""
        if self.next == len(self.words):
            return ""
        return self.words[self.next].partition("=")[0]

    def take(self, key: str) -> str:
        """Return the value of the next token, which must have this key."""
        found = self.words[self.next] if self.next < len(self.words) else "the end"
        name, equals, value = found.partition("=")
        if name != key or not equals:
            raise BadSetup(
                f'expected "{key}=" as token {self.next + 1}, found "{found}"; '
                f"the tokens are {_ORDER}"
            )
        if not value:
            raise BadSetup(f'{key}= is empty: an empty value is written "-"')
        self.next += 1
        return value

    def end(self) -> None:
        if self.next < len(self.words):
            raise BadSetup(f'nothing follows result=, found "{self.words[self.next]}"')


# Values
def _number(key: str, value: str) -> int:
    number = natural(value)
    if number is None:
        raise BadSetup(f'{key}= is a number without leading zeros, found "{value}"')
    return number


def _one_of(key: str, value: str, words: tuple[str, ...]) -> str:
    if value not in words:
        raise BadSetup(f'{key}= is one of {", ".join(words)}, found "{value}"')
    return value


def _split(value: str, mark: str) -> list[str]:
    return [] if value == "-" else value.split(mark)


def _tile_list(colour: str, value: str) -> tuple[str, ...]:
    texts = _split(value, ",")
    for i, text in enumerate(texts):
        try:
            read_tile(text)
        except ValueError as error:
            raise BadSetup(f"{colour}{i}: {error}") from None
    return tuple(texts)


def _tile(cast: Cast, key: str, word: str) -> int:
    tile = cast.number.get(word)
    if tile is None:
        raise BadSetup(f'{key}= names "{word}", which is in neither list')
    return tile


def _tiles(cast: Cast, key: str, words: list[str]) -> list[int]:
    """Read tiles that stand in tile order."""
    tiles = [_tile(cast, key, word) for word in words]
    if any(a >= b for a, b in pairwise(tiles)):
        raise BadSetup(f"{key}= lists tiles in tile order, each once: {','.join(words)}")
    return tiles


def _read_set(pos: Position, key: str, value: str) -> int:
    return sum(1 << tile for tile in _tiles(pos.cast, key, _split(value, ",")))


def _cell(key: str, word: str) -> int:
    cell = read_cell(word)
    if cell is None:
        raise BadSetup(f'{key}= has a cell "{word}": expected x,y like -1,0')
    return cell


def _check_edge(pos: Position) -> None:
    """Refuse cells from which a game could come to those that no text can have."""
    under_way = pos.phase != TURN or bool(pos.run or pos.offer or pos.give)
    most = _EDGE + _STEPS * (pos.turn + under_way)
    places = [run.left_at for run in pos.run] + ([pos.offer.left_at] if pos.offer else [])
    cells = [cell for board in pos.boards for cell in board]
    cells += [place.cell for place in places if place is not None]
    for cell in cells:
        if max(map(abs, coordinates(cell))) > most:
            where = f"{cell_text(cell)}, but a coordinate is at most {most} in size"
            raise BadSetup(f"there is a cell {where} in turn {pos.turn}")


# Boards
def _read_boards(pos: Position, tokens: _Tokens) -> None:
    pos.boards[ROOT] = _read_board(pos, ROOT, tokens.take("root"))
    last = -1
    while tokens.key() in pos.cast.number:
        key = tokens.key()
        tile = pos.cast.number[key]
        if tile <= last:
            raise BadSetup(f"{key}= comes once, and boards stand in tile order")
        last = tile
        pos.boards[tile] = _read_board(pos, tile, tokens.take(key))
        if not pos.boards[tile]:
            raise BadSetup(f"{key}= is left out if nothing is inside it")
    for tile in range(pos.cast.size):
        _check_way_to_root(pos, tile)


def _read_board(pos: Position, board: int, value: str) -> Board:
    key = pos.cast.ids[board]
    cells: dict[int, tuple[int, ...]] = {}
    for part in _split(value, "|"):
        at, colon, words = part.partition(":")
        cell = _cell(key, at)
        if cells and cell <= max(cells):
            raise BadSetup(f"{key}= lists each cell once, by x and then y: {at} is out of order")
        if not colon:
            raise BadSetup(f'{key}= has "{part}": expected x,y:STACK')
        cells[cell] = tuple(_read_standing(pos, board, cell, word) for word in words.split("+"))
    if not in_one_piece(cells):
        raise BadSetup(f"{key}= is not contiguous")
    return Board.of(cells)


def _read_standing(pos: Position, board: int, cell: int, word: str) -> int:
    key = pos.cast.ids[board]
    match = _STANDING.fullmatch(word)
    if match is None:
        raise BadSetup(f'{key}= has "{word}" in a stack: expected a tile and its facing, like w0N')
    tile = _tile(pos.cast, key, match[1])
    if pos.in_play(tile):
        raise BadSetup(f"{match[1]} is in play twice")
    pos.home[tile], pos.cell[tile], pos.face[tile] = board, cell, FACES.index(match[2])
    if match[3]:
        pos.frozen |= 1 << tile
    return tile


def _check_way_to_root(pos: Position, tile: int) -> None:
    ids = pos.cast.ids
    if not pos.in_play(tile):
        if pos.boards[tile]:
            raise BadSetup(f"{ids[tile]}= is the board of a tile that is not in play")
        return
    board, passed = pos.home[tile], 0
    while board != ROOT:
        if passed == pos.cast.size:
            raise BadSetup(f"{ids[tile]} does not stand on root, nor does any tile around it")
        if not pos.in_play(board):
            raise BadSetup(f"{ids[board]}= is the board of a tile that is not in play")
        if passed == _DEEPEST:
            raise BadSetup(f"{ids[tile]} stands inside more than {_DEEPEST} tiles")
        board, passed = pos.home[board], passed + 1


# What is under way
def _read_place(pos: Position, key: str, tile: int, words: list[str]) -> Place | None:
    """Read ``BOARD/x,y/F`` of a tile: its last place, or ``None`` if it is in play and there."""
    board_word, cell_word, face_word = words
    board = ROOT if board_word == "root" else _tile(pos.cast, key, board_word)
    if len(face_word) != 1 or face_word not in FACES:
        raise BadSetup(f'{key}= has a facing "{face_word}": expected N, E, S or W')
    place = Place(board, _cell(key, cell_word), FACES.index(face_word))
    if not pos.in_play(tile):
        return place
    if pos.place(tile) != place:
        raise BadSetup(f"{key}= has {pos.cast.ids[tile]} where it does not stand")
    return None


def _read_runs(pos: Position, value: str) -> tuple[Run, ...]:
    runs = tuple(_read_run(pos, part) for part in _split(value, "|"))
    printed = [run.printed for run in runs]
    if len(set(printed)) != len(printed):
        raise BadSetup("run= has an ability twice: none is used more than once in a turn")
    return runs


def _read_run(pos: Position, text: str) -> Run:
    cast = pos.cast
    words = text.split("/")
    if len(words) != 7:
        raise BadSetup(f'run= has "{text}": expected USER/PRINTED/NEXT/BOARD/x,y/F/DONE')
    user, printed = _tile(cast, "run", words[0]), _tile(cast, "run", words[1])
    icons = cast.icons[printed]
    following = _number("run", words[2])
    if following >= len(icons):
        raise BadSetup(f"run= goes on with icon {following} of {words[1]}, which has {len(icons)}")
    if cast.owner[user] != pos.actor:
        raise BadSetup(f"run= has {words[0]} as a user, but player {pos.actor} acts")
    if not pos.used >> printed & 1:
        raise BadSetup(f"run= has {words[1]}, which used= does not list")
    done = tuple(_tile(cast, "run", word) for word in _split(words[6], "+"))
    icon = icons[following]
    if done and (len(done) >= icon.times or len(set(done)) != len(done)):
        raise BadSetup(f'run= has DONE "{words[6]}", but icon {following} is not half done with it')
    return Run(user, printed, following, _read_place(pos, "run", user, words[3:6]), done)


def _read_offer(pos: Position, value: str) -> Offer | None:
    if value == "-":
        return None
    words = value.split("/")
    if len(words) != 5:
        raise BadSetup(f'offer= is "{value}": expected X/BOARD/x,y/F/P+P')
    tile = _tile(pos.cast, "offer", words[0])
    if pos.cast.owner[tile] != pos.actor:
        raise BadSetup(f"offer= is to {words[0]}, but player {pos.actor} acts")
    abilities = _tiles(pos.cast, "offer", words[4].split("+"))
    for printed in abilities:
        if len(pos.cast.icons[printed]) < 2:
            raise BadSetup(f"offer= has {pos.cast.ids[printed]}, which has nothing to go on with")
        if pos.used >> printed & 1 or not pos.may_use_more():
            raise BadSetup(f"offer= has {pos.cast.ids[printed]}, which used= lists or has no room")
    place = _read_place(pos, "offer", tile, words[1:4])
    return Offer(tile, place, sum(1 << printed for printed in abilities))


def _read_gifts(pos: Position, value: str) -> Gifts | None:
    if value == "-":
        return None
    words = value.split("/")
    if len(words) != 3:
        raise BadSetup(f'give= is "{value}": expected A/D/LEFT')
    taker, giver = _tile(pos.cast, "give", words[0]), _tile(pos.cast, "give", words[1])
    left = _number("give", words[2])
    if not pos.in_play(taker) or not pos.in_play(giver):
        raise BadSetup("give= names a tile that is not in play")
    if pos.home[taker] != pos.home[giver] or pos.cell[taker] == pos.cell[giver]:
        raise BadSetup("give= names two tiles that do not stand on one board in two stacks")
    if not 1 <= left < len(pos.boards[giver]):
        raise BadSetup(f"give= asks for {left} of {len(pos.boards[giver])} stacks of {words[1]}")
    return Gifts(taker, giver, left)


# What must go together
def _check_sets(pos: Position) -> None:
    ids, cast = pos.cast.ids, pos.cast
    for tile in bits(pos.dead):
        if pos.in_play(tile):
            raise BadSetup(f"{ids[tile]} is both dead and in play")
        pos.home[tile] = DEAD
    if pos.used.bit_count() > MOST_USED:
        raise BadSetup(f"used= lists at most {MOST_USED} abilities, the most of a turn")
    for tile in bits(pos.used & ~cast.able):
        raise BadSetup(f"used= has {ids[tile]}, which has no ability")
    attacked = 1 - pos.actor if pos.phase == TURN else pos.actor
    for tile in bits(pos.hit & (~cast.own[attacked] | pos.dead)):
        raise BadSetup(f"hit= has {ids[tile]}: expected tiles of player {attacked}, not dead")


def _check_under_way(pos: Position) -> None:
    if pos.result != "-":
        if pos.run or pos.offer or pos.give or pos.phase == DEFEND:
            raise BadSetup("result= says that the game is over, but something is under way")
        return
    if not completable(pos):
        raise BadSetup("an ability under way cannot be completed")
    if pos.run or pos.give:
        return
    if pos.offer:
        if not any(is_legal(pos, chain) for chain in chains(pos)):
            raise BadSetup("offer= has no legal chain, and nothing else is under way")
    elif pos.phase == DEFEND and not can_defend(pos):
        raise BadSetup("phase=defend, but no tile in hit= has an ability to defend with")


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
