"""A bundle verified without a home: its hashes, every match by the rules, some played again."""

from __future__ import annotations

import hashlib
import heapq
import secrets
import tempfile
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import NamedTuple

from arena.bots.built import keep_built
from arena.bots.environments import add_environment, list_environments
from arena.bots.isolation import refuse_foreign
from arena.bots.travel import unpack_bot
from arena.bundle.carry import Carrying
from arena.bundle.contents import Bundle, Carried, open_bundle
from arena.bundle.examine import OnProgress, check_bots, find_differences
from arena.machine.run_folder import own_folder
from arena.results.extent import Extent, extent_of
from arena.review.reproduction import Reproduction, reproduce_record
from arena.sandbox import AUTO
from arena.store import open_store
from arena.values.arguments import PathLike, path_of
from arena.values.errors import BundleError
from arena.values.model import Record

NAMED = 1000  # matches of which is kept what is wrong with them


class BundleCheck(NamedTuple):
    """The result of verifying a bundle.

    Attributes:
        tournament: what it is called.
        arena: the version that wrote the bundle.
        bundle: the SHA-256 of its manifest.
        matches: how many are in it.
        bots: how many programs are in it.
        finished: whether a run would find nothing to play; false where something differs.
        holds_secret_seed: whether it gives away a seed that nobody is to know before the end.
        differing: with how many matches or rounds something is wrong.
        differences: of the first of them, by where they stand, what is wrong.
        reruns: the matches that were played again.
        seed: what they were drawn with.
        extent: how much of its tournament it has; ``None`` where something differs.
    """

    tournament: str
    arena: str
    bundle: str
    matches: int
    bots: int
    finished: bool
    holds_secret_seed: bool
    differing: int
    differences: dict[str, tuple[str, ...]]
    reruns: tuple[Reproduction, ...] = ()
    seed: int | None = None
    extent: Extent | None = None

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.differing and all(one.difference is None for one in self.reruns)


def verify_bundle(
    file: PathLike,
    *,
    rerun: int = 0,
    seed: int | None = None,
    sandbox: str = AUTO,
    home: PathLike | None = None,
    progress: OnProgress = lambda done, total: None,
) -> BundleCheck:
    """Verify a bundle without taking anything of it into a home.

    Every entry is compared with its hash, and every record with the rules, the schedule, the seeds
    and the entrants; who is rated how is not looked at.

    >>> arena.verify_bundle("quickstart.arena").differing
    0

    Args:
        file: the bundle.
        rerun: play so many of its matches again, with its bots, in the sandbox.
        seed: what they are drawn with; drawn itself if left out.
        sandbox: the level at which they are isolated.
        home: of whose environments bots of the bundle may need one.
        progress: called after each match with how many are done, and how many there are.

    Raises:
        BundleError: it is no bundle, is damaged, or of rules or a format that are not here.
        UsageError: the level does not work here, or nothing isolates and none was named.
        BotError: a program that is to play again cannot be built here.
    """
    path = path_of(file, "file")
    with (
        open_bundle(path) as bundle,
        tempfile.TemporaryDirectory(prefix="bundle-", dir=own_folder()) as scratch,
        open_store(Path(scratch), create=True) as store,
    ):
        carrying = Carrying(store, bundle)
        check = checked(bundle, progress, carrying.add)
        if not check.differing:
            # what a run would find there counts, and not what the manifest says of the end
            finished = carrying.end()
            extent = extent_of(store, store.tournaments.get(carrying.edition.id))
            secret = check.holds_secret_seed and not finished
            check = check._replace(finished=finished, holds_secret_seed=secret, extent=extent)
        if not rerun:
            return check
        seed = secrets.randbits(32) if seed is None else seed
        drawn = _drawn(bundle, rerun, seed, check.differences)
        played = _play_again(bundle, drawn, sandbox, home)
        return check._replace(reruns=tuple(played), seed=seed)


def checked(
    bundle: Bundle, progress: OnProgress, take: Callable[[Carried], None] = lambda carried: None
) -> BundleCheck:
    """Look at all bots and matches, and return the result; arguments as of ``find_differences``."""
    edition, bots = bundle.manifest.edition, check_bots(bundle)
    differences: dict[str, tuple[str, ...]] = {}
    differing = 0
    for where, wrong in find_differences(bundle, progress, take):
        differing += 1
        if len(differences) < NAMED:
            differences[where] = (*differences.get(where, ()), *wrong)
    return BundleCheck(
        tournament=edition.label,
        arena=bundle.manifest.arena,
        bundle=bundle.sha256,
        matches=bundle.manifest.matches,
        bots=bots,
        finished=False,
        holds_secret_seed=edition.secret,
        differing=differing,
        differences=differences,
    )


def _drawn(bundle: Bundle, count: int, seed: int, wrong: Container[str]) -> list[Record]:
    """Return ``count`` records of the bundle; which ones is decided by the seed.

    They are those whose ids, hashed together with the seed, give the smallest numbers.

    Matches with which something is ``wrong`` are none of them. Nor are those of a program that
    asks, which has the rights of its owner, or of a function, which is part of another program.
    """
    records = (each.record for each in bundle.matches() if each.where not in wrong)
    fit = (one for one in records if not any(player.sandbox for player in one.players))
    return heapq.nsmallest(
        count, fit, key=lambda one: hashlib.sha256(f"{seed}|{one.id}".encode()).digest()
    )


def _play_again(
    bundle: Bundle, records: list[Record], sandbox: str, home: PathLike | None
) -> Iterator[Reproduction]:
    programs = {player.hash: player.bot for record in records for player in record.players}
    refuse_foreign([(name, digest) for digest, name in programs.items()], sandbox, "the bundle")
    with tempfile.TemporaryDirectory(prefix="bundle-", dir=own_folder()) as scratch:
        _bring(bundle, set(programs), Path(scratch), home)
        for record in records:
            yield reproduce_record(record, Path(scratch), sandbox)


def _bring(bundle: Bundle, programs: set[str], scratch: Path, home: PathLike | None) -> None:
    """Copy the programs with these hashes into a new home, and what a home has for them."""
    for one in () if home is None else list_environments(home):
        if not one.problem:
            add_environment(scratch, one.name, one.folder)
    for digest, archive in bundle.bots():
        if digest in programs:
            programs.remove(digest)
            unpack_bot(archive, digest, scratch)
            keep_built(scratch, digest, bundle.manifest.built.get(digest))
    if programs:
        raise BundleError(f"{bundle.path}: it was made without bots, so nothing plays again")
