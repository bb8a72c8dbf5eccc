"""What is in a home: its tournaments and how far each of them is; and one of them taken away."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.openings import forget_setups
from arena.bots.snapshots import forget
from arena.progress.closing import close
from arena.progress.planner import known_schedule
from arena.schedule.ladder import Ladder
from arena.schedule.plan import Planned
from arena.store import (
    Edition,
    Store,
    copies_lock,
    lock_path,
    open_store,
    runner_lock,
    runners,
)
from arena.store.tournaments import REMOVED
from arena.store.waiting import patiently_done
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import RunnerBusy, UsageError
from arena.values.tables import EditionState

REST_SECONDS = 0.1  # between two steps of a removal: so often SQLite tries again to get the lock


class TournamentRow(NamedTuple):
    """An edition of a tournament, and how far it is.

    Attributes:
        tournament: its name, ``NAME#2`` from the second edition on.
        state: ``running``; ``finished``; ``decided``: ended early by its test; ``ended``: by a
            person, before all was played; ``resting``: a
            ladder that has no further matches by now, though it may have some once there are newer
            versions; ``unfinished``: the same command goes on with it; ``removing``: a part of it
            was removed, and the same command goes on with that.
        format: as in its file.
        games: their canonical names.
        bots: how many are entered.
        matches: how many were played.
        of: how many there are in all, those of who is out among them; ``None`` where results
            decide that.
        void: how many attempts to play a match were void.
        undecided: how many matches were given up.
        created: when it was first run, UTC.
        last_run: when it was run last, UTC.
        pid: the process that runs or removes it, if there is one and it can be seen.
        compared: the two bots of a comparison; ``None`` of other tournaments.
        damage: that a part of it was removed, if so.
    """

    tournament: str
    state: EditionState
    format: str
    games: tuple[str, ...]
    bots: int
    matches: int
    of: int | None
    void: int
    undecided: int
    created: str
    last_run: str
    pid: int | None = None
    compared: tuple[str, str] | None = None
    damage: str = ""


class EndedTournament(NamedTuple):
    """A tournament that a person ended.

    Attributes:
        tournament: what it is called.
        matches: how many were played.
        counted: how many of them count: those of the blocks before the first one that lacks a
            match, unless an entrant of theirs is out.
        seed: the seed that was secret until now; ``None`` if its file has one.
    """

    tournament: str
    matches: int
    counted: int
    seed: str | None


class RemovedTournament(NamedTuple):
    """What was taken out of a home.

    Attributes:
        tournament: what it was called.
        matches: how many were removed.
        bots: how many copies of bots went with it, which nothing else in the home needs.
        free_bytes: how much of the store's file is free now, for what is stored next.
    """

    tournament: str
    matches: int
    bots: int
    free_bytes: int


def list_tournaments(home: PathLike) -> list[TournamentRow]:
    """Return the tournaments of a home, in the order in which they were begun.

    >>> [(row.tournament, str(row.state), row.matches) for row in arena.list_tournaments(".arena")]
    [('quickstart', 'finished', 48)]

    Args:
        home: the arena's home.

    Raises:
        StoreError: the store cannot be read.
    """
    home = path_of(home, "home")
    with open_store(home, create=False) as store:
        running = runners(store.path.parent)
        return [_row(store, edition, running) for edition in store.tournaments.all(removed=True)]


def find_edition(home: PathLike, tournament: str) -> TournamentRow:
    """Return the edition that ``NAME`` (the newest) or ``NAME#1`` means.

    Raises:
        UsageError: there is none.
    """
    home = path_of(home, "home")
    require(tournament, str, "tournament", "the text NAME or NAME#2")
    with open_store(home, create=False) as store:
        return edition_row(store, tournament)


def edition_row(store: Store, tournament: str) -> TournamentRow:
    """Return an edition of an open store; see ``find_edition``."""
    edition = store.tournaments.find(tournament, removed=True)
    return _row(store, edition, runners(store.path.parent))


def end_tournament(home: PathLike, tournament: str) -> EndedTournament:
    """End a tournament before all of it is played: no more is, and its secret seed is shown.

    Args:
        home: the arena's home.
        tournament: ``NAME`` (its newest edition) or ``NAME#1``.

    Raises:
        UsageError: there is no such tournament, or it is over.
        RunnerBusy: it is running.
        StoreError: it is damaged, or the store cannot be written.
    """
    home = path_of(home, "home")
    require(tournament, str, "tournament", "the text NAME or NAME#2")
    with open_store(home, create=False, change=True) as store:
        name = store.tournaments.find(tournament).name
        with runner_lock(home, name):
            edition = store.tournaments.find(tournament)
            if edition.ended is not None:
                state = state_at_rest(store, edition)
                raise UsageError(f'"{edition.label}" is over, its state is {state}')
            edition = close(store, edition)
            return EndedTournament(
                edition.label,
                store.matches.count(edition.id),
                sum(1 for _ in store.cache.results(edition.id)),
                str(edition.seed) if edition.secret else None,
            )


def remove_tournament(
    home: PathLike, tournament: str, *, shrink: bool = False
) -> RemovedTournament:
    """Remove all that was kept of one edition of a tournament: matches, tables, seed.

    It is in no table any more as soon as that begins, and is removed step by step, so that other
    tournaments can run meanwhile. If it is interrupted, the same call goes on with it. Copies of
    its bots are removed as well, except submitted bots and those of other tournaments.

    Args:
        home: the arena's home.
        tournament: ``NAME`` (its newest edition) or ``NAME#1``.
        shrink: also make the store's file as small as it can be, which takes room for a copy of
            what is left. Meanwhile nobody else can write.

    Raises:
        UsageError: there is no such tournament.
        RunnerBusy: it is running; or, to shrink the file, another one is.
        StoreError: the store cannot be written.
    """
    home = path_of(home, "home")
    require(tournament, str, "tournament", "the text NAME or NAME#2")
    with contextlib.ExitStack() as opened:
        store = opened.enter_context(open_store(home, create=False, change=True))
        name = store.tournaments.find(tournament, removed=True).name
        if shrink:
            _refuse_to_shrink(home)
        opened.enter_context(runner_lock(home, name))
        # nobody begins another one now
        edition = store.tournaments.find(tournament, removed=True)
        label, removal, matches = edition.label, store.removal(edition.id), 0
        waiting = f'"{label}" cannot be removed yet'
        patiently_done(waiting, removal.begin)
        while removed := patiently_done(waiting, removal.step):
            matches += removed
            time.sleep(REST_SECONDS)
        with copies_lock(home, removing=True):
            copies = sum(forget(home, digest) for digest in removal.programs())
            _remove_setups(home, edition, store.tournaments.all(removed=True))
        free = patiently_done(waiting, removal.end)
        if shrink:
            patiently_done("the store is not smaller yet", store.shrink)
        return RemovedTournament(label, matches, copies, 0 if shrink else free)


def _refuse_to_shrink(home: Path) -> None:
    """Raise ``RunnerBusy`` if a tournament runs: its runner would wait for a minute only."""
    for path, pid in runners(home).items():
        if path.suffix == ".lock":
            raise RunnerBusy(
                f"--shrink: process {pid} works in this home: wait until it ends, or remove the "
                "tournament without --shrink"
            )


def _row(store: Store, edition: Edition, running: Mapping[Path, int]) -> TournamentRow:
    config, pid = edition.config, None
    # a name has one runner, which works on the newest edition
    if edition.id == store.tournaments.find(edition.name, removed=True).id:
        pid = running.get(lock_path(store.path.parent, edition.name))
    played = store.matches.count(edition.id)
    undecided = len(store.matches.undecided(edition.id))
    over = edition.ended is not None and not edition.is_closed
    entries = store.tournaments.entries(edition.id)
    rests = edition.is_removed or not pid
    compares = config.get("format") == "compare" and len(entries) > 1
    return TournamentRow(
        tournament=edition.label,
        state=state_at_rest(store, edition) if rests else EditionState.RUNNING,
        format=config.get("format", "?"),
        games=tuple(config.get("games", "?")),
        bots=len(entries),
        matches=played,
        of=played if over else _length(store, edition, config),
        void=store.matches.count_void(edition.id),
        undecided=undecided,
        created=edition.created,
        last_run=edition.last_run,
        pid=pid,
        compared=(entries[0].name, entries[1].name) if compares else None,
        damage=REMOVED if edition.is_removed else "",
    )


def state_at_rest(store: Store, edition: Edition) -> EditionState:
    """Return the state of an edition that is not running."""
    if edition.is_removed:
        return EditionState.REMOVING
    if edition.is_closed:
        return EditionState.ENDED
    if edition.ended is not None:
        return EditionState.FINISHED if edition.stop is None else EditionState.DECIDED
    ladder = edition.config.get("format") == Ladder.name and edition.stop is None
    rests = ladder and store.rounds.is_over(edition.id)  # its last run found no further batch
    if rests and not store.matches.undecided(edition.id):
        return EditionState.RESTING
    return EditionState.UNFINISHED


def _length(store: Store, edition: Edition, config: Mapping[str, Any]) -> int | None:
    """Return how many matches a schedule has that is known from the start."""
    schedule = None if edition.is_removed else known_schedule(store, edition)
    if schedule is None or isinstance(schedule, Planned) or "sprt" in (config.get("stop") or {}):
        return None
    return len(schedule)


def _remove_setups(home: Path, edition: Edition, others: Iterable[Edition]) -> None:
    """Remove the setups that an edition began from, unless others began from them."""
    setups = {one.id: one.config.get("setups") for one in others}
    digest = setups.pop(edition.id)
    if digest and digest not in setups.values():
        forget_setups(home, digest)
