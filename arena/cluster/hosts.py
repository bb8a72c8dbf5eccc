"""The hosts of a cluster as the coordinator sees them: who is there, who may play, who has what.

A host is one worker process of the cluster. Before it plays, its versions are compared, it is shown
the terms, and it is sent the bots that it lacks. One that is gone, or that has shown no sign of
life for too long, loses its matches at once; if it is heard again, it begins as a new one does.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, NamedTuple

from arena.cluster.link import Answered, Down, Failed, HostGone, Link, Seen, Up
from arena.cluster.terms import HostReport, Terms, skew
from arena.errors import ArenaError, MachineLacks
from arena.model import Match
from arena.patience import Patience
from arena.sandbox import AUTO, LEVELS, find_level
from arena.untrusted import show
from arena.workers.local import Lost, Played
from arena.workers.watched import Silence

__all__ = ["CHUNK", "IN_FLIGHT", "Host", "HostFunctions", "Hosts"]

SILENT_SECONDS = 15.0  # without a sign of life; there is one every second, or every few with many
FAILURES = 5  # of a host, one after the other, before it is given up
IN_FLIGHT = 2  # chunks of matches that a host has: one being played, one waiting
CHUNK_SECONDS = 0.35  # of play in a chunk
CHUNK = 64  # matches in it at most

log = logging.getLogger(__name__)


class HostFunctions(NamedTuple):
    """What is called on a host; see ``arena.cluster.terms``."""

    versions: Callable[[], Mapping[str, str]]
    look: Callable[[Terms], HostReport]
    take_bot: Callable[[str, str, bytes], str]
    play: Callable[[str, tuple[Match, ...]], list[Played | Lost]]


class Stage(Enum):
    """How far a host is."""

    ASKED = auto()  # it is being shown the terms, or waits for bots that another one is sent
    SENT = auto()  # it is being sent bots
    READY = auto()
    SILENT = auto()  # it may come back
    REFUSED = auto()


ADMITTED = (Stage.ASKED, Stage.SENT, Stage.READY)


@dataclass(slots=True, eq=False)
class Host:
    """A worker process of the cluster.

    Attributes:
        address: where the cluster knows it.
        place: a number of its own.
        name: what a person calls it; at first its address.
        key: of the terms that it has.
        report: what it said of itself.
        chunks: the matches that it has, by call: what it was given first is first.
        refusal: why it gets no matches.
        failures: of what it was asked, since it played.
        again: when it is asked again, if it is waited for; otherwise 0.
        patience: while its machine lacks something.
    """

    address: str
    place: int
    name: str
    stage: Stage = Stage.ASKED
    key: str = ""
    report: HostReport | None = None
    chunks: dict[int, tuple[Match, ...]] = field(default_factory=dict)
    refusal: str = ""
    failures: int = 0
    again: float = 0.0
    silence: Silence = field(default_factory=Silence)
    patience: Patience = field(default_factory=Patience)
    _pace: float = CHUNK_SECONDS  # seconds a match takes it
    _last: int = 0  # matches in its last chunk
    _since: float = 0.0  # when it last answered, or was given a chunk while it had none

    @property
    def machine(self) -> tuple[str, str]:
        """Where it runs, as far as is known: the network's address, and the machine's own name."""
        own = "" if self.report is None else self.report.host
        return self.address.rpartition(":")[0], own

    def size(self) -> int:
        """Return how many matches its next chunk is to have: at most twice those of the last."""
        return max(1, min(CHUNK, 2 * self._last, int(CHUNK_SECONDS / self._pace)))

    def given(self, call: int, chunk: tuple[Match, ...]) -> None:
        """Note that it has a chunk."""
        if not self.chunks:
            self._since = time.monotonic()
        self.chunks[call] = chunk

    def answered(self, call: int) -> tuple[Match, ...]:
        """Take out a chunk that it has played, and learn from how long that took."""
        chunk, now = self.chunks.pop(call), time.monotonic()
        pace = (now - self._since) / len(chunk)
        self._pace += (pace - self._pace) / (2 if self._last else 1)
        self._since, self._last, self.failures = now, len(chunk), 0
        return chunk


Then = Callable[[Host, int, Any], None]
"""Takes a host's answer to a call."""


class Hosts:
    """All hosts that the cluster knows, and the calls that are under way.

    Args:
        link: the way to them.
        functions: what is called there.
        ours: the versions here.
        archive: returns a bot's archive by its hash.
        lost: takes what a host had when it lost it, first chunk first, and whether it ended.

    Attributes:
        connected: is there a connection? ``None``: there never was one.
        why: why there is none.
    """

    def __init__(
        self,
        link: Link,
        functions: HostFunctions,
        ours: Mapping[str, str],
        archive: Callable[[str], bytes],
        lost: Callable[[list[tuple[Match, ...]], bool], None],
    ) -> None:
        self.connected: bool | None = None
        self.why = ""
        self._link, self._functions = link, functions
        self._ours, self._archive, self._lost = ours, archive, lost
        self._hosts: dict[str, Host] = {}
        self._calls: dict[int, tuple[Host, Then]] = {}
        self._numbers = itertools.count(1)
        self._places = itertools.count()
        self._terms: Terms | None = None
        self._distrusted: dict[tuple[str, str], str] = {}  # machines, and why
        self._said_shared = False

    def __iter__(self) -> Iterator[Host]:
        """Return an iterator over all hosts."""
        return iter(list(self._hosts.values()))

    def ready(self) -> list[Host]:
        """Return those that may be given matches."""
        return [host for host in self._hosts.values() if host.stage is Stage.READY]

    def agree(self, terms: Terms) -> None:
        """Show all hosts these terms, before they are given any more matches."""
        self._terms = terms
        for host in list(self._hosts.values()):
            if host.stage in ADMITTED:
                self._take_away(host, ended=False)  # whatever it was shown before
                self._admit(host)

    def play(self, host: Host, chunk: tuple[Match, ...], then: Then) -> None:
        """Give a host a chunk of matches."""
        call = self._ask(host, then, self._functions.play, host.key, chunk)
        host.given(call, chunk)

    def hear(self) -> None:
        """Take in what has come over the link."""
        for event in self._link.take():
            match event:
                case Answered(call, value):
                    if asked := self._calls.pop(call, None):  # otherwise it is late
                        host, then = asked
                        then(host, call, value)
                case Failed(call, error):
                    if asked := self._calls.pop(call, None):
                        self._failed(asked[0], error)
                case Seen(signs, shared):
                    self._seen(signs)
                    self._say_shared(shared)
                case Up():
                    self.connected = True
                case Down(reason):
                    self._down(reason)

    def refuse(self, host: Host, why: str) -> None:
        """Give a host no more matches; what it has is lost."""
        log.warning("%s plays nothing: %s", host.name, why)
        host.stage, host.refusal = Stage.REFUSED, why
        self._take_away(host, ended=False)

    def distrust(self, host: Host, why: str) -> None:
        """Refuse a host, and whatever runs on its machine: it sent what does not stand."""
        if host.machine in self._distrusted:  # said before; this is of what was under way
            log.info("%s sent what does not stand: %s", host.name, why)
            return
        self._distrusted[host.machine] = why
        log.error("%s sent what does not stand, and gets no more matches: %s", host.name, why)
        for other in list(self._hosts.values()):
            if other.machine == host.machine:
                other.stage, other.refusal = Stage.REFUSED, why
                self._take_away(other, ended=False)

    def drop_all(self) -> None:
        """Have all hosts forget the matches that they have."""
        for host in self._hosts.values():
            self._drop_calls(host, list(host.chunks))
            host.chunks.clear()

    # who is there

    def _seen(self, signs: Mapping[str, float]) -> None:
        """Compare those who are there with those who were."""
        for gone in [host for at, host in self._hosts.items() if at not in signs]:
            self._gone(gone)
        now = time.monotonic()
        for address, sign in signs.items():
            if address not in self._hosts:
                self._hosts[address] = Host(address, next(self._places), address)
                self._admit(self._hosts[address])
            host = self._hosts[address]
            host.silence.look(now, sign)
            if host.silence.seconds > SILENT_SECONDS:
                self._silent(host)
            elif host.stage is Stage.ASKED and host.again and now >= host.again:
                if not self._is_sent_bots(host.machine):
                    self._admit(host)
            elif host.stage is Stage.SILENT and not host.silence.seconds:
                log.warning("%s is heard again", host.name)
                self._admit(host)

    def _say_shared(self, shared: bool) -> None:
        if shared and not self._said_shared:
            self._said_shared = True
            log.warning(
                "another run plays on these hosts: the two take turns, which is slower than one "
                "after the other"
            )

    def _silent(self, host: Host) -> None:
        if host.stage in ADMITTED:
            log.warning(
                "%s has been silent for %.0f s: its matches are played elsewhere",
                *(host.name, host.silence.seconds),
            )
            host.stage = Stage.SILENT
            self._take_away(host, ended=False)

    def _gone(self, host: Host) -> None:
        """Take out a host that has left, or has ended."""
        if self._hosts.pop(host.address, None) is None:
            return
        if host.stage is not Stage.REFUSED:
            log.warning(
                "%s is gone%s", host.name, "; its matches are played elsewhere" * bool(host.chunks)
            )
        self._take_away(host, ended=True)

    def _down(self, reason: str) -> None:
        """Forget all hosts: nothing that they were asked is ever answered."""
        if self.connected:
            log.warning("the connection to the cluster is lost (%s): waiting for it", reason)
        self.connected = False if self.connected is not None else None
        self.why = reason
        for host in list(self._hosts.values()):
            self._take_away(host, ended=False)
        self._hosts.clear()
        self._calls.clear()

    def _take_away(self, host: Host, *, ended: bool) -> None:
        """Take from a host what it was asked; its matches are lost."""
        calls = [call for call, (whose, _) in self._calls.items() if whose is host]
        self._drop_calls(host, calls)
        chunks, host.chunks = list(host.chunks.values()), {}
        if chunks:
            self._lost(chunks, ended)

    def _drop_calls(self, host: Host, calls: Iterable[int]) -> None:
        for call in calls:
            self._calls.pop(call, None)
            self._link.drop(call)

    # from a newcomer to one who plays

    def _admit(self, host: Host) -> None:
        """Ask a host who it is; before there are terms nobody is asked."""
        host.stage, host.again = Stage.ASKED, 0.0
        if self._terms is not None:
            self._ask(host, self._greeted, self._functions.versions)

    def _greeted(self, host: Host, _: int, theirs: Any) -> None:
        terms = self._terms
        assert terms is not None, "hosts are asked under terms"
        if not isinstance(theirs, Mapping):
            self.refuse(host, "it does not say which versions it has")
            return
        host.name = f"{show(str(theirs.get('host', '?')), 60)} ({host.address})"
        python = any(entrant.bot.language == "python" for entrant in terms.entrants)
        if wrong := skew(self._ours, theirs, python=python):
            self.refuse(host, "\n".join(wrong))
        else:
            self._ask(host, self._looked, self._functions.look, terms)

    def _looked(self, host: Host, _: int, report: Any) -> None:
        assert self._terms is not None, "it was shown them"
        if not isinstance(report, HostReport) or not _is_hashes(report.missing):
            self.refuse(host, "it does not say how it runs bots")
            return
        host.report = report
        hashes = {entrant.bot.hash for entrant in self._terms.entrants}
        if why := self._distrusted.get(host.machine):
            self.refuse(host, f"what it sent did not stand: {why}")
        elif report.refusals:
            self.refuse(host, "\n".join(report.refusals))
        elif why := _unfit(report.level, self._terms):
            self.refuse(host, f"{host.name} {why}")
        elif not hashes.issuperset(report.missing):
            self.refuse(host, "it asks for bots that do not play")
        elif report.missing and self._is_sent_bots(host.machine):
            host.again = time.monotonic()  # it finds them later, if it has the same home
        else:
            host.key, host.stage = self._terms.key, Stage.SENT
            self._send_bots(host, deque(report.missing))

    def _is_sent_bots(self, machine: tuple[str, str]) -> bool:
        return any(one.stage is Stage.SENT and one.machine == machine for one in self)

    def _send_bots(self, host: Host, missing: deque[str]) -> None:
        """Send the next bot that a host lacks; once it has all of them, it is ready."""
        if not missing:
            host.stage = Stage.READY
            assert host.report is not None, "it has said who it is"
            log.info("%s plays, at the level %s", host.name, host.report.level)
            return
        digest = missing.popleft()
        try:
            archive = self._archive(digest)
        except ArenaError as error:  # it changed meanwhile
            self.refuse(host, str(error))
            return

        def taken(host: Host, _: int, refusal: str) -> None:
            if refusal:
                self.refuse(host, refusal)
            else:
                self._send_bots(host, missing)

        self._ask(host, taken, self._functions.take_bot, host.key, digest, archive)

    # calls

    def _ask(self, host: Host, then: Then, function: Callable[..., object], *words: object) -> int:
        call = next(self._numbers)
        self._calls[call] = (host, then)
        self._link.call(call, host.address, function, *words)
        return call

    def _failed(self, host: Host, error: BaseException) -> None:
        """Take in that a call failed: the host has ended, or begins again, or is given up."""
        if isinstance(error, HostGone):
            self._gone(host)
            return
        if isinstance(error, ImportError | AttributeError):
            why = f"it does not run arena cluster worker, or another version of it: {error}"
            self.refuse(host, why)
            return
        why = show(f"{type(error).__name__}: {error}", 400)
        if isinstance(error, MachineLacks) and host.patience.lacked():
            log.info("%s is asked again later: %s", host.name, why)
            host.stage, host.again = Stage.ASKED, time.monotonic() + host.patience.seconds()
            self._take_away(host, ended=False)
            return
        host.failures += 1
        if host.failures >= FAILURES:
            self.refuse(host, f"it failed {FAILURES} times; the last time: {why}")
        elif host.stage is not Stage.REFUSED:
            log.warning("%s failed, and is asked again: %s", host.name, why)
            host.stage, host.again = Stage.ASKED, time.monotonic() + 2.0 ** (host.failures - 1)
            self._take_away(host, ended=False)


def _is_hashes(missing: object) -> bool:
    return isinstance(missing, tuple) and all(isinstance(one, str) for one in missing)


def _unfit(level: object, terms: Terms) -> str:
    """Say why bots cannot run at the level that a host has reported; empty if they can."""
    if level not in LEVELS or terms.sandbox not in (AUTO, level):
        return f"runs bots at the level {show(str(level), 60)}, and is asked for {terms.sandbox}"
    if terms.isolates and not find_level(str(level)).isolates:
        return f"runs bots at the level {level}, and the tournament has some that must be isolated"
    return ""
