"""The spine: schedule → workers → store, until no round is left.

Everything that was stored stays; going on with a tournament is running it again. Matches are
numbered: a match is missing if its number is in the schedule and not in the bitmap of settled
numbers. Matches of an entrant who is out are settled without being played.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from arena.machine.crash import cross
from arena.packed.record_text import Dictionary
from arena.play.here import Here
from arena.process.leftovers import sweep
from arena.progress.attempts import Attempts
from arena.progress.places import Places
from arena.progress.planner import Planner
from arena.progress.rests import Rests
from arena.progress.stop_rule import comparison_of
from arena.progress.suspensions import Suspensions
from arena.record.record import parse_record
from arena.results.board import current
from arena.run.incoming import Incoming, hand_over
from arena.run.preparation import Prepared, RunOptions, name_newer, prepare
from arena.run.runnable import check_run
from arena.run.shortage import warn_of_memory
from arena.schedule.batches import NoBatch
from arena.schedule.formats import PlannedFormat, find_format
from arena.schedule.ladder import Ladder
from arena.schedule.seeds import match_id
from arena.schedule.tiles import KEPT, Tiles
from arena.stats.strength import Answer
from arena.store import Edition, Store, copies_lock, open_store, runner_lock
from arena.store.run_requests import RunRequest
from arena.store.waiting import patiently
from arena.values.arguments import PathLike, path_of
from arena.values.errors import ArenaError, BotError, RunnerBusy, StoreError, UsageError
from arena.values.model import Match, Record, Round, Stop, Tournament
from arena.values.running import running_folder
from arena.values.tables import MatchRow
from arena.workers.gather import Lost, Source
from arena.workers.jobs import JobFactory
from arena.workers.local import Workers
from engines import load_game

if TYPE_CHECKING:
    from arena.cluster.addresses import LocalCluster, Scheduler

FAR = 4  # matches a worker past the complete prefix, while somebody is unable to play
FOLDED = 25_000  # matches after which what tables are made from is kept again

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """Told after every match: how far the tournament is, and how the last match ended.

    ``total`` is the length of the schedule as far as it is known, and ``settled`` how much of that
    is settled. ``answer`` is what a comparison says so far; ``None`` if this is none. ``seed_hash``
    is the SHA-256 of a seed that is shown at the end.
    """

    settled: int
    total: int
    seats: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    by: str = ""
    match: str = ""
    game: str = ""
    seed_hash: str = ""
    answer: Answer | None = None


@dataclass(slots=True)
class Summary:
    """How a run went: what it played now, what could not be decided, and who is suspended.

    ``causes`` gives for each undecided match what is known of why, ``suspended`` the reason for
    each name, and ``spent`` those whose answers cost what they may. ``seed`` is the one that was
    secret until the last match was played. ``rests`` says why a ladder has no further matches now,
    though it may have some later: when there are newer versions, or more is asked for. ``unable``
    names the entrants that were waited for long enough, each with since when and why it is unable
    to play. ``handed_over``: another process runs it, and has read the file again; all else is
    empty.
    """

    edition: Edition
    played: int = 0
    undecided: list[str] = field(default_factory=list)
    causes: dict[str, str] = field(default_factory=dict)
    suspended: dict[str, str] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)
    seed: int | None = None
    rests: NoBatch | None = None
    unable: dict[str, str] = field(default_factory=dict)
    handed_over: bool = False

    @property
    def waits(self) -> str:
        """For whom it waited long enough, in words; empty if for nobody."""
        waits = "; ".join([f"{name}, {why}" for name, why in self.unable.items()])
        return waits and f"waited long enough for {waits}; use the same command again later"


OnProgress = Callable[[Progress], None]
Ready = Callable[..., Prepared]


def run_tournament(
    tournament: Tournament,
    home: PathLike,
    *,
    progress: OnProgress = lambda progress: None,
    cluster: LocalCluster | Scheduler | None = None,
    file: Path | None = None,
    follow: bool = False,
    clock: Callable[[], float] = time.monotonic,
    **options: Unpack[RunOptions],
) -> Summary:
    """Run a tournament, or go on with it, to the end of its schedule.

    >>> summary = arena.run_tournament(tournament, ".arena")
    >>> summary.played  # all was played before
    0

    Args:
        tournament: what to play; its bots may also be given as the command line names them.
        home: where everything is kept.
        progress: called at the start and after every match.
        cluster: where matches are played, as ``arena.cluster_at`` gives it; if left out, by worker
            processes of this one.
        file: the tournament's file. If another process is running the tournament, that process
            reads the file again, and goes on with what has changed; without ``file`` that is a
            ``RunnerBusy``.
        follow: enter bots that fit its patterns later, too, and look for newer versions, until
            somebody stops it; for a ladder.
        clock: seconds of a clock that never goes back, by which pauses are measured.
        options: how it goes on; see ``RunOptions``.

    Raises:
        TournamentChanged: the file differs from the tournament of that name in the store.
        RunnerBusy: another runner is at it.
        BotError: a bot cannot be found or built.
        UsageError: a value of the tournament is none that a file could have; no opening of so many
            plies leaves a game to play; the bots cannot be isolated as they must be, or cannot
            import a plug-in game there; nobody has the name of somebody to take out.
        WorkerError: no worker can be started, or no host of the cluster reached that may play.
        StoreError: the store cannot be read or written, is damaged, or has disappeared.
        KeyboardInterrupt: somebody stopped it; what was stored stays.
    """
    home = path_of(home, "home")
    tournament = check_run(tournament)  # as if it stood in a file: a program may have made it
    if any(bot.version == "" for bot in tournament.bots):  # a new version at each call
        tournament = _with_versions(tournament)
        options["new"] = True
    if cluster is not None and any(bot.function for bot in tournament.bots):
        raise UsageError("functions of this program play here, and on no cluster")
    if follow and tournament.format != Ladder.name:
        raise UsageError(f"--follow: for a ladder only, and the format is {tournament.format}")
    with open_store(home, create=True, durability=tournament.durability) as store:
        while True:
            try:
                with runner_lock(home, tournament.name):
                    _sweep(home)
                    incoming = Incoming(store, tournament, follow=follow, clock=clock)
                    return _run_here(store, home, incoming, progress, cluster, options)
            except RunnerBusy as busy:
                if file is None or cluster is not None or follow or options.get("new"):
                    raise
                request = RunRequest(
                    str(file.absolute()),
                    options.get("extend", False),
                    options.get("upgrade", ()),
                    options.get("as_of"),
                )
                if hand_over(store, home, tournament.name, request, busy):
                    latest = store.tournaments.latest(tournament.name)
                    assert latest is not None, "it is being run"
                    return Summary(latest, handed_over=True)


def _run_here(
    store: Store,
    home: Path,
    incoming: Incoming,
    progress: OnProgress,
    cluster: LocalCluster | Scheduler | None,
    options: RunOptions,
) -> Summary:
    """Run a tournament in this process; prepare it again when something reaches it."""
    tournament = incoming.tournament
    store.requests.clear(tournament.name)
    kept: RunOptions = {  # however often it is prepared
        "allow_unsafe": options.get("allow_unsafe", False),
        "bots_of_the_bundle": options.get("bots_of_the_bundle", False),
    }

    def ready(**asked: Unpack[RunOptions]) -> Prepared:
        there = "" if cluster is None else cluster.open_to_bots
        extends = asked.get("extend", False) or not incoming.follow
        leave_out = {*incoming.refused, *(() if extends else incoming.names())}
        incoming.begin()
        with copies_lock(home):
            return prepare(
                store,
                incoming.tournament,
                home,
                on_cluster=bool(cluster),
                open_to_bots=there,
                leave_out=leave_out,
                **(kept | asked),
            )

    prepared, played = ready(**options), 0
    while True:
        run = _Run(store, prepared, progress, cluster, incoming)
        summary = run.play()
        played = summary.played = played + summary.played
        if not run.interrupted:
            name_newer(store, prepared)
            if not incoming.follow:
                return summary
            log.warning("%s rests, and looks for what is new until it is stopped", tournament.name)
            incoming.wait()
        if incoming.pending is not None:
            prepared = _as_asked(incoming, ready) or prepared
        if incoming.newcomers:
            prepared = _with_newcomers(incoming, ready) or prepared
        elif incoming.newer and not run.interrupted:
            prepared = ready()


def _as_asked(incoming: Incoming, ready: Ready) -> Prepared | None:
    """Prepare a run again as somebody asked, and answer; ``None`` if what was asked is wrong."""
    assert incoming.pending is not None
    request = incoming.pending[1]
    try:
        asked = {key: value for key, value in request._asdict().items() if key != "file"}
        prepared = ready(**asked)
    except ArenaError as error:
        incoming.settle(str(error) or type(error).__name__)
        return None
    incoming.settle()
    log.warning("%s was read again", Path(request.file).name)
    return prepared


def _with_newcomers(incoming: Incoming, ready: Ready) -> Prepared | None:
    """Enter bots that are new, except those that cannot play; ``None`` if none can."""
    refused, names, prepared = {*incoming.refused}, incoming.names(), None
    incoming.newcomers = False
    with contextlib.suppress(BotError):
        return ready(extend=True)
    for name in names:  # one by one, so that one that cannot play keeps nobody out
        incoming.refused = refused | {*names} - {name}
        try:
            prepared = ready(extend=True)
        except ArenaError as error:
            refused.add(name)
            log.warning("%s is not entered: %s", name, error)
    incoming.refused = refused
    return prepared


def _with_versions(tournament: Tournament) -> Tournament:
    """Give a version to each function that has none: one that nobody had before."""
    drawn = secrets.token_hex(8)
    bots = [replace(bot, version=drawn) if bot.version == "" else bot for bot in tournament.bots]
    return replace(tournament, bots=tuple(bots))


def look_ahead(store: Store, prepared: Prepared) -> tuple[Round, list[int]]:
    """Return what a run would begin with, as it would find out itself: it writes to the store.

    That is a part of the schedule, and which matches of it are missing.
    """
    return _Run(store, prepared, lambda progress: None).look_ahead()


def _sweep(home: Path) -> None:
    """End and remove what dead runs left behind."""
    for leftover in sweep(home):
        if leftover.pid:
            log.warning("ended a process that a dead run left behind: %a", leftover.what)
        else:
            log.info("removed what a dead run left behind: %s", leftover.what)


def job_factory(prepared: Prepared, dictionary: Dictionary) -> JobFactory:
    """Return what makes the jobs of a tournament's matches, in a worker.

    Their records are packed with the dictionary.
    """
    entrants = prepared.entrants.copy()
    label, level = prepared.edition.label, prepared.sandbox
    return JobFactory(prepared.tournament, label, entrants, sandbox=level, dictionary=dictionary)


class _Run:
    """One run of one edition."""

    def __init__(
        self,
        store: Store,
        prepared: Prepared,
        progress: OnProgress,
        cluster: LocalCluster | Scheduler | None = None,
        incoming: Incoming | None = None,
    ) -> None:
        self._store = store
        self._incoming = incoming
        self.interrupted = False  # as it is to be prepared again
        self._cluster = cluster
        self._prepared = prepared
        self._progress = progress
        self._edition = edition = prepared.edition
        self._tournament = tournament = prepared.tournament
        self._planner = Planner(store, edition, tournament, prepared.names, prepared.newer)
        self._settled = store.matches.settled(edition.id)
        self._end = 0  # the number after the last one of the schedule, as far as that is known
        self._suspensions = Suspensions(store, edition)
        clock = time.monotonic if incoming is None else incoming.clock
        plays, unable_for = self._suspensions.plays, tournament.unable_for_ms / 1000
        rests = Rests(unable_for, plays, self._is_far, clock)
        self._attempts = Attempts(store, edition, rests, Places(prepared.entrants))
        self._test = comparison_of(store, edition, decides=True)
        self._make = job_factory(prepared, store.matches.dictionary(edition.id))
        self._folded = 0
        self._warned = False  # that memory may run out
        self._summary = Summary(edition)

    def play(self) -> Summary:
        """Play what is missing, round by round."""
        is_secret = self._edition.secret and not self._prepared.seed_shown
        seed_hash = self._edition.seed_hash if is_secret else ""
        source: Source[Any] | None = None
        with contextlib.ExitStack() as running:
            while (round_ := self._next_round()) is not None:
                if self._edition.ended is not None:
                    self._write(self._store.tournaments.reopen)
                    self._edition = self._edition._replace(ended=None)
                self._report(seed_hash=seed_hash)
                if source is None:
                    if self._prepared.seed_shown:
                        log.warning(
                            "the seed of %s was shown when it ended: anyone who saw it can compute "
                            "the deals that are added; --new draws another one",
                            self._edition.label,
                        )
                    source = self._source(round_, running)
                if not self._play_round(round_, source) or self.interrupted:
                    break
            self._store.look()
            if self.interrupted:
                return self._summary
            return self._sum_up()

    def look_ahead(self) -> tuple[Round, list[int]]:
        """Return what would be played first."""
        round_ = self._next_round()
        if round_ is None:
            return (), []
        missing, plays = list(self._missing(round_)), self._suspensions.plays
        if self._suspensions.since:
            missing = [index for index in missing if plays(round_[index])]
        return round_, missing

    def _next_round(self) -> Round | None:
        """Return the next round in which something is to be played; ``None`` when all is over."""
        while not self._edition.is_closed and self._suspensions.stop is None:
            round_ = self._planner.next(
                settled=self._settled.prefix,
                records=self._records(),
                since=self._suspensions.since,
            )
            self._take_up()
            if round_ is None or self._stopped():
                return None
            self._end = len(round_)
            self._suspensions.advance(self._settled, round_)
            if self._settled.prefix < self._end and not self._stopped():
                return round_
        return None

    def _sum_up(self) -> Summary:
        """Say what could not be decided and who is suspended; end what is over."""
        summary = self._summary
        summary.causes = {
            name: why
            for _, (match, name, why) in sorted(self._attempts.undecided.items())
            if self._suspensions.decides(match) and not self._stopped()
        }
        summary.undecided = [*summary.causes]
        summary.suspended = dict(sorted(self._suspensions.why.items()))
        summary.spent = self._suspensions.spent
        self._warn_of_too_few()
        end = self._planner.end
        if end is not None and not end.is_stop:
            summary.rests = end
        elif not (summary.undecided or summary.unable):
            if self._edition.ended is None:
                cross("end", tournament=self._edition.id)
                self._write(self._store.tournaments.end)
            if self._edition.secret:  # no longer
                summary.seed = self._edition.seed
        summary.edition = self._store.tournaments.get(self._edition.id)
        return summary

    def _warn_of_too_few(self) -> None:
        """Say so if too few are left to play a game."""
        out = self._suspensions.since
        left = [name for name in self._planner.playing if name not in out]
        for game in self._tournament.games:
            players = load_game(game).num_players
            if len(left) < players:
                text = "%s needs %d players, and too few are left (%s): no more of it can be played"
                log.warning(text, game, players, ", ".join(left) or "none")

    def _take_up(self) -> None:
        """Let the newer versions play that a batch has entered."""
        for name, entrant in self._planner.taken_up.items():
            if name not in self._prepared.entrants:
                self._prepared.entrants[name] = entrant
                dictionary = self._store.matches.dictionary(self._edition.id)
                self._make = job_factory(self._prepared, dictionary)
                log.warning("%s plays from now on in place of the version before it", name)

    def _source(self, round_: Round, running: contextlib.ExitStack) -> Source[Any]:
        """Return what plays until ``running`` ends it: workers, hosts of a cluster, this thread."""
        functions = {bot.name: bot.function for bot in self._tournament.bots if bot.function}
        if functions:
            return Here(functions)
        asking = [name for name, one in self._prepared.entrants.items() if one.bot.asks]
        if self._cluster is None:
            return self._workers(round_, running, ahead=not asking)
        workers = self._workers(round_, running, ahead=False) if asking else None
        from arena.cluster.joined import join_cluster

        level, isolates = self._tournament.sandbox, self._prepared.isolates
        hosts = join_cluster(self._cluster, self._prepared.home, sandbox=level, isolates=isolates)
        running.enter_context(hosts)
        if workers is None:
            return hosts
        from arena.cluster.beside import Beside

        names = ", ".join(asking)
        log.warning("%s: played by workers of this machine only, never by a host", names)
        return Beside(workers, hosts, self._attempts.takes_back)

    def _workers(self, round_: Round, running: contextlib.ExitStack, *, ahead: bool) -> Workers:
        """Start our worker processes."""
        count = min(self._tournament.workers, self._most_at_once(round_))
        self._attempts.at_once = 0 if self._cluster else count
        self._warned = warn_of_memory(self._tournament.games, self._prepared.entrants.values(), 1)
        shown = running_folder(self._prepared.home)
        pin, secrets_ = self._tournament.pin, self._prepared.secrets()
        workers = Workers(count, pin=pin, shown=shown, ahead=ahead, secrets=secrets_)
        running.callback(workers.stop)  # also if not all of them can be started
        return workers.__enter__()

    def _use(self, workers: Workers) -> None:
        """Set the number of parallel matches, and warn once if bots may need too much memory."""
        workers.use(self._attempts.at_once)
        if not self._warned and (used := workers.most_used()):
            games, entrants = self._tournament.games, self._prepared.entrants.values()
            self._warned = warn_of_memory(games, entrants, self._attempts.at_once, used)

    def _most_at_once(self, round_: Round) -> int:
        """Return how many matches there can ever be to play at a time."""
        if isinstance(find_format(self._tournament.format), PlannedFormat):
            return len(round_)  # though little of this round may be left
        return self._end - len(self._settled)

    def _is_far(self, match: Match) -> bool:
        """Return whether a match may soon turn out not to count, as the stop is before it."""
        bound = self._settled.prefix + FAR * self._tournament.workers
        return self._tournament.stop != Stop() and match.number >= bound

    def _play_round(self, round_: Round, source: Source[Any]) -> bool:
        """Play what is missing; return whether there may be more to play after it."""
        order = self._order(round_)
        self._attempts.rests.begin()
        self._attempts.places.begin()

        def next_match(worker: int) -> Match | float | None:
            while not self.interrupted and (match := self._attempts.next(order(worker))):
                if isinstance(match, float):
                    return match
                if self._suspensions.plays(match):
                    self._attempts.places.take(match)
                    return match
                self._settled.add(match.number)
            return None

        for results in source.run(next_match, self._make, self._look):
            self._keep([result for result in results if isinstance(result, MatchRow)])
            for result in results:
                if isinstance(result, Lost):
                    self._lost(result, round_)
            if isinstance(source, Workers):
                self._use(source)
            self._suspensions.advance(self._settled, round_)
            self._fold(self._settled.prefix)
            if self._stopped():  # matches that are being played would not count
                return True
        self._summary.unable = self._attempts.rests.waited_for()
        return not self._summary.unable

    def _look(self) -> None:
        """Look whether the store is still there, and whether anything has come for this run."""
        self._store.look()
        if self._incoming is not None and self._incoming.due():
            self.interrupted = True  # as soon as what is being played is over

    def _stopped(self) -> bool:
        """Return whether the results decide that the tournament is over."""
        if self._suspensions.stop is not None:
            return True
        return self._test is not None and self._test.count(self._settled.prefix)

    def _fold(self, prefix: int) -> None:
        """Keep what tables are made from, so that a look after a killed run need not read it all.

        The table at the end needs this work anyway; here it is only done earlier.
        """
        if prefix >= self._folded + FOLDED:
            self._folded = prefix
            with contextlib.suppress(StoreError):  # that table says what is damaged
                current(self._store.cache, self._edition.id)

    def _keep(self, played: Sequence[MatchRow]) -> None:
        """Store matches in one transaction, then report them."""
        if not played:
            return
        which = f"match {played[0].id}"
        if len(played) > 1:
            which += f", with {len(played) - 1} more,"
        patiently(which, self._store.matches.add, self._edition.id, *played)
        for packed in played:
            cross("stored", match=packed.number)
            self._suspensions.played(packed)
            self._attempts.played(packed)
            self._summary.played += 1
            self._settled.add(packed.number)
            seats, ranks, by = packed.entrants, packed.ranks, packed.by
            self._report(seats=seats, ranks=ranks, by=by, match=packed.id, game=packed.game)

    def _lost(self, lost: Lost, round_: Round) -> None:
        match = round_[lost.number]
        name = match_id(self._edition.label, match.block, match.seating)
        if self._attempts.lost(lost.void, match, name):
            self._settled.add(match.number)
            self._report(seats=match.seats, by="void", match=name, game=match.game)

    def _report(self, **of_match: Any) -> None:
        """Report the progress of the tournament, with the match that has just ended."""
        answer = None if self._test is None else self._test.answer()
        self._progress(Progress(len(self._settled), self._end, answer=answer, **of_match))

    def _write(self, write: Callable[[int], None]) -> None:
        """Have something written of the edition, patiently."""
        patiently(f'"{self._edition.label}"', write, self._edition.id)

    # what is missing

    def _order(self, round_: Round) -> Callable[[int], Iterator[Match]]:
        """Return what gives a worker the missing matches: in schedule order, or by their bots."""
        names, missing = self._planner.playing, self._missing(round_)
        if self._tournament.processes != "reuse" or len(names) <= KEPT:
            matches = map(round_.__getitem__, missing)
            return lambda worker: matches
        tiles = Tiles(round_, missing, names, self._suspensions.suspects)
        return cache(tiles.of)

    def _missing(self, round_: Round) -> Iterator[int]:
        """Yield the numbers of the matches of a round that are to be played."""
        for number in range(self._settled.prefix, len(round_)):
            if number not in self._settled:
                yield number

    def _records(self) -> Iterator[Record]:
        for text in self._store.matches.texts(self._edition.id, counted=False):
            yield parse_record(text)
