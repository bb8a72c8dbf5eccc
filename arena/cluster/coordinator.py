"""Matches in, records out, over the hosts of a cluster: with the face of ``local.Workers``.

The cluster is used to reach hosts, to call a function there, and to know who is there. Who plays
what is decided here: each host has a chunk that it plays and one that waits. What a host loses goes
to another one. What comes back is rechecked in our processes before it counts, so late,
repeated and wrong answers change nothing: a match is in one place at a time, and an answer that is
not expected any more is dropped.
"""

from __future__ import annotations

import logging
import os
import secrets
import selectors
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

from arena.cluster.hosts import IN_FLIGHT, Host, HostFunctions, Hosts
from arena.cluster.link import Link
from arena.cluster.recheck import Sent
from arena.cluster.recheckers import Rechecked, Recheckers
from arena.cluster.terms import Terms, versions
from arena.errors import WorkerError
from arena.jobs import Jobs
from arena.model import Match
from arena.packed.match import StoredMatch
from arena.workers.gather import LOOK_SECONDS, Lost, Played, gather
from engines import load_game

__all__ = ["Cluster"]

BACKLOG = 4096  # matches that wait to be rechecked, above which nothing is handed out
QUIET_SECONDS = 5.0  # with no host that plays, before that is said
FIRST_SECONDS = 30.0  # to reach the cluster for the first time
REFUSED_SECONDS = 10.0  # with refused hosts alone, before the run ends
REASON = 4000  # characters of why a host could not play a match

log = logging.getLogger(__name__)


class Cluster:
    """The hosts of a cluster; use as a context manager, or call ``stop``.

    Attributes:
        come, looked: see ``gather.Source``.

    Args:
        link: the way to them, open.
        functions: what is called there.
        address: what the cluster is called.
        sandbox: the level at which bots run, or ``auto``.
        isolates: whether that level must isolate bots.
        archive: returns the archive of an entrant's bot, by its name and hash.
        check: called once a second; raises what ends the run.
        running: what ends with the cluster.
    """

    def __init__(
        self,
        link: Link,
        functions: HostFunctions,
        *,
        address: str,
        sandbox: str,
        isolates: bool,
        archive: Callable[[str, str], bytes],
        check: Callable[[], None] = lambda: None,
        running: ExitStack | None = None,
    ) -> None:
        self._link, self._address = link, address
        self._sandbox, self._isolates = sandbox, isolates
        self._archive, self._check = archive, check
        self._running = running or ExitStack()
        self._hosts = Hosts(link, functions, versions(), self._archive_of, self._take_back)
        self._selector = selectors.DefaultSelector()
        self._selector.register(link, selectors.EVENT_READ)
        self._recheckers = Recheckers(os.cpu_count() or 1, self._selector)
        self._make: Jobs | None = None
        self._names: dict[str, str] = {}  # of an entrant with a bot of this hash
        self._waiting: deque[Match] = deque()  # to be handed out again
        self._alone: set[int] = set()  # those that may have ended a host, to be sent alone
        self._open: dict[int, Host] = {}  # matches that are being rechecked, and who played them
        self.come: list[Played | Lost] = []
        self.looked = self._began = self._plays = time.monotonic()
        self._said_quiet = False
        self._ready = (0, 0)  # host processes that were said to be ready, and their machines

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Hang up, which ends what hosts play, and end all our processes, also after a Ctrl-C."""
        with ExitStack() as ending:  # the last one first
            ending.callback(self._running.close)
            ending.callback(self._selector.close)
            ending.callback(self._recheckers.close)
            ending.callback(self._link.close)

    def run(
        self,
        matches: Callable[[int], Match | float | None],
        make: Jobs,
        look: Callable[[], None] = lambda: None,
    ) -> Iterator[list[Played | Lost]]:
        """Play what ``matches`` gives until it gives ``None`` and all is back; as ``Workers.run``.

        Raises:
            WorkerError: no host may play, or the cluster was never reached.
        """
        self._begin(make)
        yield from gather(self, lambda: self._hand_out(matches), look)

    def _begin(self, make: Jobs) -> None:
        """Forget what an earlier call has left behind; show the hosts new terms, if there are."""
        self._hosts.drop_all()
        self._recheckers.forget()
        self._waiting.clear()
        self._alone.clear()
        self._open.clear()
        self.come.clear()
        if make is self._make:
            return
        self._make = make
        entrants = tuple(make.entrants.values())
        self._names = {entrant.bot.hash: entrant.name for entrant in entrants}
        games = make.tournament.games
        terms = Terms(
            key=secrets.token_hex(8),
            tournament=make.tournament,
            label=make.label,
            entrants=entrants,
            rules=tuple((game, load_game(game).rules_version) for game in games),
            dictionary=make.dictionary,
            sandbox=self._sandbox,
            isolates=self._isolates,
        )
        self._hosts.agree(terms)

    def _archive_of(self, digest: str) -> bytes:
        return self._archive(self._names[digest], digest)

    def busy(self) -> bool:
        """Return whether anything is to come, or to be handed out again."""
        return bool(self._waiting or self._open) or any(host.chunks for host in self._hosts)

    def has_room(self) -> bool:
        """Return whether nothing is."""
        return not self.busy()

    def wait(self, seconds: float) -> None:
        """Wait for what comes from hosts, and from those who recheck it."""
        for key, _ in self._selector.select(min(LOOK_SECONDS, seconds)):
            if key.data is None:
                self._hosts.hear()
                continue
            assert self._make is not None, "run has begun"
            for rechecked in self._recheckers.receive(key.fd, self._make):
                self._settle(rechecked)

    # what goes out

    def _hand_out(self, matches: Callable[[int], Match | float | None]) -> float | None:
        """Give hosts what they have room for; return when ``matches`` is to be asked again."""
        if len(self._recheckers) > BACKLOG:
            return LOOK_SECONDS
        pause: float | None = None
        ready = self._hosts.ready()
        for depth in range(IN_FLIGHT):  # none has two chunks while another has none
            for host in ready:
                if len(host.chunks) > depth:
                    continue
                if rests := host.patience.seconds():
                    pause = min(rests, pause or rests)
                    continue
                chunk, asked = self._chunk(host, matches)
                if chunk:
                    self._hosts.play(host, chunk, self._played)
                elif asked is not None:
                    pause = min(asked, pause or asked)
        if not ready and not self.busy():  # is there anything to wait for hosts for?
            found = matches(0)
            if not isinstance(found, Match):
                return found
            self._waiting.append(found)
        return pause

    def _chunk(
        self, host: Host, matches: Callable[[int], Match | float | None]
    ) -> tuple[tuple[Match, ...], float | None]:
        """Return the next matches for a host; if there are none, when to ask again."""
        chunk: list[Match] = []
        while len(chunk) < host.size():
            found = self._waiting.popleft() if self._waiting else matches(host.place)
            if not isinstance(found, Match):
                return tuple(chunk), found
            if found.number in self._alone:
                if not chunk:
                    return (found,), None
                self._waiting.appendleft(found)
                break
            chunk.append(found)
        return tuple(chunk), None

    def _take_back(self, chunks: list[tuple[Match, ...]], ended: bool) -> None:
        """Take back what a host has lost; what it had begun may be why it ended."""
        begun, *rest = chunks
        if ended and len(begun) == 1:
            self._alone.discard(begun[0].number)
            self.come.append(Lost(begun[0], "the process of the cluster that played it ended"))
            begun = ()
        elif ended:
            self._alone.update(match.number for match in begun)
        again = [*begun, *(match for chunk in rest for match in chunk)]
        self._waiting.extendleft(reversed(again))

    # what comes back

    def _played(self, host: Host, call: int, answers: Any) -> None:
        """Take the answers to a chunk."""
        missing = {match.number: match for match in host.answered(call)}
        assert host.report is not None, "it was admitted"
        assert self._make is not None, "it plays under terms"
        sent: list[tuple[Match, Sent]] = []
        wrong = ""
        for answer in _as_answers(answers):
            number = answer.packed.number if isinstance(answer, Played) else answer.match.number
            match = missing.pop(number, None)
            if match is None:
                wrong = f"an answer to match number {number}, which it was not asked for"
            elif isinstance(answer, Lost):
                self._lost(host, answer._replace(match=match))
            else:
                self._open[number] = host
                sent.append((match, Sent(answer.packed, host.report.level, host.report.host)))
        self._recheckers.give(sent, self._make)
        if missing:
            wrong = wrong or f"{len(missing)} matches of a chunk were not answered"
            self._waiting.extendleft(reversed(missing.values()))
        if wrong:
            self._hosts.distrust(host, wrong)

    def _lost(self, host: Host, lost: Lost) -> None:
        """Take a match that a host could not play; if its machine lacks something, others do."""
        assert isinstance(lost.match, Match), "it was taken from what was asked"
        if lost.lack is not None and host.patience.lacked():
            log.info("%s lacks %s: it gets nothing for a while", host.name, lost.lack)
            self._waiting.append(lost.match)
            return
        reason = f"{host.name}: {lost.reason}"[:REASON]
        self.come.append(lost._replace(reason=reason, lack=None))

    def _settle(self, rechecked: Rechecked) -> None:
        """Take what came of a recheck: the match counts, or it is played elsewhere."""
        match, found = rechecked.match, rechecked.found
        host = self._open.pop(match.number, None)
        if host is None:  # of a run that is over
            return
        if isinstance(found, str) and rechecked.ended:
            self.come.append(Lost(match, found))
            return
        if isinstance(found, str):
            self._waiting.append(match)
            self._hosts.distrust(host, f"match number {match.number}: {found}")
            return
        host.patience.played()
        self._alone.discard(match.number)
        self.come.append(Played(found))

    # once a second

    def check(self) -> None:
        """Look after what may never come."""
        self._check()
        self._recheckers.look()
        now = time.monotonic()
        hosts = list(self._hosts)
        if ready := self._hosts.ready():
            self._say_who_plays(ready)
            self._plays, self._said_quiet = now, False
            return
        self._ready = (0, 0)
        if self._hosts.connected is None and now - self._began > FIRST_SECONDS:
            raise WorkerError(f"{self._address} cannot be reached: {self._hosts.why or 'silence'}")
        quiet = now - self._plays
        refused = [host for host in hosts if host.refusal]
        if hosts and len(refused) == len(hosts) and quiet > REFUSED_SECONDS:
            whys = dict.fromkeys(why for host in refused for why in host.refusal.splitlines())
            raise WorkerError("\n  ".join([f"no host of {self._address} may play:", *whys]))
        if quiet > QUIET_SECONDS and not self._said_quiet:
            self._said_quiet = True
            there = "no host is ready" if hosts else "no host is there"
            if not self._hosts.connected:
                there = "it cannot be reached now"
            log.warning("waiting for %s: %s (Ctrl-C stops)", self._address, there)

    def _say_who_plays(self, ready: Sequence[Host]) -> None:
        """Say how many host processes there are to play, whenever that has changed."""
        found = (len(ready), len({host.machine for host in ready}))
        if found != self._ready:
            self._ready = found
            processes, machines = found
            log.warning(
                "%d host process%s on %d machine%s: ready to play",
                *(processes, "" if processes == 1 else "es"),
                *(machines, "" if machines == 1 else "s"),
            )


def _as_answers(value: object) -> Sequence[Played | Lost]:
    """Return answers, without what is none."""
    return [one for one in value if _is_answer(one)] if isinstance(value, list | tuple) else []


def _is_answer(one: object) -> bool:
    match one:
        case Played(packed=StoredMatch(number=int())) | Lost(match=Match(number=int())):
            return True
    return False
