"""Players who were dropped from a game: who, in which order, and what that makes of the ranks.

The rule is the same for every game (docs/rules/conventions.md): a dropped player ranks below
everyone who was not; later drops rank above earlier ones; drops at one node share their rank; when
nobody is left the last node's share the best place left.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.errors import BadSetup
from engines.core.text import natural
from engines.core.typed import NamedTuple


class Drops(NamedTuple):
    """Dropped players in groups, the earliest first; a group fell at one node.

    As text, groups are joined by ``,`` and the members of a group by ``+``. When nobody is left,
    a last group of two is written with ``,`` too: it cannot have been two groups, as the game ends
    when one player is left.
    """

    groups: tuple[tuple[int, ...], ...] = ()

    def has(self, player: int) -> bool:
        """Return whether the player was dropped."""
        return any(player in group for group in self.groups)

    def total(self) -> int:
        """Return how many players were dropped."""
        return sum(map(len, self.groups))

    def add(self, player: int, *, same_node: bool) -> Drops:
        """Drop one more player: at the node of the last drop (they share) or later."""
        if self.has(player):
            raise ValueError(f"player {player} was dropped before")
        if same_node and self.groups:
            last = tuple(sorted((*self.groups[-1], player)))
            return Drops((*self.groups[:-1], last))
        return Drops((*self.groups, (player,)))

    def ranks(self, standing: Sequence[int]) -> tuple[int, ...]:
        """Merge the ranks of those who stayed with the places of the dropped.

        Args:
            standing: one number a player, lower is better; a dropped player's number is ignored.

        Returns:
            One rank a player, 1 is best, equal ranks are shared (1, 1, 3).
        """
        n = len(standing)
        stayed = [p for p in range(n) if not self.has(p)]
        result = [0] * n
        for p in stayed:
            result[p] = 1 + sum(standing[q] < standing[p] for q in stayed)
        above = len(stayed)
        for group in reversed(self.groups):
            for p in group:
                result[p] = above + 1
            above += len(group)
        return tuple(result)

    def field(self, num_players: int) -> str:
        """Return the observation's last field with its leading space, ``''`` if nobody was dropped.

        >>> Drops(((1,), (0,))).field(3)
        ' drop=1,0'
        """
        if not self.groups:
            return ""
        texts = ["+".join(map(str, group)) for group in self.groups]
        if self.total() == num_players and len(self.groups[-1]) == 2:
            texts[-1] = texts[-1].replace("+", ",")
        return " drop=" + ",".join(texts)

    @classmethod
    def split(cls, setup: str, num_players: int) -> tuple[str, Drops]:
        """Take the last field `` drop=…`` off a setup: the rest, and who was dropped.

        Raises:
            BadSetup: the field is not written as ``field`` writes it.
        """
        rest, mark, text = setup.rpartition(" drop=")
        if not mark:
            return setup, NO_DROPS
        groups = []
        for part in text.split(","):
            players = [natural(word) for word in part.split("+")]
            groups.append(tuple(p for p in players if p is not None and p < num_players))
            if len(groups[-1]) != len(players):
                raise BadSetup(f'drop= lists players 0 to {num_players - 1}: "{text}"')
        everyone = [p for group in groups for p in group]
        if len(everyone) == num_players and len(groups) > 1 and len(groups[-1]) == 1:
            groups[-2:] = [tuple(sorted(groups[-2] + groups[-1]))]
        drops = cls(tuple(groups))
        if len(set(everyone)) != len(everyone) or drops.field(num_players) != f" drop={text}":
            raise BadSetup(f'drop= is not written as an observation writes it: "{text}"')
        return rest, drops


NO_DROPS = Drops()
