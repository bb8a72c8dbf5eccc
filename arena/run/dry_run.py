"""A run that is only planned: what it would play, with whom, and how long that would take.

The plan is made by the code of a real run, in a transaction that is rolled back. Bots are built as
ever, and no copy of them is kept in the home.
"""

from __future__ import annotations

import json
import logging
import shlex
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from arena.machine.run_folder import own_folder
from arena.packed.record_text import NO_DICTIONARY
from arena.run.preparation import Prepared, RunOptions, prepare
from arena.run.runnable import check_run
from arena.run.runner import job_factory, look_ahead
from arena.schedule.formats import PlannedFormat, find_format
from arena.store import Store, lock_path, open_store, runners
from arena.values.arguments import PathLike, path_of
from arena.values.model import Match, Round, Tournament
from arena.values.tables import MatchRow
from arena.workers.local import Lost, Workers

_Json = dict[str, Any]

SAMPLE = 8  # matches that are played to see how long they take
SAMPLE_SECONDS = 20.0  # that this may take
PLACES = 256  # of what is left that are looked at for them
COUNTED = 200_000  # matches of a schedule whose pairings are counted

log = logging.getLogger(__name__)


class PlannedBot(NamedTuple):
    """An entrant, the bot it is, and where it is from: ``bundled``, ``submitted`` or ``file``."""

    name: str
    bot: str
    version: int
    origin: str


class FailedBot(NamedTuple):
    """A bot that failed in matches that were tried.

    Attributes:
        name: the entrant's.
        code: what it did in the first of them, such as ``crash``.
        detail: the same in words, with the last line that it wrote to stderr.
        matches: how many of the matches it failed in.
        check: the command that shows what is wrong with it, step by step.
    """

    name: str
    code: str
    detail: str
    matches: int
    check: str


class DryRun(NamedTuple):
    """What a run would do.

    Attributes:
        tournament: what it would be called: ``NAME``, ``NAME#2``.
        begins: whether it is a tournament, or an edition, that is not in this home yet.
        format: as in its file.
        games: their canonical names.
        bots: who plays.
        out: who is entered, and taken out or suspended.
        pairings: how many sets of entrants meet in a game; ``None`` if they are too many to count.
        blocks: how many deals are played in all seatings; ``None`` likewise.
        matches: how many there are in all, as far as they are planned.
        most: how many there can be, where results decide.
        played: how many of them are in the store.
        left: how many would be played now, as far as they are planned.
        workers: how many worker processes.
        sandbox: the level at which bots would be isolated.
        secret: whether the seed is drawn by the arena (otherwise the file gives it).
        tried: how many matches were played to see how long they take; nothing of them is kept.
        match_s: how many seconds one of them took, in the mean; ``None`` if none ended.
        left_s: how many seconds what is left would take; ``None`` if that is not known.
        pid: another process that runs this tournament now, if there is one.
        failed: the bots that failed in the matches that were tried.
        seed_shown: whether a drawn seed was shown already, when the tournament ended.
        bundle: what the file was called that it came in, so that its maker knows the seed; empty if
            it came in none.
    """

    tournament: str
    begins: bool
    format: str
    games: tuple[str, ...]
    bots: tuple[PlannedBot, ...]
    out: tuple[str, ...]
    pairings: int | None
    blocks: int | None
    matches: int
    most: int | None
    played: int
    left: int
    workers: int
    sandbox: str
    secret: bool
    tried: int = 0
    match_s: float | None = None
    left_s: float | None = None
    pid: int | None = None
    failed: tuple[FailedBot, ...] = ()
    seed_shown: bool = False
    bundle: str = ""


def plan_tournament(
    tournament: Tournament, home: PathLike, **options: Unpack[RunOptions]
) -> DryRun:
    """Plan a run as ``run_tournament`` would begin it; nothing is kept of it.

    A few matches are played, for 20 seconds at most, to estimate the time, and to see whether their
    bots play at all.

    >>> arena.plan_tournament(tournament, ".arena").left
    0

    Args:
        tournament: what to play.
        home: the arena's home; it is not made.
        options: as for ``run_tournament``.

    Raises:
        ArenaError: what ``run_tournament`` would raise before it plays.
    """
    home = path_of(home, "home")
    tournament = check_run(tournament)
    with ExitStack() as opened:
        store = opened.enter_context(open_store(home, create=False, change=True))
        if not store.exists:  # nothing can be written there, even for a trial
            scratch = opened.enter_context(tempfile.TemporaryDirectory(dir=own_folder()))
            store = opened.enter_context(open_store(Path(scratch), create=True))
        with store.trial():
            known = {edition.id for edition in store.tournaments.all(removed=True)}
            prepared = prepare(store, tournament, home, keeps=False, **options)
            round_, missing = look_ahead(store, prepared)
            planned = _planned(store, known, prepared, round_, len(missing))
            sample = _sample(round_, missing)
    return _timed(planned, prepared, sample)


def _planned(store: Store, known: set[int], prepared: Prepared, round_: Round, left: int) -> DryRun:
    """Return what is planned, and not yet tried; ``known`` are the editions of before."""
    edition, tournament = prepared.edition, prepared.tournament
    format_ = find_format(tournament.format)
    most = len(round_) if tournament.stop.sprt is not None else None
    if isinstance(format_, PlannedFormat):
        most = format_.most_matches(tournament, len(prepared.names))
    pairings, blocks = _counted(round_)
    bots = [(name, entrant.bot) for name, entrant in prepared.entrants.items()]
    return DryRun(
        tournament=edition.label,
        begins=edition.id not in known,
        format=tournament.format,
        games=tournament.games,
        bots=tuple([PlannedBot(name, one.name, one.version, one.origin) for name, one in bots]),
        out=tuple([entry.name for entry in store.tournaments.entries(edition.id) if entry.is_out]),
        pairings=pairings,
        blocks=blocks,
        matches=len(round_) or store.matches.count(edition.id),
        most=most,
        played=store.matches.count(edition.id),
        left=left,
        workers=min(tournament.workers, left) or 1,
        sandbox=prepared.sandbox,
        secret=edition.secret,
        seed_shown=prepared.seed_shown,
        bundle=prepared.bundle,
        left_s=None if left else 0.0,
        pid=runners(prepared.home).get(lock_path(prepared.home, edition.name)),
    )


def _text(prepared: Prepared, name: str) -> str:
    """Return an entrant's bot as the command line names it."""
    entrant = prepared.entrants[name]
    bot = entrant.bot
    word = bot.name if bot.origin == "bundled" else f"{bot.name}@{bot.version}"
    path = next((line.run for line in prepared.tournament.bots if line.name == name), None)
    return shlex.join([path or word, *entrant.args])


def _counted(round_: Round) -> tuple[int | None, int | None]:
    """Return how many pairings and blocks there are in a schedule, each counted by its game."""
    if len(round_) > COUNTED:
        return None, None
    pairings, blocks = set(), set()
    for index in range(len(round_)):
        match = round_[index]
        pairings.add((match.game, frozenset(match.seats)))
        blocks.add(match.block)
    return len(pairings), len(blocks)


def _sample(round_: Round, missing: Sequence[int]) -> tuple[Match, ...]:
    """Return a few matches of those that are left, spread over schedule and pairings."""
    left = [round_[index] for index in missing[:: -(-len(missing) // PLACES) or 1]]
    met: dict[tuple[str, frozenset[str]], Match] = {}
    for match in left:
        met.setdefault((match.game, frozenset(match.seats)), match)
    first = list(met.values())
    chosen = first[:: -(-len(first) // SAMPLE) or 1]
    more = [match for match in left if match not in chosen]
    return (*chosen, *more[: SAMPLE - len(chosen)])


def _timed(found: DryRun, prepared: Prepared, sample: tuple[Match, ...]) -> DryRun:
    """Play the sample, as a run would, and say how long all that is left would take."""
    records = _played(prepared, sample, found.workers) if sample else []
    if not records:
        return found
    mean = sum(record["elapsed_ms"] for record in records) / 1000 / len(records)
    left_s = None if found.most is not None else found.left * mean / found.workers
    failed = _failed(records, prepared)
    return found._replace(tried=len(records), match_s=mean, left_s=left_s, failed=failed)


def _failed(records: Sequence[_Json], prepared: Prepared) -> tuple[FailedBot, ...]:
    """Return the bots that failed in matches, in the order of their names."""
    failed: dict[str, FailedBot] = {}
    for record in records:
        for fault in record["faults"]:
            name = record["players"][fault["player"]]["bot"]
            check = shlex.join(["arena", "check", _text(prepared, name), record["game"]])
            lines = [line for line in fault["stderr"].splitlines() if line.strip()]
            detail = ": ".join([fault["detail"], *lines[-1:]])
            first = FailedBot(name, fault["code"], detail, 0, check)
            one = failed.get(name, first)
            failed[name] = one._replace(matches=one.matches + 1)
    return tuple([failed[name] for name in sorted(failed)])


def _played(prepared: Prepared, sample: tuple[Match, ...], workers: int) -> list[_Json]:
    """Play matches until the time is over; return the records of those that have ended."""
    waiting, make = iter(sample), job_factory(prepared, NO_DICTIONARY)
    deadline = time.monotonic() + SAMPLE_SECONDS
    records: list[_Json] = []
    unable: set[str] = set()

    def look() -> None:
        if time.monotonic() > deadline:
            raise TimeoutError

    count, pin = min(workers, len(sample)), prepared.tournament.pin
    with Workers(count, pin=pin, secrets=prepared.secrets()) as started:
        try:
            for results in started.run(lambda worker: next(waiting, None), make, look):
                records += [json.loads(one.data) for one in results if isinstance(one, MatchRow)]
                voids = [result.void for result in results if isinstance(result, Lost)]
                unable |= {void.reason for void in voids if void.unable is not None}
        except TimeoutError:
            pass
    for reason in sorted(unable):
        log.warning("%s", reason)
    return records
