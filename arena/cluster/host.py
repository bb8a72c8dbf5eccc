"""A host of a cluster: what ``dask worker --preload arena.cluster.host`` makes of a Dask worker.

It says who it is, declares as resources which chunks of matches fit it, and plays them. Bots that a
coordinator sends are untrusted, as submissions are: they are unpacked entry by entry, and built and
run in the sandbox only. Matches are played by a worker process of this one, as at home.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from distributed import Status, get_worker

from arena.bots.built import built_hash, keep_built
from arena.bots.environments import list_environments, packages_in
from arena.bots.find import find_program
from arena.bots.imports import imports_for
from arena.bots.program import Program
from arena.bots.ready import make_ready
from arena.bots.travel import unpack_bot
from arena.cluster import scratch
from arena.cluster.settings import configure
from arena.cluster.signs import FETCHING, PREPARING, Doing, Signs, still_seconds
from arena.cluster.terms import ChunkAnswer, Terms, resources, versions
from arena.isolation.choose import choose_level
from arena.process.cache import cache_folder
from arena.process.cache_room import release_others
from arena.process.launcher import dismiss_launcher
from arena.process.leftovers import sweep
from arena.sandbox import AUTO, find_level
from arena.store.lock import copies_lock, taking_lock
from arena.values.errors import ArenaError, BotError, MachineLacks, UsageError, system_error
from arena.values.model import Entrant, Match
from arena.values.tables import MatchRow
from arena.workers.jobs import JobFactory
from arena.workers.local import Lost, Workers
from engines import EngineError, load_game

if TYPE_CHECKING:
    from distributed import Worker

HOME, SANDBOX, LOG = "ARENA_HOST_HOME", "ARENA_HOST_SANDBOX", "ARENA_HOST_LOG"  # the environment
ENVIRONMENTS = "ARENA_HOST_ENVIRONMENTS"  # the home whose environments count, if another one
RUNS = 2  # whose bots a host keeps at a time
IDLE_SECONDS = 10.0  # after which it keeps none
RECENT_SECONDS = 60.0  # whose matches are counted as of the last minute
END_SECONDS = 5.0  # for what is being played to be cut short

log = logging.getLogger(__name__)
T = TypeVar("T")


class _Cancelled(Exception):
    """The coordinator has taken this chunk back."""


@dataclass(slots=True)
class _HostRun:
    """A run that this host has played for.

    Attributes:
        jobs: makes jobs of this machine, of the entrants whose bots are ready here.
        built: the hashes of what builds made of bots, by theirs, each after a name.
        workers: the worker process that keeps its bots.
    """

    terms: Terms
    jobs: JobFactory
    built: dict[str, tuple[str, str]] = field(default_factory=dict)
    workers: Workers | None = None

    def end(self) -> None:
        """End its worker process."""
        workers, self.workers = self.workers, None
        if workers is not None:
            workers.stop()


class Host:
    """A host process.

    Args:
        home: the arena's home on this machine, which all its host processes share.
        sandbox: ``auto``, or the only level at which bots run here.
        named: the home whose environments count, if it is another one.
    """

    def __init__(self, home: Path, sandbox: str = AUTO, named: Path | None = None) -> None:
        self.home, self.sandbox = home, sandbox
        self._named = named or home
        own = list_environments(self._named)
        self.environments = {one.name: found for one in own if (found := packages_in(one))}
        self.name = socket.gethostname()
        self.level = choose_level(sandbox)
        self.isolates = find_level(self.level).isolates
        dismiss_launcher()  # this process starts nothing more in the sandbox, until it builds
        self._runs: dict[str, _HostRun] = {}  # by the keys of their terms, the last one played last
        self._busy = threading.Lock()
        self._idle = threading.Timer(0, lambda: None)
        self._label, self._played, self._lost = "", 0, 0
        self.doing, self._signs = Doing(), Signs()
        self._recent: deque[tuple[float, int]] = deque()  # when, and how many matches

    def report(self, doing: Doing | None = None) -> dict[str, Any]:
        """Return what it says of itself.

        Args:
            doing: what it does; ``None``: it has nothing to do.
        """
        while self._recent and self._recent[0][0] < time.monotonic() - RECENT_SECONDS:
            self._recent.popleft()
        counts: dict[str, Any] = {"run": self._label, "played": self._played, "lost": self._lost}
        counts["per_minute"] = sum([played for _, played in self._recent])
        words = {"host": self.name, "level": self.level, "isolates": self.isolates}
        words |= {"environments": self.environments}
        built: dict[str, tuple[str, str]] = {}
        for run in (*self._runs.values(),):  # another thread adds to them
            built |= run.built
        silent = self._signs.look(time.monotonic(), doing)
        return {**versions(), **words, **counts, "built": built, "silent": silent}

    def play(
        self,
        terms: Terms,
        archives: Mapping[str, bytes],
        matches: Sequence[Match],
        wanted: Callable[[], bool] = lambda: True,
        address: str = "",
    ) -> ChunkAnswer:
        """Play matches, one after the other; see ``ChunkAnswer``.

        Args:
            terms: what they have in common.
            archives: of their bots, by hash.
            matches: which.
            wanted: says whether somebody still waits for them.
            address: of this host process.
        """
        began = time.monotonic()
        self.doing = PREPARING
        answer = ChunkAnswer(address, self.name)
        with self._busy, copies_lock(self.home):
            self._idle.cancel()
            try:
                run = self._run(terms)
                for name in dict.fromkeys(name for match in matches for name in match.seats):
                    self._enter(run, archives, name)
                answer = answer._replace(results=self._results(run, matches, wanted))
            except _Cancelled:
                self._end_workers()
                raise
            except (ArenaError, OSError) as error:
                lasting = not isinstance(error, MachineLacks | OSError)
                said = system_error(error) if isinstance(error, OSError) else str(error)
                log.warning("no matches of %s are played here: %s", terms.jobs.label, said)
                return answer._replace(refusal=f"{self.name}: {said}", lasting=lasting)
            finally:
                self.doing = Doing()
                self._idle = threading.Timer(IDLE_SECONDS, self.rest)
                self._idle.daemon = True
                self._idle.start()
        self._played += len(matches)
        self._recent.append((time.monotonic(), len(matches)))
        self._lost += sum(isinstance(one, Lost) for one in answer.results)
        return answer._replace(seconds=time.monotonic() - began)

    def rest(self, seconds: float = 0.0) -> None:
        """End the worker processes and the bots they keep, unless they play so long."""
        if self._busy.acquire(timeout=seconds):
            try:
                self._end_workers()
            finally:
                self._busy.release()

    def _end_workers(self) -> None:
        for run in self._runs.values():
            run.end()

    def _run(self, terms: Terms) -> _HostRun:
        """Return what is here of a run; of another one than the last few, nothing is kept."""
        run = self._runs.pop(terms.key, None)
        if run is None:
            level = self._checked_level(terms)
            run = _HostRun(terms, replace(terms.jobs, entrants={}, sandbox=level, host=self.name))
        self._runs[terms.key] = run
        for key in list(self._runs)[:-RUNS]:
            self._runs.pop(key).end()
            used = [one.bot for each in self._runs.values() for one in each.jobs.entrants.values()]
            release_others(cache_folder(), [os.path.basename(bot.folder) for bot in used])
        self._label = terms.jobs.label
        return run

    def _checked_level(self, terms: Terms) -> str:
        """Return the level at which bots of a run play here; its games are here.

        Raises:
            UsageError: there is none that both allow, or a game is missing.
        """
        for game, version in terms.rules:
            if (ours := _rules_of(game)) != version:
                there = f"rules_version {ours} of {game}" if ours else f"no game {game}"
                raise UsageError(
                    f"there is {there}, and the coordinator has rules_version {version}; install "
                    "the same package with this game on both machines"
                )
        own, theirs = self.sandbox, terms.jobs.tournament.sandbox
        if AUTO not in (own, theirs) and own != theirs:
            raise UsageError(
                f'bots run only at the level "{own}" by its --sandbox, and the tournament wants '
                f'"{theirs}"'
            )
        return self.level if theirs == AUTO else choose_level(theirs)

    def _enter(self, run: _HostRun, archives: Mapping[str, bytes], name: str) -> None:
        """Have an entrant's bot ready here: kept in the home, and built."""
        ready, level = run.jobs.entrants, run.jobs.sandbox
        if name in ready and os.path.isdir(ready[name].bot.folder):
            return
        entrant = run.terms.jobs.entrants[name]
        bot = entrant.bot
        if bot.level:
            raise BotError(f"{name} has the rights of the coordinator, and is played there")
        try:
            with taking_lock(self.home):
                program = _program(entrant, self.home)
                most = run.jobs.tournament.bot_size
                program = program or unpack_bot(archives[bot.hash], bot.hash, self.home, most)
                here = make_ready(program, level=level, home=self._named)
                if here.packages != bot.packages:
                    raise BotError(f"its environment {bot.environment} has other packages by now")
                if program.build:
                    keep_built(self.home, bot.hash, Path(here.folder))
                    run.built[bot.hash] = (name, built_hash(Path(here.folder)))
        except BotError as error:
            raise BotError(f"{name}: {error}") from None
        python = sys.executable if bot.language == "python" else ""
        shown = replace(bot, start=(python,))  # Python's is arena's own, wherever it is
        imports = imports_for(run.jobs.tournament.games, [shown], level, self._named)
        bot = replace(bot, start=here.start, folder=here.folder, imports=imports, shown=here.shown)
        run.jobs = replace(run.jobs, entrants={**ready, name: replace(entrant, bot=bot)})
        self.doing = PREPARING._replace(what=f"preparing bots, {len(run.jobs.entrants)} done")

    def _results(
        self, run: _HostRun, matches: Sequence[Match], wanted: Callable[[], bool]
    ) -> tuple[MatchRow | Lost, ...]:
        """Return what came of matches.

        Raises:
            _Cancelled: nobody waits for it.
        """

        def look() -> None:
            if not wanted():
                raise _Cancelled
            for match, decisions in run.workers.positions() if run.workers else ():
                if match is not None:
                    within = still_seconds(run.terms.clocks, decisions)
                    self.doing = Doing(f"match number {match}, decision {decisions}", within)

        look()
        left = iter(matches)
        found: list[MatchRow | Lost] = []
        try:
            if run.workers is None:
                run.workers = Workers(1, pin=run.jobs.tournament.pin).__enter__()
            for results in run.workers.run(lambda _: next(left, None), run.jobs, look):
                found += results
        except BaseException:
            run.end()  # it may have matches that are of no use
            raise
        return tuple(found)


_host: Host | None = None  # of this process


def here() -> Host | None:
    """Return the host that this process is; ``None`` if it is none."""
    return _host


def dask_setup(worker: Worker) -> None:
    """Make a Dask worker a host, before it joins; called by Dask."""
    global _host
    os.setsid()  # signals of the terminal go to who started it
    scratch.dask_setup(worker)
    multiprocessing.current_process().daemon = False  # by Dask's own settings; it starts processes
    configure()
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("arena: %(message)s"))
    ours = logging.getLogger("arena")
    ours.handlers[:], ours.propagate = [handler], False
    ours.setLevel(os.environ.get(LOG, "CRITICAL"))
    home = Path(os.environ[HOME])
    sweep(home)  # what a host process before this one has left
    sandbox = os.environ.get(SANDBOX, AUTO)
    named = Path(os.environ.get(ENVIRONMENTS, home))
    _host = host = Host(home, sandbox, named)
    log.log(
        logging.WARNING if str(worker.name).endswith("-0") else logging.INFO,
        "joined the cluster at %s: arena %s, Python %s, level %s",
        worker.scheduler.address,
        *versions().values(),
        host.level,
    )
    # or a scheduler would ask the nanny of a silent worker for 30 s, before others get its matches
    worker.nanny = None
    worker.metrics["arena"] = lambda worker: host.report(
        host.doing if worker.state.executing else FETCHING if worker.state.waiting else None
    )
    found = resources(host.environments, isolates=host.isolates)
    worker.state.total_resources.update(found)
    worker.state.available_resources.update(found)


def dask_teardown(worker: Worker) -> None:
    """End what a host has started; called by Dask when it leaves."""
    if _host is not None:
        _host.rest(END_SECONDS)


# what is asked of it from elsewhere


def carry(value: T) -> T:
    """Return a value; so a host has it, and other hosts fetch it there."""
    return value


def play(terms: Terms, archives: Mapping[str, bytes], matches: Sequence[Match]) -> ChunkAnswer:
    """Play a chunk of matches; see ``Host.play``."""
    worker = get_worker()
    key = worker.get_current_task()
    assert _host is not None, "only hosts have the resources that a chunk asks for"

    def wanted() -> bool:
        """Look whether Dask still wants it: it cannot interrupt a task."""
        task = worker.state.tasks.get(key)
        return worker.status == Status.running and task is not None and task.state == "executing"

    return _host.play(terms, archives, matches, wanted, worker.address)


# bots and games


def _rules_of(game: str) -> int:
    """Return the version of a game's rules here, 0 if it is not here."""
    try:
        return load_game(game).rules_version
    except EngineError:
        return 0


def _program(entrant: Entrant, home: Path) -> Program | None:
    """Return the program of an entrant as it lies here, ``None`` if it does not, or is damaged."""
    try:
        return find_program(entrant.bot.name, entrant.bot.hash, home)
    except BotError:
        return None
