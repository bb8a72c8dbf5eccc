"""A bundle taken into a home: verified first, then merged, nothing twice.

What is stored is stored step by step in schedule order, each step in one transaction. A kill leaves
the home as the other one was at some moment, and the same command goes on from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from typing import NamedTuple

from arena.bots.built import keep_built
from arena.bots.openings import keep_setups
from arena.bots.taken import TakenName, taken_names
from arena.bots.travel import unpack_bot
from arena.bundle.carry import Carrying
from arena.bundle.contents import Bundle, open_bundle
from arena.bundle.examine import OnProgress
from arena.bundle.verify import BundleCheck, checked
from arena.record.record import parse_record
from arena.record.replay import first_difference
from arena.store import Edition, Store, copies_lock, open_store, runner_lock
from arena.store.entrants import program_called
from arena.store.tournaments import whole
from arena.tournament.asking import check_asks
from arena.tournament.change import difference
from arena.values.arguments import PathLike, path_of
from arena.values.errors import BundleDiffers, BundleError
from arena.values.untrusted import show
from arena.values.words import count

NAMED = 10  # matches that a message lists


class Imported(NamedTuple):
    """The result of importing a bundle.

    Attributes:
        tournament: what it is called.
        added: how many matches were stored.
        there: how many were there before.
        kept: the ids of those of which the home has another play, and kept it.
        bots: how many programs of bots were in it.
        finished: whether a run would find nothing to play.
        taken: the entrants whose name means another program in this home.
        bundle: what its file is called.
    """

    tournament: str
    added: int
    there: int
    kept: tuple[str, ...]
    bots: int
    finished: bool
    taken: tuple[TakenName, ...] = ()
    bundle: str = ""


def import_bundle(
    file: PathLike,
    home: PathLike,
    *,
    keep: bool = False,
    trust: bool = False,
    progress: OnProgress = lambda done, total: None,
) -> Imported:
    """Verify a bundle, then take its tournament into a home; nothing is built or run.

    A home that has the tournament gets the matches that it lacks. What was there stays as it is.

    >>> arena.import_bundle("quickstart.arena", ".other").added
    48

    Args:
        file: the bundle.
        home: the arena's home.
        keep: where the home has another play of a match, keep that one; otherwise nothing at all is
            taken in.
        trust: take it in although a run of it would start programs with your own rights.
        progress: called as for ``verify_bundle``.

    Raises:
        UsageError: it has bots that ask, and ``trust`` does not allow that.
        BundleError: it is no bundle, is damaged, or the home has another tournament of that name.
        BundleDiffers: the rules contradict it, or the home has other plays of its matches.
        RunnerBusy: the tournament is running.
        StoreError: the store cannot be read or written.
    """
    path, home = path_of(file, "file"), path_of(home, "home")
    with open_bundle(path) as bundle:
        if not trust:
            check_asks(bundle.tournament.bots, str(path))
        with open_store(home, create=False) as store:
            _fitting(store, bundle)  # which takes no time, and what follows does
        check = _verified(bundle, progress)
        with ExitStack() as opened:
            store = opened.enter_context(open_store(home, create=True))
            edition = bundle.manifest.edition
            opened.enter_context(runner_lock(home, edition.name))
            there = _fitting(store, bundle)
            other = _other_plays(store, there, bundle) if there else {}
            _refuse(bundle, other, keep)
            with copies_lock(home):
                for digest, archive in bundle.bots():
                    unpack_bot(archive, digest, home)
                    keep_built(home, digest, bundle.manifest.built.get(digest))
                keep_setups(home, bundle.tournament.opening.setups)
                carrying = Carrying(store, bundle)
            for carried in bundle.matches():
                carrying.add(carried)
            finished = carrying.end()
            taken = taken_names(store.tournaments.entries(carrying.edition.id), store.bots)
    return Imported(
        edition.label,
        carrying.added,
        check.matches - carrying.added - len(other),
        tuple(other),
        check.bots,
        finished,
        taken,
        bundle.name,
    )


def _verified(bundle: Bundle, progress: OnProgress) -> BundleCheck:
    check = checked(bundle, progress)
    if check.differing:
        lines = [
            f"{bundle.path}: of {check.matches} matches, and the rounds that were planned, "
            f"{check.differing} are wrong, so nothing was imported:"
        ]
        for where, wrong in list(check.differences.items())[:NAMED]:
            lines += [f"{where}: {show(sentence, 500)}" for sentence in wrong]
        raise BundleDiffers("\n".join(lines))
    return check


def _fitting(store: Store, bundle: Bundle) -> Edition | None:
    """Return the edition of the store that the bundle is of, ``None`` if there is none yet.

    Raises:
        BundleError: the edition of that name is another tournament, or has other rounds.
    """
    theirs, label = bundle.manifest.edition, show(bundle.manifest.edition.label)
    every = store.tournaments.all(removed=True)
    ours = next((whole(one) for one in every if one.label == theirs.label), None)
    if ours is None:
        return None
    remedy = (
        "take it into another --home, or remove the one that is here (arena tournaments remove "
        f'"{label}")'
    )
    entries = store.tournaments.entries(ours.id)
    programs = {
        entry.hash: program_called(entry.bot, entry.version)
        for entry in (*bundle.manifest.entries, *entries)
    }
    change = difference(ours.config, theirs.config, programs)
    if change.lines:
        shown = "\n".join(f"  {show(line, 500)}" for line in change.lines)
        grown = "; or bring both to the same file with arena run FILE --extend, and export again"
        raise BundleError(
            f'{bundle.path}: this home has another "{label}" (here → in the bundle):\n{shown}\n'
            + remedy
            + (grown if change.adds else "")
        )
    if ours.seed != theirs.seed:
        raise BundleError(
            f'{bundle.path}: this home has another "{label}", with another seed, so with other '
            f"deals: {remedy}; matches of one tournament on several machines need a seed that is "
            "written in its file, or a bundle that began it on the others"
        )
    plays = [
        {e.name for e in some if not e.replaced} for some in (entries, bundle.manifest.entries)
    ]
    upgraded = any(entry.replaced for entry in (*entries, *bundle.manifest.entries))
    if upgraded and plays[0] != plays[1]:
        names = " and ".join(sorted(show(name) for name in plays[0] ^ plays[1]))
        raise BundleError(
            f'{bundle.path}: other versions play in "{label}" here than in the bundle ({names}): '
            "arena run FILE --upgrade NAME@VERSION makes both homes play the same ones"
        )
    known = {entry.name: entry.hash for entry in entries}
    for entry in bundle.manifest.entries:
        if known.get(entry.name, entry.hash) != entry.hash:
            raise BundleError(
                f"{bundle.path}: this home has taken up another program as {show(entry.name)} of "
                f'"{label}": {remedy}'
            )
    for number, (one, other) in enumerate(
        zip(store.rounds.all(ours.id), bundle.rounds, strict=False)
    ):
        both_over = one.points and other.points
        if one.plan != other.plan.to_text() or (both_over and one.points != other.points_text()):
            raise BundleError(
                f'{bundle.path}: round {number + 1} of "{label}" went another way in this home, '
                f"so the two are not the same tournament any more: {remedy}"
            )
    return ours


def _other_plays(store: Store, edition: Edition, bundle: Bundle) -> dict[str, str]:
    """Return the matches that went another way here, by their ids, and of some how."""
    found: dict[str, str] = {}
    for carried in bundle.matches():
        match = carried.record.id
        if store.matches.number_of(edition.id, match) is None:
            continue
        here = store.matches.text(match)
        if here != carried.text:  # of the same play at least the times differ
            other = first_difference(parse_record(here), carried.record)
            if other is not None:
                found[match] = show(other, 500) if len(found) < NAMED else ""
    return found


def _refuse(bundle: Bundle, other: Mapping[str, str], keep: bool) -> None:
    """Raise ``BundleDiffers`` if matches went another way, unless those that are here are kept."""
    if not other or (keep and not bundle.rounds):
        return
    many = count(len(other), "match")
    why = (
        "so nothing was imported; --keep takes in the others, and keeps what is here of these"
        if not bundle.rounds
        else "and who met in later rounds follows from results, so nothing was imported"
    )
    lines = [f"  {match}: {how} (now: in the bundle)" for match, how in other.items() if how]
    raise BundleDiffers(
        "\n".join([f"{bundle.path}: {many} went another way in this home, {why}:", *lines])
    )
