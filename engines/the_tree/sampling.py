"""Full states drawn for what one player sees: hidden tiles uniformly among all that fit the sight.

The history is ignored, but a position tells something by itself: a player to act can place (who
cannot has passed), and after a block nobody still in can.
"""

from __future__ import annotations

import re
from functools import lru_cache

from engines.core.chance import shuffled
from engines.core.drops import Drops
from engines.core.errors import BadSetup
from engines.core.text import fields, quoted
from engines.core.typed import TYPE_CHECKING, NamedTuple
from engines.the_tree.state import TheTreeState
from engines.the_tree.table import OVER, Rules, Table
from engines.the_tree.text import POSITION, read_position, split_hands
from engines.the_tree.tiles import TILE_TEXTS, WAYS_OF_TILE, hand_of, tile_count, tiles_text

if TYPE_CHECKING:
    import random


_HIDDEN = re.compile(r"-|\?(,\?)*")


class _Sight(NamedTuple):
    """What a player sees of a position, ready to draw the rest.

    Attributes:
        table: the position, with some unseen tile in every hidden place.
        to: the player to act, or ``OVER``.
        owners: the other players and how many tiles they hold, those who must be unable to place
            first.
        unable: how many tiles those hold who must be unable to place.
        unseen: the tiles that may lie in hidden places.
        useless: those of them that fit nowhere.
        able: the other player who must be able to place, or ``None``.
        playable: all ways that fit somewhere.
    """

    table: Table
    to: int
    owners: tuple[tuple[int, int], ...]
    unable: int
    unseen: tuple[int, ...]
    useless: tuple[int, ...]
    able: int | None
    playable: int


def sample(game: Rules, observation: str, player: int, rng: random.Random) -> TheTreeState:
    """Draw a state whose ``observation(player)`` is the text.

    Raises:
        BadSetup: no position looks like this to the player, or there is no such player.
    """
    game.check_viewer(player)
    sight = _look(game, observation, player)
    hands = list(sight.table.hands)
    while True:
        tiles = shuffled(rng, sight.useless)[: sight.unable] if sight.unable else []
        tiles += shuffled(rng, [tile for tile in sight.unseen if tile not in tiles])
        start = 0
        for owner, size in sight.owners:
            hands[owner] = hand_of(tiles[start : start + size])
            start += size
        # drawn again as a whole, so that all deals that fit stay equally likely; an unseen tile
        # fits somewhere, so even at worst every 35th draw succeeds
        if sight.able is None or hands[sight.able] & sight.playable:
            break
    supply = tuple(tiles[start : start + len(sight.table.supply)])
    return TheTreeState(game, sight.table._replace(hands=tuple(hands), supply=supply), sight.to)


# who searches draws many states for one observation
@lru_cache(maxsize=16)
def _look(game: Rules, observation: str, player: int) -> _Sight:
    """Read what a player sees, and find what it tells about the hidden tiles."""
    text, drops = Drops.split(observation, game.num_players)
    filled, unseen = _fill(game, text, player)
    table, to = read_position(game, filled, drops)
    playable = table.board.playable()
    useless = tuple(tile for tile in unseen if not WAYS_OF_TILE[tile] & playable)
    still_in = table.still_in()
    blocked = to == OVER and not table.is_decided(play_on=game.play_on)
    cannot = still_in if blocked else []
    others = [p for p, hand in enumerate(table.hands) if hand and p != player]
    others.sort(key=lambda p: p not in cannot)
    owners = tuple((p, tile_count(table.hands[p])) for p in others)
    unable = sum(size for p, size in owners if p in cannot)
    able = to if to not in (OVER, player) else None
    own_fits = table.hands[player] & playable > 0
    if (
        (to == player and not own_fits)
        or (blocked and (table.supply or (player in cannot and own_fits)))
        or unable > len(useless)
        or (able is not None and len(useless) == len(unseen))
    ):
        raise BadSetup(f"no position looks like this to player {player}: {quoted(observation)}")
    return _Sight(table, to, owners, unable, unseen, useless, able, playable)


def _fill(game: Rules, text: str, player: int) -> tuple[str, tuple[int, ...]]:
    """Put unseen tiles in the place of each ``?``; also the tiles the player does not see."""
    board, hands_text, supply, to, out = fields(text, 5, POSITION)
    hands = split_hands(game, hands_text)
    seen = {"".join(sorted(placed[:2])) for placed in board.split(",")}
    seen.update(hands[player].split(","))
    unseen = tuple(tile for tile, tile_text in enumerate(TILE_TEXTS) if tile_text not in seen)
    start = 0

    def fill(part: str) -> str:
        nonlocal start
        if not _HIDDEN.fullmatch(part):
            raise BadSetup(
                f"expected ? for each tile that player {player} cannot see: {quoted(part)}"
            )
        end = start + part.count("?")
        if end > len(unseen):
            raise BadSetup(f"more tiles than there are: {quoted(text)}")
        filled = tiles_text(unseen[start:end])
        start = end
        return filled

    hands = [part if p == player else fill(part) for p, part in enumerate(hands)]
    return f"{board} {'/'.join(hands)} {fill(supply)} {to} {out}", unseen
