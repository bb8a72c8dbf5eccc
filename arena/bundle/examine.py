"""What a bundle says, compared with the rules, its own tournament and its bots; no home is needed.

Nothing of a bot is run here. Where two things in a bundle contradict one another, or the rules, a
sentence says so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from arena.bots.travel import unpack_bot
from arena.bundle.contents import Bundle, Carried
from arena.bundle.manifest import ROUNDS
from arena.bundle.round_check import RoundsCheck
from arena.machine.run_folder import own_folder
from arena.record.replay import verify
from arena.review.inspection import AskedMatches
from arena.values.errors import BotError, BundleError

OnProgress = Callable[[int, int], None]
"""Is called with how many matches are done, and how many there are."""


class CheckedMatch(NamedTuple):
    """One match of a bundle, and what is wrong with it: nothing, or a sentence each.

    ``where`` says where it stands. A round has no match.
    """

    where: str
    wrong: tuple[str, ...]
    carried: Carried | None = None


def check_matches(
    bundle: Bundle, progress: OnProgress = lambda done, total: None
) -> Iterator[CheckedMatch]:
    """Yield every match with what is wrong with it, in schedule order, and rounds that are wrong.

    Raises:
        BundleError: the bundle ends, or an entry is not what the manifest says.
    """
    manifest = bundle.manifest
    asked = AskedMatches(manifest.edition, bundle.tournament, manifest.entries)
    rounds = RoundsCheck(bundle)
    for done, carried in enumerate(bundle.matches(), start=1):
        wrong = tuple(_differences(asked, carried))
        yield CheckedMatch(carried.where, wrong, carried)
        if not wrong:
            yield from (CheckedMatch(ROUNDS, (said,)) for said in rounds.add(carried))
        progress(done, manifest.matches)
    yield from (CheckedMatch(ROUNDS, (said,)) for said in rounds.end())


def check_bots(bundle: Bundle) -> int:
    """Return how many bots are in a bundle, each of which is the one of its hash.

    Raises:
        BundleError: one is not, or nobody of that hash is entered.
    """
    known = {entry.hash for entry in bundle.manifest.entries}
    count = 0
    for digest, archive in bundle.bots():
        where = f"{bundle.path}: bots/{digest.removeprefix('sha256:')}.tar"
        if digest not in known:
            raise BundleError(f"{where}: no entrant has this bot")
        with tempfile.TemporaryDirectory(prefix="bundle-", dir=own_folder()) as scratch:
            try:
                unpack_bot(archive, digest, Path(scratch))
            except BotError as error:
                raise BundleError(f"{where}: {error}") from None
        count += 1
    return count


def _differences(asked: AskedMatches, carried: Carried) -> Iterator[str]:
    match, record = carried.match, carried.record
    names = tuple(player.bot for player in record.players)
    found = (record.game, record.block, record.seating, names)
    if found != (match.game, match.block, match.seating, match.seats):
        yield (
            f"number {match.number} of the schedule is block {match.block}, seating "
            f"{match.seating}, with {', '.join(match.seats)}; not block {record.block}, seating "
            f"{record.seating}, with {', '.join(names)}"
        )
        return
    wrong = list(asked.differences(match, record))
    yield from wrong or verify(record)
