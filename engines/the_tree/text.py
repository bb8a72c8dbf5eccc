"""Setups, observations and actions as text: deals and positions, and tiles as they are placed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engines.core.drops import NO_DROPS, Drops
from engines.core.errors import BadSetup, IllegalAction
from engines.core.interface import Event
from engines.core.text import fields, natural, quoted
from engines.core.typed import TYPE_CHECKING
from engines.the_tree.grid import OPENING_ANCHOR, Board, anchor_at, place_of
from engines.the_tree.moves import begin_turn
from engines.the_tree.table import OVER, Rules, Table
from engines.the_tree.tiles import (
    TILE_OF_WAY,
    TILE_TEXTS,
    WAYS_OF_TILE,
    hand_of,
    is_double,
    tiles_of,
    tiles_text,
)

if TYPE_CHECKING:
    from engines.core.interface import Viewer
    from engines.the_tree.moves import Turn

DEAL = "HANDS SUPPLY"
POSITION = "BOARD HANDS SUPPLY TO OUT"

_TILE_INDEX = {text: tile for tile, text in enumerate(TILE_TEXTS)}
_WAY_TEXTS = tuple(f"{way >> 3}{way & 7}@" for way in range(64))
_WAYS = {text: way for way, text in enumerate(_WAY_TEXTS)}
_FEW_DIGITS = len("00@-36:35")


def observe(table: Table, to: int, viewer: Viewer) -> str:
    """Write the position as a viewer sees it, with the player to act, without the drops."""
    board = ",".join(placed_text(anchor, way) for anchor, way in table.laid())
    hands = "/".join(
        tiles_text(tiles_of(hand), hidden=viewer not in (None, player))
        for player, hand in enumerate(table.hands)
    )
    supply = tiles_text(table.supply, hidden=viewer is not None)
    turn = "-" if to == OVER else str(to)
    return f"{board} {hands} {supply} {turn} {','.join(map(str, table.out)) or '-'}"


def placed_text(anchor: int, way: int) -> str:
    """Write a placed tile, ``LR@x:y``."""
    return _WAY_TEXTS[way] + _place_text(anchor)


@lru_cache(maxsize=1 << 12)  # more than there are cells
def _place_text(anchor: int) -> str:
    x, y = place_of(anchor)
    return f"{x}:{y}"


def listing(board: Board, placements: int) -> dict[str, tuple[int, int]]:
    """Return anchor and way of placements by their texts, in the documented order.

    That is by tile, then by y, then by x.
    """
    anchors, ordered = board.anchors, []
    while placements:
        bit = placements.bit_length() - 1
        placements ^= 1 << bit
        way = bit & 63
        # a cell's index grows by y, then by x
        ordered.append((TILE_OF_WAY[way] << 12 | anchors[bit >> 6]) << 6 | way)
    ordered.sort()
    found = {}
    for key in ordered:
        anchor, way = key >> 6 & 0xFFF, key & 63
        found[_WAY_TEXTS[way] + _place_text(anchor)] = anchor, way  # placed_text, without the call
    return found


def read_action(text: str) -> tuple[int, int]:
    """Read what ``placed_text`` writes: anchor (``OFF_GRID`` if far away) and way.

    Raises:
        IllegalAction: it is not written so.
    """
    way = _WAYS.get(text[:3])
    # of texts with many digits, too many differ to be kept
    anchor = (_kept_place if len(text) <= _FEW_DIGITS else _read_place)(text[3:])
    if way is None or anchor is None:
        raise IllegalAction(
            f"{quoted(text, 20)} is no placement: expected LR@x:y, left and right symbol (0 to 7) "
            "and the cell of the left half, as in 12@0:1"
        )
    return anchor, way


def _read_place(text: str) -> int | None:
    x, _, y = text.partition(":")
    digits = x.removeprefix("-")
    for part in (digits, y):
        if part != "0" and not (part.isascii() and part.isdigit() and part[0] != "0"):
            return None
    if x == "-0":
        return None
    column, row = int(digits[:9]), int(y[:9])  # with more digits it is far away, too
    return anchor_at(column if digits == x else -column, row)


_kept_place = lru_cache(maxsize=1 << 12)(_read_place)


def read_setup(game: Rules, text: str, drops: Drops) -> Turn:
    """Read a deal or a position and do what is automatic in it; raises ``BadSetup``."""
    if text.count(" ") == 1:
        if drops.groups:
            raise BadSetup('a deal has no field "drop=", only a position has')
        return _open(game, *_read_deal(game, text))
    if text.count(" ") != 4:
        raise BadSetup(
            f'expected a deal "{DEAL}" or a position "{POSITION}", '
            f"each field set off by one space: {quoted(text)}"
        )
    table, to = read_position(game, text, drops)
    if to != OVER:
        return begin_turn(table, to, [])
    if not table.is_decided(play_on=game.play_on) and not table.is_stuck():
        raise BadSetup("TO is -, but the game is not over: expected the player to act")
    return table, OVER, (), 0


def read_position(game: Rules, text: str, drops: Drops) -> tuple[Table, int]:
    """Read a position as it stands: the table, and the player to act or ``OVER``.

    Raises:
        BadSetup: no play can lead there. Whether a game that is not decided is over, and whether
            the player to act can place, is not looked into.
    """
    board_text, hands_text, supply_text, to_text, out_text = fields(text, 5, POSITION)
    board, placed = _read_board(board_text, half=game.half)
    hands = _read_hands(game, hands_text)
    supply = _read_tiles(supply_text, "the supply")
    on_board = [TILE_OF_WAY[tile & 63] for tile in placed]
    _require_once([*on_board, *(tile for hand in hands for tile in hand), *supply])
    out = _read_out(out_text, [player for player, hand in enumerate(hands) if not hand])
    table = Table(board, placed, tuple(map(hand_of, hands)), tuple(supply), out, drops)
    still_in = table.still_in()
    if table.is_decided(play_on=game.play_on):
        if to_text != "-":
            raise BadSetup(f"TO is {quoted(to_text)}, but the game is over: expected -")
        return table, OVER
    if to_text == "-":
        return table, OVER
    to = natural(to_text)
    if to not in still_in:
        raise BadSetup(
            f"TO is {quoted(to_text)}: expected a player still in "
            f"({', '.join(map(str, still_in))}) or -"
        )
    return table, to


def split_hands(game: Rules, text: str) -> list[str]:
    """Split the field of the hands, one text a player."""
    parts = text.split("/")
    if len(parts) != game.num_players:
        raise BadSetup(f'expected {game.num_players} hands joined by "/", found {len(parts)}')
    return parts


def _read_deal(game: Rules, text: str) -> tuple[list[list[int]], list[int]]:
    """Read the hands and the supply of a deal."""
    hands_text, supply_text = fields(text, 2, DEAL)
    hands = _read_hands(game, hands_text)
    for player, hand in enumerate(hands):
        if len(hand) != game.hand:
            raise BadSetup(
                f"the hand of player {player} has {len(hand)} tiles: expected {game.hand}"
            )
    supply = _read_tiles(supply_text, "the supply")
    dealt = [*(tile for hand in hands for tile in hand), *supply]
    _require_once(dealt)
    missing = set(range(len(TILE_TEXTS))).difference(dealt)
    if missing:
        raise BadSetup(f"a deal has all 36 tiles, missing are {tiles_text(sorted(missing))}")
    return hands, supply


def _open(game: Rules, hands: list[list[int]], supply: list[int]) -> Turn:
    """Announce the hands, place the opening tile and begin the next player's turn."""
    events = [Event(player, f"hand {tiles_text(hand)}") for player, hand in enumerate(hands)]
    doubles = [tile for hand in hands for tile in hand if is_double(tile)]
    opening = min(doubles or [tile for hand in hands for tile in hand])
    opener = next(player for player, hand in enumerate(hands) if opening in hand)
    ways = WAYS_OF_TILE[opening]
    # of the two ways of a tile, the low symbol to the left is the smaller number
    way = (ways & -ways).bit_length() - 1
    board = Board(half=game.half)
    board.lay(OPENING_ANCHOR, way)
    events.append(Event(None, f"start {opener} {TILE_TEXTS[opening]}@0:0"))
    left = [hand_of(hand) for hand in hands]
    left[opener] ^= ways
    placed = (OPENING_ANCHOR << 6 | way,)
    table = Table(board, placed, tuple(left), tuple(supply), (), NO_DROPS)
    return begin_turn(table, table.next_in(opener), events)


def _read_board(text: str, *, half: bool) -> tuple[Board, tuple[int, ...]]:
    """Read the placed tiles, each resting on those before it."""
    board = Board(half=half)
    placed: list[int] = []
    for part in text.split(","):
        try:
            anchor, way = read_action(part)
        except IllegalAction:
            raise BadSetup(f"expected a placed tile LR@x:y, found {quoted(part)}") from None
        if not placed:
            if anchor != OPENING_ANCHOR:
                raise BadSetup(f"the first placed tile must lie at 0:0: {part}")
        elif not board.allows(anchor, way):
            raise BadSetup(f"{part} cannot lie there: {board.objection(anchor, way)}")
        elif anchor < placed[-1] >> 6:
            raise BadSetup(f"placed tiles stand by row, then by x: {part} comes too late")
        board.lay(anchor, way)
        placed.append(anchor << 6 | way)
    return board, tuple(placed)


def _read_tiles(text: str, where: str) -> list[int]:
    """Read tiles joined by commas, ``-`` for none."""
    if text == "-":
        return []
    tiles = []
    for word in text.split(","):
        tile = _TILE_INDEX.get(word)
        if tile is None:
            raise BadSetup(
                f"{where}: {quoted(word)} is no tile, expected 00 to 77, low symbol first"
            )
        tiles.append(tile)
    return tiles


def _read_hands(game: Rules, text: str) -> list[list[int]]:
    hands = []
    for player, part in enumerate(split_hands(game, text)):
        where = f"the hand of player {player}"
        tiles = _read_tiles(part, where)
        if tiles != sorted(tiles):
            expected = tiles_text(sorted(tiles))
            raise BadSetup(f"{where} is not in ascending order: expected {expected}")
        hands.append(tiles)
    return hands


def _read_out(text: str, without_tiles: list[int]) -> tuple[int, ...]:
    """Read who is out: exactly those without tiles, in any order."""
    out = [] if text == "-" else [natural(word) for word in text.split(",")]
    players = [player for player in out if player is not None]
    if len(players) != len(out) or sorted(players) != without_tiles:
        expected = ",".join(map(str, without_tiles)) or "-"
        raise BadSetup(
            f"OUT is {quoted(text)}, but the players without tiles are out, and no others: "
            f"expected {expected} in the order in which they went out"
        )
    return tuple(players)


def _require_once(tiles: Iterable[int]) -> None:
    """Raise ``BadSetup`` if a tile appears twice."""
    seen = set()
    for tile in tiles:
        if tile in seen:
            raise BadSetup(f"tile {TILE_TEXTS[tile]} appears twice")
        seen.add(tile)
