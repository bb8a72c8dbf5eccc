"""The spine: schedule → workers → store, until no round is left.

Everything that was stored stays; going on with a tournament is running it again. What is missing is
asked of the schedule, whose matches are numbered, and a bitmap of the numbers that are settled.
"""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import StoreError, TournamentChanged, UsageError
from arena.model import (
    Entrant,
    Match,
    MatchJob,
    Opening,
    Record,
    Round,
    Seat,
    Tournament,
)
from arena.record import parse_record
from arena.referee.deal import NoOpening, random_opening
from arena.referee.leftovers import sweep
from arena.referee.sandbox import find_level
from arena.roster import build_at, enter, level_for
from arena.schedule.formats import find_format
from arena.schedule.seeds import bot_seed, deal_seed, match_id
from arena.store import Store, open_store, runner_lock
from arena.store.packed import Packed
from arena.store.tournaments import Edition, now
from arena.tournament import Change, canonical, difference, fingerprint
from arena.untrusted import show_lines
from arena.workers import Lost, Played, Workers
from engines import Game, load_game

__all__ = ["Progress", "Summary", "run_tournament"]

STORE_SECONDS = 60.0  # a store that is locked or full is tried for so long
STORE_PAUSE = 0.5
ATTEMPTS = 3  # at a match that is void, before it is listed as undecided

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """Told after every match: how far the tournament is, and how the last match ended.

    ``total`` is the length of the schedule as far as it is known.
    """

    settled: int
    total: int
    seats: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    by: str = ""
    match: str = ""


@dataclass(slots=True)
class Summary:
    """How a run went: what it played now, and what could not be decided."""

    edition: Edition
    played: int = 0
    undecided: list[str] = field(default_factory=list)


Tell = Callable[[Progress], None]


def run_tournament(
    tournament: Tournament,
    home: Path,
    *,
    extend: bool = False,
    new: bool = False,
    allow_unsafe: bool = False,
    log_path: str | None = None,
    tell: Tell = lambda progress: None,
) -> Summary:
    """Run a tournament, or go on with it, to the end of its schedule.

    Args:
        tournament: what to play.
        home: where everything is kept.
        extend: go on although the file has more rounds, bots or games than before.
        new: start another edition, whatever was played under this name.
        allow_unsafe: run bots of strangers although nothing isolates them.
        log_path: where workers log to.
        tell: called at the start and after every match.

    Raises:
        TournamentChanged: the file differs from the tournament of that name in the store.
        RunnerBusy: another runner is at it.
        BotError: a bot cannot be found or built.
        UsageError: no opening of so many plies leaves a game to play, or the bots cannot be
            isolated as they must be.
        KeyboardInterrupt: somebody stopped it; what was stored stays.
    """
    for game in tournament.games:
        check_opening(load_game(game), tournament)
    with (
        open_store(home, create=True, durability=tournament.durability) as store,
        runner_lock(home, tournament.name),
    ):
        _sweep(home)
        level = level_for(
            tournament.sandbox, tournament.bots, store.bots, allow_unsafe=allow_unsafe
        )
        if not find_level(level).isolates and (allow_unsafe or tournament.sandbox == level):
            log.warning('bots run at the level "%s": %s', level, find_level(level).promise)
        memory, run = tournament.memory_bytes, build_at(level)
        entrants = {
            entry.name: enter(entry, store.bots, home, memory_bytes=memory, run=run)
            for entry in tournament.bots
        }
        edition = _edition(store, tournament, entrants, extend=extend, new=new)
        store.tournaments.started(edition.id)
        return _Run(store, edition, tournament, entrants, level, home, tell).play(log_path)


def _sweep(home: Path) -> None:
    """End and remove what dead runs left behind."""
    for leftover in sweep(home):
        if leftover.pid:
            log.warning("ended a process that a dead run left behind: %a", leftover.what)
        else:
            log.info("removed what a dead run left behind: %s", leftover.what)


def check_opening(game: Game, tournament: Tournament) -> None:
    """Raise ``UsageError`` if the first deal of a game has no opening of so many plies."""
    plies = tournament.opening.plies
    if plies:
        seed = deal_seed(tournament.seed, str(game), 0)
        try:
            random_opening(game.new_initial_state(game.setup(seed)), plies, seed)
        except NoOpening as error:
            raise UsageError(f"opening: plies: {plies}: {game}: {error}") from None


class _Run:
    """One run of one edition."""

    def __init__(
        self,
        store: Store,
        edition: Edition,
        tournament: Tournament,
        entrants: Mapping[str, Entrant],
        level: str,
        home: Path,
        tell: Tell,
    ) -> None:
        self._store = store
        self._edition = edition
        self._tournament = tournament
        self._entrants = entrants
        self._level = level
        self._names = tuple(entry.name for entry in tournament.bots)
        self._logs = home / "logs" / edition.label
        self._tell = tell
        self._settled = store.matches.settled(edition.id)
        self._done = sum(byte.bit_count() for byte in self._settled)
        self._prefix = 0
        self._retry: deque[MatchJob] = deque()
        self._voids: dict[str, int] = {}  # attempts of this run that were void
        self._summary = Summary(edition)

    def play(self, log_path: str | None) -> Summary:
        """Play what is missing, round by round."""
        rounds = find_format(self._tournament.format)
        self._advance()
        workers: Workers | None = None
        try:
            while True:
                round_ = rounds.next_round(
                    self._tournament, self._names, self._prefix, self._records()
                )
                if round_ is None:
                    return self._summary
                total = round_[len(round_) - 1].number + 1
                self._tell(Progress(self._done, total))
                if workers is None:
                    count = min(self._tournament.workers, total - self._done)
                    workers = Workers(count, log_path, pin=self._tournament.pin)
                    workers.__enter__()
                self._play_round(round_, total, workers)
                self._advance()
        finally:
            if workers is not None:
                workers.stop()

    def _play_round(self, round_: Round, total: int, workers: Workers) -> None:
        missing = self._missing(round_)

        def next_job() -> MatchJob | None:
            if self._retry:
                return self._retry.popleft()
            match = next(missing, None)
            return None if match is None else self._job(match)

        for outcome in workers.run(next_job):
            if isinstance(outcome, Lost):
                self._lost(outcome, total)
            else:
                self._played(outcome, total)

    def _played(self, played: Played, total: int) -> None:
        packed = played.packed
        self._keep_logs(packed.id, played.logs)
        self._keep(packed)
        self._settle(packed.number)
        self._summary.played += 1
        self._tell(Progress(self._done, total, packed.entrants, packed.ranks, packed.by, packed.id))

    def _keep(self, packed: Packed) -> None:
        """Store a match; while the store is locked or full, try again for a minute."""
        deadline = time.monotonic() + STORE_SECONDS
        while True:
            try:
                self._store.matches.add(self._edition.id, packed)
                return
            except StoreError as error:
                if time.monotonic() > deadline:
                    raise
                log.warning("match %s is not stored yet: %s", packed.id, error)
                time.sleep(STORE_PAUSE)

    def _lost(self, lost: Lost, total: int) -> None:
        """Try a void match again, up to three times in all; then list it as undecided."""
        job = lost.job
        attempt = self._store.matches.add_void(self._edition.id, job.id, lost.reason, now())
        log.warning("match %s is void: %s", job.id, lost.reason.strip().splitlines()[-1])
        self._voids[job.id] = self._voids.get(job.id, 0) + 1
        if self._voids[job.id] < ATTEMPTS:
            self._retry.append(job)
            return
        self._store.matches.give_up(
            self._edition.id, job.id, job.number, f"void {attempt} times: {lost.reason}"
        )
        self._settle(job.number)
        self._summary.undecided.append(job.id)
        seats = tuple(seat.entrant for seat in job.seats)
        self._tell(Progress(self._done, total, seats, (), "void", job.id))

    # what is missing

    def _missing(self, round_: Round) -> Iterator[Match]:
        for index in range(len(round_)):
            match = round_[index]
            if not self._is_settled(match.number):
                yield match

    def _is_settled(self, number: int) -> bool:
        place = number >> 3
        return place < len(self._settled) and bool(self._settled[place] >> (number & 7) & 1)

    def _settle(self, number: int) -> None:
        place = number >> 3
        if place >= len(self._settled):
            self._settled.extend(bytes(place + 1 - len(self._settled)))
        self._settled[place] |= 1 << (number & 7)
        self._done += 1

    def _advance(self) -> None:
        """Move the end of the complete prefix of the schedule on."""
        while self._is_settled(self._prefix):
            self._prefix += 1

    def _records(self) -> Iterator[Record]:
        for text in self._store.matches.texts(self._edition.id):
            yield parse_record(text)

    # one match

    def _job(self, match: Match) -> MatchJob:
        tournament = self._tournament
        setups = tournament.opening.setups
        return MatchJob(
            id=match_id(self._edition.label, match.block, match.seating),
            tournament=self._edition.label,
            number=match.number,
            block=match.block,
            seating=match.seating,
            game=match.game,
            seed=deal_seed(tournament.seed, match.game, match.k),
            seats=tuple(self._seat(match, place) for place in range(len(match.seats))),
            opening=Opening(plies=tournament.opening.plies),
            setup=setups[match.k % len(setups)] if setups else None,
            on_timeout=tournament.on_timeout,
            processes=tournament.processes,
            ponder=tournament.ponder,
            pin=tournament.pin,
            max_decisions=tournament.max_decisions,
            sandbox=self._level,
        )

    def _seat(self, match: Match, place: int) -> Seat:
        entrant = self._entrants[match.seats[place]]
        return Seat(
            entrant=entrant.name,
            bot=entrant.bot,
            args=entrant.args,
            env=entrant.env,
            clock=entrant.clock or self._tournament.clock,
            memory_bytes=entrant.memory_bytes,
            seed=bot_seed(
                self._tournament.seed, match.game, match.seats, match.k, match.seating, place
            ),
        )

    def _keep_logs(self, match: str, logs: tuple[str, ...]) -> None:
        """Keep what bots wrote to stderr and by ``log``, fit for ``cat``; its loss costs little."""
        for seat, text in enumerate(logs):
            if not text:
                continue
            try:
                self._logs.mkdir(parents=True, exist_ok=True)
                (self._logs / f"{match}.{seat}.log").write_text(show_lines(text), encoding="utf-8")
            except OSError as error:
                log.warning("the log of match %s could not be kept: %s", match, error)


def _edition(
    store: Store,
    tournament: Tournament,
    entrants: Mapping[str, Entrant],
    *,
    extend: bool,
    new: bool,
) -> Edition:
    """Return the edition to run: the newest one if it is the same, else as the options say."""
    hashes = {name: entrant.bot.hash for name, entrant in entrants.items()}
    versions = {game: load_game(game).rules_version for game in tournament.games}
    config = canonical(tournament, hashes, versions)
    mark = fingerprint(tournament, hashes, versions)
    text = json.dumps(config, sort_keys=True)
    latest = store.tournaments.latest(tournament.name)
    if latest is None or new:
        return store.tournaments.create(tournament.name, mark, text, entrants.values())
    if latest.fingerprint == mark:
        return latest
    change = difference(json.loads(latest.config), config)
    if change.change is Change.NOTHING:  # only how the arena writes it down has changed
        return latest
    shown = "\n".join(f"  {line}" for line in change.lines)
    if change.change is not Change.ADDS:
        raise TournamentChanged(
            f'"{latest.label}" was run from a different file, or with other programs:\n{shown}\n'
            "run it with --new to start another edition, or put back what changed (an earlier "
            "version of a submitted bot is named like mine@1)"
        )
    if not extend:
        raise TournamentChanged(
            f'"{latest.label}" has been added to:\n{shown}\n'
            "run it with --extend to go on with what was played, or with --new to start again"
        )
    names = tuple(entry.name for entry in tournament.bots)
    store.tournaments.extend(
        latest.id, mark, text, entrants.values(), _numbers(tournament, names, latest.label)
    )
    return store.tournaments.find(latest.label)


def _numbers(
    tournament: Tournament, names: tuple[str, ...], label: str
) -> Iterator[tuple[int, str]]:
    """Yield number and id of every match of a schedule that is known from the start."""
    round_ = find_format(tournament.format).next_round(tournament, names, 0, ())
    if round_ is None:
        raise StoreError(f'"{label}" has no schedule')
    for index in range(len(round_)):
        match = round_[index]
        yield match.number, match_id(label, match.block, match.seating)
