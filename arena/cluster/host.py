"""What a host of a cluster does for a coordinator elsewhere: the functions that it calls there.

They run in a process of ``arena cluster worker``, one at a time, in the order that ``terms`` gives.
Bots that a coordinator sends are untrusted, as submissions are: they are unpacked entry
by entry, and built and run in the sandbox only. Matches are played by a worker process of this one,
as at home.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from arena.bots.find import find_program
from arena.bots.imports import imports_for
from arena.bots.program import Program
from arena.bots.ready import make_ready
from arena.bots.snapshots import RUN_FOLDER, open_snapshot, unnamed_folder
from arena.bots.travel import unpack_bot
from arena.cluster.terms import HostReport, Terms, UnknownTerms
from arena.errors import ArenaError, BotError, MachineLacks, UsageError
from arena.jobs import job_of
from arena.model import Bot, Entrant, Import, Match
from arena.sandbox import AUTO, find_level
from arena.session.choose import choose_level
from arena.store.lock import copies_lock, taking_lock
from arena.workers.local import Lost, Played, Workers
from arena.workers.watched import Make
from engines import EngineError, load_game

__all__ = ["Host", "Place", "Unwanted", "look", "place", "play", "settle", "take_bot"]

KEPT = 4  # terms that a host remembers: of runs, and of a run whose entrants grew

log = logging.getLogger(__name__)


class Unwanted(Exception):
    """Nobody waits any more for what this host was doing: it was cut short."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a host process plays.

    Attributes:
        home: the arena's home on this machine, which all host processes of it share.
        sandbox: ``auto``, or the only level at which bots run here.
        cores: those that are this process's share; none: it is not held to any.
        speaks: whether it says on stderr what is true of all processes of the machine.
    """

    home: Path
    sandbox: str = AUTO
    cores: tuple[int, ...] = ()
    speaks: bool = True


@dataclass(slots=True)
class _Agreed:
    """Terms that this host was shown, and what is ready for them.

    Attributes:
        level: at which its bots run here.
        imports: what they need of plug-in games.
        bots: those that are ready, by their hashes.
        make: makes jobs; ``None`` until all bots are ready.
    """

    terms: Terms
    level: str
    imports: tuple[Import, ...] = ()
    bots: dict[str, Bot] = field(default_factory=dict)
    make: Make | None = None


class Host:
    """A host process: what it has agreed to, and the worker process that plays.

    Args:
        place: where it plays.
        wanted: says whether somebody still waits for what is being done.
    """

    def __init__(self, place: Place, wanted: Callable[[], bool]) -> None:
        self.place = place
        self.name = socket.gethostname()
        self._wanted = wanted
        self._agreed: dict[str, _Agreed] = {}  # by key, the last one shown at the end
        self._workers: Workers | None = None
        self._key = ""  # of the terms under which they play
        self._busy = threading.Lock()

    def look(self, terms: Terms) -> HostReport:
        """Say whether this host can play under these terms, and what it has to be sent first."""
        self._agreed.pop(terms.key, None)
        rules = tuple((game, _rules_of(game)) for game, _ in terms.rules)
        refusals = self._misfits(terms.rules, rules)
        agreed = _Agreed(terms, "")
        missing: tuple[str, ...] = ()
        try:
            agreed.level = self._level(terms)
            if not refusals:
                agreed.imports = _imports(terms, agreed.level)
                missing = self._missing(agreed, refusals)
        except MachineLacks:
            raise  # for a while only
        except ArenaError as error:
            refusals.append(f"{self.name}: {error}")
        if refusals:
            self._say(terms, refusals)
        else:
            self._keep(agreed)
        cores = len(os.sched_getaffinity(0))
        return HostReport(self.name, cores, rules, agreed.level, missing, tuple(refusals))

    def take_bot(self, key: str, digest: str, archive: bytes) -> str:
        """Keep a bot that was missing, and build it; return why not, in a sentence, or nothing."""
        agreed = self._find(key)
        try:
            with taking_lock(self.place.home):
                _prepare(agreed, digest, unpack_bot(archive, digest, self.place.home))
        except MachineLacks:
            raise
        except BotError as error:
            names = [one.name for one in agreed.terms.entrants if one.bot.hash == digest]
            refusal = f"{self.name}: {', '.join(names)}: {error}"
            self._say(agreed.terms, [refusal])
            del self._agreed[key]
            return refusal
        self._complete(agreed)
        return ""

    def play(self, key: str, matches: Sequence[Match]) -> list[Played | Lost]:
        """Play matches, one after the other.

        Raises:
            UnknownTerms: these terms were never shown here, or bots are missing.
            Unwanted: nobody waits for them any more.
        """
        make = self._find(key).make
        if make is None:
            raise UnknownTerms(key)
        found: list[Played | Lost] = []
        left = iter(matches)
        with self._busy, copies_lock(self.place.home):
            self._check_bots(key)
            try:
                workers = self._ready_workers(key)
                for results in workers.run(lambda _: next(left, None), make, self._check_wanted):
                    found += results
            except BaseException:
                self._end_workers()  # they may have matches that are of no use
                raise
        return found

    def rest(self) -> None:
        """End the worker process and the bots it keeps, unless it plays."""
        if self._busy.acquire(blocking=False):
            try:
                self._end_workers()
            finally:
                self._busy.release()

    def close(self, seconds: float) -> None:
        """End the worker process as soon as nothing is played any more; wait so long at most."""
        if self._busy.acquire(timeout=seconds):
            try:
                self._end_workers()
            finally:
                self._busy.release()

    def _find(self, key: str) -> _Agreed:
        if key not in self._agreed:
            raise UnknownTerms(key)
        return self._agreed[key]

    def _keep(self, agreed: _Agreed) -> None:
        self._agreed[agreed.terms.key] = agreed
        for key in list(self._agreed)[:-KEPT]:
            del self._agreed[key]
        self._complete(agreed)

    def _say(self, terms: Terms, refusals: Sequence[str]) -> None:
        level = logging.WARNING if self.place.speaks else logging.DEBUG
        for refusal in refusals:
            log.log(level, "no matches of %s are played here: %s", terms.label, refusal)

    def _misfits(
        self, theirs: Sequence[tuple[str, int]], ours: Sequence[tuple[str, int]]
    ) -> list[str]:
        """Say which games are missing or have other rules here."""
        found = []
        for (game, version), (_, here) in zip(theirs, ours, strict=True):
            if not here:
                found.append(
                    f"{self.name} does not have the game {game} (rules_version {version} at the "
                    "coordinator); install the package that brings it, in the environment of arena"
                )
            elif here != version:
                found.append(
                    f"{self.name} has rules_version {here} of {game}, the coordinator has "
                    f"rules_version {version}; install the same version on both"
                )
        return found

    def _level(self, terms: Terms) -> str:
        """Return the level at which bots of a tournament run here.

        Raises:
            UsageError: there is none that both allow.
        """
        own, theirs = self.place.sandbox, terms.sandbox
        if AUTO not in (own, theirs) and own != theirs:
            raise UsageError(
                f'bots run at the level "{own}" only, as --sandbox says there, and the tournament '
                f'wants "{theirs}"'
            )
        level = choose_level(theirs if own == AUTO else own)
        if terms.isolates and not find_level(level).isolates:
            raise UsageError(
                f'the best isolation there is "{level}", and the tournament has bots that must be '
                "isolated; arena doctor on that host says what would help"
            )
        return level

    def _missing(self, agreed: _Agreed, refusals: list[str]) -> tuple[str, ...]:
        """Make those bots ready that are here; return the hashes of the others.

        Bots that cannot be made ready are added to the refusals.
        """
        missing: list[str] = []
        for entrant in agreed.terms.entrants:
            digest = entrant.bot.hash
            if digest in agreed.bots or digest in missing:
                continue
            program = _program(entrant, self.place.home)
            if program is None:
                missing.append(digest)
                continue
            self._check_wanted()
            try:
                with taking_lock(self.place.home):
                    _prepare(agreed, digest, program)
            except MachineLacks:
                raise
            except BotError as error:
                refusals.append(f"{self.name}: {entrant.name}: {error}")
        return tuple(missing)

    def _complete(self, agreed: _Agreed) -> None:
        """Make it possible to play once all bots are ready."""
        terms = agreed.terms
        if not all(entrant.bot.hash in agreed.bots for entrant in terms.entrants):
            return
        entrants = {entrant.name: _at_home(entrant, agreed) for entrant in terms.entrants}
        agreed.make = partial(
            job_of,
            tournament=terms.tournament,
            label=terms.label,
            entrants=entrants,
            sandbox=agreed.level,
            dictionary=terms.dictionary,
            host=self.name,
        )

    def _check_bots(self, key: str) -> None:
        """Raise ``UnknownTerms`` if somebody has removed copies of bots since they were ready."""
        folders = [bot.folder for bot in self._agreed[key].bots.values()]
        if not all(map(os.path.isdir, folders)):
            del self._agreed[key]
            raise UnknownTerms(key)

    def _check_wanted(self) -> None:
        if not self._wanted():
            raise Unwanted

    def _ready_workers(self, key: str) -> Workers:
        """Return the worker process; a new one for other terms, as the old one keeps their bots."""
        if self._workers is not None and self._key == key:
            return self._workers
        self._end_workers()
        tournament = self._find(key).terms.tournament
        cores = self.place.cores or None
        workers = Workers(1, pin=tournament.pin, cores=cores)
        self._workers, self._key = workers, key
        return workers.__enter__()

    def _end_workers(self) -> None:
        workers, self._workers = self._workers, None
        if workers is not None:
            workers.stop()


_host: Host | None = None  # of this process


def settle(place: Place, wanted: Callable[[], bool] = lambda: True) -> Host:
    """Make this process a host; arguments as for ``Host``."""
    global _host
    _host = Host(place, wanted)
    return _host


def place() -> Place | None:
    """Return where this process plays; ``None`` if it is no host."""
    return None if _host is None else _host.place


# what a coordinator calls


def look(terms: Terms) -> HostReport:
    """Say whether this host can play under these terms, and what it has to be sent first."""
    if _host is None:
        name = socket.gethostname()
        refusal = f"{name} runs a worker of Dask's own; start arena cluster worker there instead"
        return HostReport(name, 0, (), "", refusals=(refusal,))
    return _host.look(terms)


def take_bot(key: str, digest: str, archive: bytes) -> str:
    """Keep a bot that was missing, and build it; return why not, in a sentence, or nothing.

    Raises:
        UnknownTerms: these terms were never shown here, or are forgotten.
    """
    if _host is None:
        raise UnknownTerms(key)
    return _host.take_bot(key, digest, archive)


def play(key: str, matches: Sequence[Match]) -> list[Played | Lost]:
    """Play matches, one after the other; the answers come in any order.

    Raises:
        UnknownTerms: these terms were never shown here, or are forgotten, or bots are missing.
        Unwanted: nobody waits for them any more.
    """
    if _host is None:
        raise UnknownTerms(key)
    return _host.play(key, matches)


# bots and games


def _rules_of(game: str) -> int:
    """Return the version of a game's rules here, 0 if it is not here."""
    try:
        return load_game(game).rules_version
    except EngineError:
        return 0


def _imports(terms: Terms, level: str) -> tuple[Import, ...]:
    """Return what bots are shown of plug-in games here; raises ``UsageError``."""
    # those in Python run on arena's own interpreter, wherever that is here
    bots = [
        replace(one.bot, start=(sys.executable if one.bot.language == "python" else "",))
        for one in terms.entrants
    ]
    return imports_for(terms.tournament.games, bots, level)


def _program(entrant: Entrant, home: Path) -> Program | None:
    """Return the program of an entrant as it lies here, ``None`` if it does not, or is damaged."""
    bot = entrant.bot
    folder = unnamed_folder(home, bot.hash, RUN_FOLDER)
    try:
        if folder.is_dir():  # as nearly all do; all bundled bots are looked at for the others
            return open_snapshot(folder, bot.hash, bot.name)
        return find_program(bot.name, bot.hash, home)
    except BotError:
        return None


def _prepare(agreed: _Agreed, digest: str, program: Program) -> None:
    """Build a bot if need be, so that it can start here."""
    agreed.bots[digest] = make_ready(program, level=agreed.level)


def _at_home(entrant: Entrant, agreed: _Agreed) -> Entrant:
    """Return an entrant whose bot is the one that lies here."""
    there, here = entrant.bot, agreed.bots[entrant.bot.hash]
    bot = replace(there, start=here.start, folder=here.folder, imports=agreed.imports)
    return replace(entrant, bot=bot)
