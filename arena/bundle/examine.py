"""What a bundle says, compared with the rules, its own tournament and its bots; no home is needed.

Nothing of a bot is run here. Where two things in a bundle contradict one another, or the rules, a
sentence says so.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

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


def find_differences(
    bundle: Bundle, progress: OnProgress, take: Callable[[Carried], None]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield where a match or a round is wrong, in schedule order, with a sentence for each reason.

    Args:
        bundle: whose matches are compared.
        progress: called after each match.
        take: called with each match before the first one that is wrong.

    Raises:
        BundleError: the bundle ends, or an entry is not what the manifest says.
    """
    manifest, right = bundle.manifest, True
    asked = AskedMatches(manifest.edition, bundle.tournament, manifest.entries)
    rounds = RoundsCheck(bundle)
    for done, carried in enumerate(bundle.matches(), start=1):
        if wrong := tuple(_differences(asked, carried)):
            right = False
            yield carried.where, wrong
        else:
            if right:
                take(carried)
            yield from ((ROUNDS, (said,)) for said in rounds.add(carried))
        progress(done, manifest.matches)
    yield from ((ROUNDS, (said,)) for said in rounds.end())


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
