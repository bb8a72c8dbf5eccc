"""The spine: schedule → workers → store, until no round is left.

Everything that was stored stays; going on with a tournament is running it again. What is missing is
asked of the schedule, whose matches are numbered, and a bitmap of the numbers that are settled.
Matches of an entrant who is out are settled without being played.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from arena.arguments import PathLike, path_of, require
from arena.bots.confined import build_at
from arena.bots.find import enter_all
from arena.bots.imports import with_imports
from arena.bots.isolation import level_for
from arena.bots.newer import FindNewer, taken_up
from arena.bots.pins import expand, newer_versions
from arena.comparing import Comparing, question_of
from arena.crash import cross
from arena.errors import Lack, StoreError, TournamentChanged, UsageError, near_miss
from arena.match.opening import NoOpening, random_opening
from arena.match.record import parse_record
from arena.model import (
    BotEntry,
    Entrant,
    Match,
    MatchJob,
    Opening,
    Record,
    Round,
    Seat,
    Tournament,
)
from arena.patience import END_SECONDS, Patience
from arena.process.leftovers import sweep
from arena.ratings.board import current_leaderboard
from arena.rounds import Planner, newest_versions, placed, planned_rounds
from arena.sandbox import find_level
from arena.schedule.batches import End
from arena.schedule.formats import find_format
from arena.schedule.interface import BatchFormat, PlannedFormat
from arena.schedule.seeds import bot_seed, deal_seed, match_id
from arena.schedule.settled import Settled
from arena.stats.comparison import Answer
from arena.store import Store, open_store, runner_lock
from arena.store.patience import patiently
from arena.store.tournaments import Edition, Entry, now
from arena.suspensions import Suspensions
from arena.tournament.change import Change, canonical, difference, fingerprint
from arena.tournament.format_keys import check_size
from arena.workers.local import Lost, Played, Workers, refuse_import
from engines import Game, load_game

__all__ = ["Progress", "Summary", "run_tournament"]

ATTEMPTS = 3  # at a match that is void, before it is listed as undecided
SLEEPS = 100  # of a match that are no attempts; who sleeps more often hardly runs
NOTED = 4096  # matches after which it is noted again that none is missing
SAFE_SEED = 1 << 64  # from here on nobody finds a written seed by trying

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """Told after every match: how far the tournament is, and how the last match ended.

    ``total`` is the length of the schedule as far as it is known. ``answer`` is what a comparison
    says so far; ``None`` if this is none. ``seed_hash`` is the SHA-256 of a seed that is secret.
    """

    settled: int
    total: int
    seats: tuple[str, ...] = ()
    ranks: tuple[int, ...] = ()
    by: str = ""
    match: str = ""
    seed_hash: str = ""
    answer: Answer | None = None


@dataclass(slots=True)
class Summary:
    """How a run went: what it played now, what could not be decided, and who is suspended.

    ``causes`` gives for each undecided match what is known of why, ``suspended`` the reason for
    each name. ``seed`` is the one that was secret until the last match was played. ``rests`` says
    why a ladder has no further matches now, though it may have some later: when there are newer
    versions, or more is asked for.
    """

    edition: Edition
    played: int = 0
    undecided: list[str] = field(default_factory=list)
    causes: dict[str, str] = field(default_factory=dict)
    suspended: dict[str, str] = field(default_factory=dict)
    seed: int | None = None
    rests: End | None = None


Tell = Callable[[Progress], None]


def run_tournament(
    tournament: Tournament,
    home: PathLike,
    *,
    extend: bool = False,
    new: bool = False,
    without: Collection[str] = (),
    back: Collection[str] = (),
    allow_unsafe: bool = False,
    tell: Tell = lambda progress: None,
) -> Summary:
    """Run a tournament, or go on with it, to the end of its schedule.

    Args:
        tournament: what to play.
        home: where everything is kept.
        extend: go on although the file has more rounds, bots or games than before, or although a
            ladder has reached its stop.
        new: start another edition, whatever was played under this name.
        without: entrants to take out of the table and of what is still to be played.
        back: entrants that were taken out, to put back in. What was said last of an entrant holds,
            here or in the file, from run to run.
        allow_unsafe: run untrusted bots although nothing isolates them.
        tell: called at the start and after every match.

    Raises:
        TournamentChanged: the file differs from the tournament of that name in the store.
        RunnerBusy: another runner is at it.
        BotError: a bot cannot be found or built.
        UsageError: no opening of so many plies leaves a game to play, or the bots cannot be
            isolated as they must be, or cannot import a plug-in game there; or nobody has the name
            of somebody to take out; or this is called while a program is imported, outside of
            ``if __name__ == "__main__":``.
        StoreError: the store cannot be read or written, is damaged, or has disappeared.
        KeyboardInterrupt: somebody stopped it; what was stored stays.
    """
    require(tournament, Tournament, "tournament", "a Tournament, as read_tournament(FILE) gives it")
    home = path_of(home, "home")
    refuse_import()
    for game in tournament.games:
        check_opening(load_game(game), tournament)
    with (
        open_store(home, create=True, durability=tournament.durability) as store,
        runner_lock(home, tournament.name),
    ):
        _sweep(home)
        latest = None if new else store.tournaments.latest(tournament.name)
        entries = [] if latest is None else store.tournaments.entries(latest.id)
        pins = {entry.name: entry for entry in entries}
        patterns = any(entry.is_pattern for entry in tournament.bots)
        bots, newcomers = expand(
            tournament.bots, store.bots, None if latest is None else pins, extend=extend
        )
        tournament = replace(tournament, bots=bots)
        if patterns:
            check_size(tournament)
        level = level_for(
            tournament.sandbox, tournament.bots, store.bots, allow_unsafe=allow_unsafe
        )
        if not find_level(level).isolates and (allow_unsafe or tournament.sandbox == level):
            log.warning('bots run at the level "%s": %s', level, find_level(level).promise)
        memory, run = tournament.memory_bytes, build_at(level)

        def ready(
            entries: Collection[BotEntry], pins: Mapping[str, Entry] = MappingProxyType({})
        ) -> dict[str, Entrant]:
            entered = enter_all(
                *(entries, tournament.games, store.bots, home),
                pins=pins,
                memory_bytes=memory,
                run=run,
            )
            with_games = with_imports(entered.values(), tournament.games, level)
            return {entrant.name: entrant for entrant in with_games}

        lines = {entry.name: entry.line for entry in entries if entry.line}
        entrants = ready((*bots, *taken_up(bots, lines)), pins)
        _check_out(entrants, (("--without", without), ("--with", back)))
        _check_out(entrants, [("without", tournament.without)])
        names = _seeded(store, tournament, latest)
        edition = _edition(store, tournament, entrants, latest, extend=extend)
        ladder = isinstance(find_format(tournament.format), BatchFormat)
        told = () if ladder else newer_versions(bots, entrants, pins, store.bots)
        for line in (*told, *newcomers):
            log.warning("%s", line)
        _take_out(store, edition, tournament, set(without), set(back))
        newer = FindNewer(
            bots,
            entrants,
            store.bots,
            ready=lambda entry: ready((entry,))[entry.name],
            out=lambda: {one.name for one in store.tournaments.entries(edition.id) if one.out},
        )
        if ladder and edition.stop is not None and extend:
            _warn_of_shown_seed(edition)
            patiently(f'"{edition.label}"', store.tournaments.stop, edition.id, None)
            edition = edition._replace(stop=None)
        tournament = replace(tournament, seed=edition.seed)
        _warn_of_seed(edition, tournament.games)
        patiently(f'"{edition.label}"', store.tournaments.started, edition.id)
        run_ = _Run(store, edition, tournament, entrants, names, newer, level, home, tell)
        summary = run_.play()
        if ladder and store.tournaments.get(edition.id).stop is not None:
            _name_newer(store, edition, tournament, newer)
        return summary


def _name_newer(store: Store, edition: Edition, tournament: Tournament, newer: FindNewer) -> None:
    """Say so if a ladder has reached its stop, and newer versions are left that do not play."""
    newest = newest_versions(store.tournaments.entries(edition.id))
    if names := ", ".join([entry.name for _, entry in newer.there_are(newest)]):
        by_matches = tournament.stop is not None and tournament.stop.matches is not None
        log.warning(
            "not taken up, as %s has reached its stop: %s; %s",
            *(edition.label, names),
            "to go on with them, raise stop.matches in the file and use --extend"
            if by_matches
            else "--extend looks for newer versions and goes on",
        )


def _sweep(home: Path) -> None:
    """End and remove what dead runs left behind."""
    for leftover in sweep(home):
        if leftover.pid:
            log.warning("ended a process that a dead run left behind: %a", leftover.what)
        else:
            log.info("removed what a dead run left behind: %s", leftover.what)


def _warn_of_seed(edition: Edition, games: tuple[str, ...]) -> None:
    """Say so if a hidden deal can be found by trying seeds."""
    if edition.seed >= SAFE_SEED:
        return
    types = {game: load_game(game).type for game in games}
    hiding = [
        game
        for game, kind in types.items()
        if kind.chance != "deterministic" and kind.information != "perfect"
    ]
    if hiding:
        log.warning(
            "a bot can find the hidden deals of %s by trying seeds below 2^64; a file without "
            '"seed" gets a secret one',
            " and ".join(hiding),
        )


def check_opening(game: Game, tournament: Tournament) -> None:
    """Raise ``UsageError`` if the first deal of a game has no opening of so many plies."""
    plies = tournament.opening.plies
    if plies:
        # where the seed is still to be drawn, any deal is as good
        seed = deal_seed(tournament.seed or 0, str(game), 0)
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
        entrants: dict[str, Entrant],
        names: tuple[str, ...],
        newer: FindNewer,
        level: str,
        home: Path,
        tell: Tell,
    ) -> None:
        self._store = store
        self._edition = edition
        self._tournament = tournament
        self._entrants = entrants
        self._level = level
        self._planner = Planner(store, edition, tournament, names, newer)
        self._logs = home / "logs" / edition.label
        self._tell = tell
        self._settled = Settled(store.matches.settled(edition.id))
        self._suspensions = Suspensions(store, edition, tournament.max_faults)
        question = question_of(store, edition)
        self._comparing = (
            None if question is None else Comparing(store, edition, question, decides=True)
        )
        self._retry: deque[Match] = deque()
        self._waiting: deque[Match] = deque()  # void for a lack, after all others
        self._patience = Patience()
        self._voids: dict[str, int] = {}  # attempts of this run that were void, and count
        self._sleeps: dict[str, int] = {}  # those that do not, as nothing ran for a while
        self._undecided: dict[int, Match] = {}  # what this run gave up
        self._causes: dict[str, str] = {}  # by the match's id
        self._noted = 0
        self._total = 0
        self._summary = Summary(edition)

    def play(self) -> Summary:
        """Play what is missing, round by round."""
        workers: Workers | None = None
        seed_hash = self._edition.seed_hash if self._edition.secret else ""
        try:
            while True:
                round_ = self._planner.next(
                    settled=self._settled.prefix,
                    records=self._records(),
                    since=self._suspensions.since,
                )
                self._take_up()
                if round_ is None or self._stopped():
                    self._store.look()
                    return self._sum_up()
                self._total = round_[len(round_) - 1].number + 1
                self._advance(round_)
                if self._settled.prefix == self._total or self._stopped():
                    continue
                if self._edition.ended is not None:
                    patiently(
                        f'"{self._edition.label}"', self._store.tournaments.reopen, self._edition.id
                    )
                    self._edition = self._edition._replace(ended=None)
                begun = Progress(len(self._settled), self._total, seed_hash=seed_hash)
                self._tell(replace(begun, answer=self._answer()))
                if workers is None:
                    count = min(self._tournament.workers, self._most_at_once(round_))
                    workers = Workers(count, pin=self._tournament.pin)
                    workers.__enter__()
                self._play_round(round_, workers)
        finally:
            if workers is not None:
                workers.stop()

    def _sum_up(self) -> Summary:
        """Say what could not be decided and who is suspended; warn if nobody can play."""
        self._summary.undecided = [
            match_id(self._edition.label, match.block, match.seating)
            for _, match in sorted(self._undecided.items())
            if self._suspensions.decides(match) and not self._stopped()
        ]
        self._summary.causes = {name: self._causes[name] for name in self._summary.undecided}
        self._summary.suspended = dict(sorted(self._suspensions.why.items()))
        left = self._suspensions.left(self._planner.playing)
        for game in self._tournament.games:
            players = load_game(game).num_players
            if len(left) < players:
                log.warning(
                    "%s needs %d players, and %d %s left%s: nothing more of it can be played",
                    *(game, players, len(left), "is" if len(left) == 1 else "are"),
                    f" ({', '.join(left)})" if left else "",
                )
        end = self._planner.end
        if end is not None and not end.is_stop:
            self._summary.rests = end
        elif not self._summary.undecided:
            self._end()
        return self._summary

    def _take_up(self) -> None:
        """Let the newer versions play that a batch has entered."""
        for name, entrant in self._planner.taken_up.items():
            if name not in self._entrants:
                self._entrants[name] = entrant
                log.warning("%s plays from now on in place of the version before it", name)

    def _most_at_once(self, round_: Round) -> int:
        """Return how many matches there can ever be to play at a time."""
        if isinstance(find_format(self._tournament.format), PlannedFormat):
            return len(round_)  # though little of this round may be left
        return self._total - len(self._settled)

    def _end(self) -> None:
        """Have it known that the last match was played; a secret seed is secret no more."""
        if self._edition.ended is None:
            cross("end")
            patiently(f'"{self._edition.label}"', self._store.tournaments.end, self._edition.id)
        if self._edition.secret:
            self._summary.seed = self._edition.seed

    def _play_round(self, round_: Round, workers: Workers) -> None:
        missing = self._missing(round_)

        def next_match() -> Match | None:
            if self._retry:
                return self._retry.popleft()
            match = next(missing, None)
            return self._waiting.popleft() if match is None and self._waiting else match

        def next_job() -> MatchJob | float | None:
            if pause := self._patience.seconds():
                return pause
            while match := next_match():
                if self._suspensions.plays(match):
                    return self._job(match)
                self._settled.add(match.number)
            return None

        for outcome in workers.run(next_job, self._store.look):
            if isinstance(outcome, Lost):
                self._lost(outcome, round_)
            else:
                self._played(outcome)
            self._advance(round_)
            if self._stopped():  # matches that are being played would not count
                return

    def _answer(self) -> Answer | None:
        return None if self._comparing is None else self._comparing.answer()

    def _stopped(self) -> bool:
        """Return whether the results decide that the tournament is over."""
        return self._comparing is not None and self._comparing.count(self._settled.prefix)

    def _advance(self, round_: Round) -> None:
        """Go on with the schedule's complete prefix, past matches of those who are out."""
        settled, suspensions = self._settled, self._suspensions
        start = round_[0].number
        while True:
            suspensions.count(settled.advance())
            index = settled.prefix - start
            if not suspensions.anybody or index >= len(round_) or suspensions.plays(round_[index]):
                break
            settled.add(settled.prefix)
        if suspensions.publish():
            self._noted = -NOTED  # what was noted is of others who were out
        self._note(settled.prefix)

    def _note(self, prefix: int) -> None:
        """Note how far no match is missing, where tables could not find it out by themselves."""
        complete = min([prefix, *self._undecided])
        last = prefix == self._total
        if self._suspensions.anybody and complete >= self._noted + (1 if last else NOTED):
            complete_to = self._store.tournaments.complete_to
            patiently(f'"{self._edition.label}"', complete_to, self._edition.id, complete)
            self._noted = complete

    def _played(self, played: Played) -> None:
        packed = played.packed
        self._keep_logs(packed.id, played.logs)
        cross("logs")
        patiently(f"match {packed.id}", self._store.matches.add, self._edition.id, packed)
        cross("stored")
        self._suspensions.played(packed)
        if self._patience.waiting:
            log.info("match %s was played: nothing waits any longer", packed.id)
        self._patience.played()
        self._summary.played += 1
        self._settled.add(packed.number)
        self._tell(
            Progress(
                *(len(self._settled), self._total, packed.entrants, packed.ranks),
                *(packed.by, packed.id),
                answer=self._answer(),
            )
        )

    def _lost(self, lost: Lost, round_: Round) -> None:
        """Try a void match again, up to three times in all; then list it as undecided.

        While this machine lacks what it needs, it waits, and no attempt counts; nor does one during
        which the machine slept.
        """
        job = lost.job
        match = round_[job.number - round_[0].number]
        matches, edition, what = self._store.matches, self._edition.id, f"void match {job.id}"
        attempt = patiently(what, matches.add_void, edition, job.id, lost.reason, now())
        cross("void")
        waits = lost.lack is not None and self._wait_for(lost.lack)
        reason = lost.reason.strip().splitlines()[-1]
        log.log(logging.INFO if waits else logging.WARNING, "match %s is void: %s", job.id, reason)
        if waits:
            self._waiting.append(match)
            return
        self._sleeps[job.id] = self._sleeps.get(job.id, 0) + lost.slept
        if lost.slept and self._sleeps[job.id] <= SLEEPS:
            self._retry.append(match)
            return
        self._voids[job.id] = self._voids.get(job.id, 0) + 1
        if self._voids[job.id] < ATTEMPTS:
            self._retry.append(match)
            return
        self._causes[job.id] = reason
        reason = f"void {attempt} times: {lost.reason}"
        patiently(what, matches.give_up, edition, job.id, job.number, reason)
        self._undecided[job.number] = match
        self._settled.add(job.number)
        self._tell(Progress(len(self._settled), self._total, match.seats, (), "void", job.id))

    def _wait_for(self, lack: Lack) -> bool:
        """Return whether what this machine lacks is waited for; say so the first time."""
        if not self._patience.waiting:
            log.warning(
                "this machine lacks %s: matches wait until it has them, at most %.0f minutes",
                *(lack, END_SECONDS / 60),
            )
        return self._patience.lacked()

    # what is missing

    def _missing(self, round_: Round) -> Iterator[Match]:
        first = max(0, self._settled.prefix - round_[0].number)
        for index in range(first, len(round_)):
            match = round_[index]
            if match.number not in self._settled:
                yield match

    def _records(self) -> Iterator[Record]:
        for text in self._store.matches.texts(self._edition.id, counted=False):
            yield parse_record(text)

    # one match

    def _job(self, match: Match) -> MatchJob:
        tournament = self._tournament
        assert tournament.seed is not None, "it was taken from the store"
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
            clock=tournament.clock,
        )

    def _seat(self, match: Match, place: int) -> Seat:
        tournament = self._tournament
        assert tournament.seed is not None
        names, k, seating = match.seats, match.k, match.seating
        seed = bot_seed(tournament.seed, match.game, names, k, seating, place)
        return self._entrants[names[place]].seat(tournament.clock, seed)

    def _keep_logs(self, match: str, logs: tuple[str, ...]) -> None:
        """Keep what bots wrote to stderr and by ``log``; its loss costs little."""
        for seat, text in enumerate(logs):
            if not text:
                continue
            try:
                self._logs.mkdir(parents=True, exist_ok=True)
                (self._logs / f"{match}.{seat}.log").write_text(text, encoding="utf-8")
            except OSError as error:
                log.warning("the log of match %s could not be kept: %s", match, error)


def _edition(
    store: Store,
    tournament: Tournament,
    entrants: Mapping[str, Entrant],  # newer versions that were taken up, too
    latest: Edition | None,
    *,
    extend: bool,
) -> Edition:
    """Return the edition to run: the latest one if it can go on, or a new one if there is none."""
    hashes = {name: entrant.bot.hash for name, entrant in entrants.items()}
    versions = {game: load_game(game).rules_version for game in tournament.games}
    config = canonical(tournament, hashes, versions)
    mark = fingerprint(tournament, hashes, versions)
    text = json.dumps(config, sort_keys=True)
    of_file = [entrants[entry.name] for entry in tournament.bots]
    if latest is None:
        create = store.tournaments.create
        name, seed = tournament.name, tournament.seed
        return patiently(f'"{name}"', create, name, mark, text, of_file, seed)
    if latest.fingerprint == mark:
        return latest
    entries = store.tournaments.entries(latest.id)
    programs = {entry.hash: _called(entry.bot, entry.version) for entry in entries}
    bots = [entrant.bot for entrant in entrants.values()]
    programs |= {bot.hash: _called(bot.name, bot.version) for bot in bots}
    change = difference(json.loads(latest.config), config, programs)
    if change.change is Change.NOTHING:  # only how the arena writes it down has changed
        return latest
    shown = "\n".join(f"  {line}" for line in change.lines)
    if change.change is not Change.ADDS:
        raise TournamentChanged(
            f'"{latest.label}" was run from a different file, or with other programs:\n{shown}\n'
            "put back what changed, or run it with --new to start another edition; to take an "
            "entrant out, leave its line and run it with --without NAME"
        )
    if not extend:
        raise TournamentChanged(
            f'"{latest.label}" has been added to:\n{shown}\n'
            "run it with --extend to go on with what was played, or with --new to start again"
        )
    _warn_of_shown_seed(latest)
    names = tuple(entry.name for entry in tournament.bots)
    whole = replace(tournament, seed=latest.seed)
    patiently(
        f'"{latest.label}"',
        lambda: store.tournaments.extend(
            *(latest.id, mark, text, of_file),
            _numbers(store, latest, whole, names),
            past_stop=isinstance(find_format(tournament.format), BatchFormat),
        ),
    )
    return store.tournaments.find(latest.label)


def _called(bot: str, version: int) -> str:
    """Return what people call a program."""
    return f"{bot}@{version}" if version else "the program that run: names"


def _check_out(
    entrants: Mapping[str, Entrant], said: Iterable[tuple[str, Collection[str]]]
) -> None:
    """Raise ``UsageError`` unless those to take out or put back in are entrants, once each."""
    seen: dict[str, str] = {}
    for option, names in said:
        for name in names:
            if name not in entrants:
                known = ", ".join(list(entrants)[:20])
                hint = near_miss(name, list(entrants)) or f"; there are {known}"
                raise UsageError(f'{option}: no entrant is called "{name}"{hint}')
            if seen.setdefault(name, option) != option:
                raise UsageError(f'"{name}" cannot be taken out and put back in at once')


def _take_out(
    store: Store, edition: Edition, tournament: Tournament, without: set[str], back: set[str]
) -> None:
    """Store who is taken out from now on: what was said last of each, by the file or a person."""
    entries = store.tournaments.entries(edition.id)
    before = {entry.name for entry in entries if entry.out}
    file_before = {entry.name for entry in entries if entry.file_out}
    in_file = set(tournament.without)
    out = (before | (in_file - file_before)) - (file_before - in_file)
    out = (out | without) - back
    if before - out:  # whose matches are still to be played
        _warn_of_shown_seed(edition)
    newest = newest_versions(entries)
    for entry in entries:
        plays = newest[entry.line or entry.name]
        if entry.name in out - before and plays not in {entry.name, *out}:
            log.warning(
                "%s is out, and %s plays on in its place, unless you say --without %s, too",
                *(entry.name, plays, plays),
            )
    if (out, in_file) != (before, file_before):
        take_out = store.tournaments.take_out
        patiently(f'"{edition.label}"', take_out, edition.id, out, in_file)


def _warn_of_shown_seed(edition: Edition) -> None:
    """Say so if a tournament that goes on had ended, and its secret was told."""
    if edition.ended is not None and edition.secret:
        log.warning(
            "the seed of %s was shown when it ended: whoever saw it can compute the deals that "
            "are added; --new draws another one",
            edition.label,
        )


def _seeded(store: Store, tournament: Tournament, latest: Edition | None) -> tuple[str, ...]:
    """Return the entrants' names in the order of the file, or as another table seeds them.

    The table is looked at once, before the first round is planned. Who is not in it follows those
    who are, in the order of the file.
    """
    names = tuple(entry.name for entry in tournament.bots)
    if tournament.seeding is None or (latest is not None and store.rounds.any(latest.id)):
        return names
    found = store.tournaments.find(tournament.seeding)
    rows = placed(store, found, current_leaderboard(store.folds, found.id)).rows
    place = {row.bot: number for number, row in enumerate(rows)}
    return tuple(sorted(names, key=lambda name: place.get(name, len(rows))))


def _numbers(
    store: Store, edition: Edition, tournament: Tournament, names: tuple[str, ...]
) -> Iterator[tuple[int, str]]:
    """Yield number and id of every match of a schedule as far as it is known."""
    format_ = find_format(tournament.format)
    if isinstance(format_, PlannedFormat):
        round_: Round | None = planned_rounds(store, edition.id, tournament)
    else:
        round_ = format_.next_round(tournament, names, 0, ())
    if round_ is None:
        raise StoreError(f'"{edition.label}" has no schedule')
    for index in range(len(round_)):
        match = round_[index]
        yield match.number, match_id(edition.label, match.block, match.seating)
