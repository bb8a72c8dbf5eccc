"""What the stored blocks of a comparison say, and where it stops, as its complete prefix grows.

The rule is ``arena.stats.strength``. Here it is given the stored matches in schedule order, block
by block, so that neither the number of workers nor the order in which matches end changes where a
comparison stops. The stop is stored at once and never moves: matches from there on do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from arena.stats.scores import match_score
from arena.stats.sprt import Sprt
from arena.stats.strength import Answer, BlockMatch, SequentialTest
from arena.stats.weights import seated
from arena.store import Edition, Store
from arena.store.waiting import patiently
from engines import load_game


def comparison_of(store: Store, edition: Edition, *, decides: bool) -> TestProgress | None:
    """Return how the comparison of an edition is going; ``None`` if it is none.

    Only who runs the edition ``decides`` where it stops; who looks at it writes nothing.
    """
    config = edition.config
    test = (config.get("stop") or {}).get("sprt")
    if config["format"] != "compare" and test is None:
        return None
    (game,) = config["games"]
    return TestProgress(store, edition, game, test and Sprt(**test), decides)


class TestProgress:
    """The comparison of an edition, as far as its complete prefix was counted.

    Attributes:
        game: in which it asks whether ``first`` is stronger than the ``others``, all entrants.
        over: whether its stop was reached.
    """

    def __init__(
        self, store: Store, edition: Edition, game: str, sprt: Sprt | None, decides: bool
    ) -> None:
        first, *others = store.tournaments.entries(edition.id)
        names: dict[tuple[str, tuple[str, ...]], str] = {}  # by program and arguments
        # of each of the others the first one that is the same bot
        self._copies = {
            one.name: names.setdefault((one.hash, one.args), one.name) for one in others
        }
        self.game, self.first, self.others = game, first.name, tuple(self._copies)
        self._store = store
        self._edition = edition
        self._players = load_game(game).num_players
        self._test = SequentialTest(self._players, sprt)
        self._stop = edition.stop
        self._decides = decides
        self._counted = 0  # the blocks below were
        self._answer: Answer | None = None
        self.over = False

    def count(self, prefix: int) -> bool:
        """Go on counting, to the end of the schedule's complete prefix; return ``over``.

        A block is left out where a match is missing: one that is undecided, or nobody played.
        """
        end = (prefix if self._stop is None else self._stop) // self._players
        if self.over or end <= self._counted:
            return self.over
        for number, block in self._blocks(self._counted, end):
            self._test.add(block)
            if self._stop is None and self._test.reason:
                self._stop = (number + 1) * self._players
                if self._decides:
                    stop = self._store.tournaments.stop
                    patiently(f'"{self._edition.label}"', stop, self._edition.id, self._stop)
                break
        self._counted, self._answer = end, None
        self.over = self._stop is not None
        return self.over

    def answer(self) -> Answer:
        """Return what the blocks counted so far say."""
        if self._answer is None:
            self._answer = self._test.answer()
        return self._answer

    def _blocks(self, first: int, end: int) -> Iterator[tuple[int, list[BlockMatch]]]:
        """Yield the complete ones of some blocks, each with its number.

        Copies of a bot count as one: which of them sat where makes no match a new one.
        """
        players, edition = self._players, self._edition.id
        after, before = (edition, first * players - 1), (edition, end * players)
        found = self._store.matches.read(edition, after=after, before=before, ids=False)
        for number, rows in groupby(found, lambda row: row.number // players):
            block = [
                BlockMatch(
                    match_score(row.ranks, row.entrants.index(self.first)),
                    row.moves_hash,
                    seated(tuple([self._copies.get(name, name) for name in row.entrants])),
                )
                for row in rows
            ]
            if len(block) == players:
                yield number, block
