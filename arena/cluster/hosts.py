"""The hosts of a cluster: who is there, and who may be given matches of a run."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.cluster.terms import ChunkAnswer, Terms, misfits
from arena.values.errors import WorkerError
from arena.values.untrusted import show
from arena.values.words import count
from arena.workers.patience import Patience

QUIET_SECONDS = 5.0  # with no host that plays, before that is said
AGAIN_SECONDS = 60.0  # between such lines while a host that was given matches is silent
SILENT_SECONDS = 600.0  # with silent hosts alone, before the run ends
REFUSED_SECONDS = 10.0  # with refused hosts alone, before the run ends

log = logging.getLogger(__name__)


class Hosts:
    """The host processes of a cluster, by their addresses.

    Attributes:
        there: what each says of itself.
        fit: those that fit the terms of the run.

    Args:
        cluster: what it is called.
        clock: seconds of a clock that never goes back.
    """

    def __init__(self, cluster: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._cluster, self._clock = cluster, clock
        self._terms: Terms | None = None
        self.there: dict[str, Mapping[str, Any]] = {}
        self.fit: list[str] = []
        self._refused: dict[str, str] = {}  # hosts and machines that get nothing more, and why
        self._silent: dict[str, str] = {}  # those of them that did not answer, and for how long
        self._patience: dict[str, Patience] = {}  # with hosts whose machine lacks something
        self._plays = clock()
        self._say_again = 0.0  # that no host plays
        self._said_ready = (0, 0)  # host processes that were said to be ready, and their machines

    def begin(self, terms: Terms) -> None:
        """Look at all hosts again, under these terms."""
        self._terms = terms
        self.there = {}

    def ready(self) -> list[str]:
        """Return the hosts that may be given matches now."""
        if not self._refused and not self._patience:  # as nearly always
            return self.fit
        return [
            one
            for one in self.fit
            if not self._why_not(one)
            and not (one in self._patience and self._patience[one].seconds())
        ]

    def _why_not(self, address: str) -> str:
        return self._refused.get(address) or self._refused.get(self._machine(address), "")

    def _machine(self, address: str) -> str:
        """Return the key of the machine that a host runs on: its network address and host name."""
        return f"{address.rpartition(':')[0]} {self.there.get(address, {}).get('host', '')}"

    def name(self, address: str) -> str:
        """Return what a person calls a host."""
        name = self.there.get(address, {}).get("host")
        return f"{show(str(name), 60)} ({address})" if name else address

    # what becomes known of them

    def seen(self, workers: Mapping[str, Mapping[str, Any]]) -> None:
        """Update the list of hosts from what the scheduler reports, and log who came and went."""
        assert self._terms is not None, "a run has begun"
        found = {at: one["metrics"].get("arena") or {} for at, one in workers.items()}
        for gone in [address for address in self.there if address not in found]:
            if not self._why_not(gone):
                log.warning("%s is gone; its matches are played elsewhere", self.name(gone))
            if gone not in self._silent:
                self._refused.pop(gone, None)
            self._patience.pop(gone, None)
        new = found.keys() - self.there.keys()
        self.there = found
        for address in sorted(new):
            if why := self._why_not(address) or "\n".join(misfits(found[address], self._terms)):
                self._refused[address] = why
                line = show(why.splitlines()[0], 400)
                log.warning("%s plays nothing: %s", self.name(address), line)
        self.fit = [one for one, says in found.items() if not misfits(says, self._terms)]

    def is_silent(self, address: str) -> bool:
        """Return whether a host that has matches does not go on; then it gets nothing more."""
        why = self.there.get(address, {}).get("silent")
        if why and address not in self._silent:
            log.warning("%s did not answer, its matches go to others: %s", self.name(address), why)
            self._silent[address] = self._refused[address] = why
        return address in self._silent

    def played(self, address: str) -> None:
        """Note that a match was played: nothing is lacking there."""
        self._patience.pop(address, None)

    def lacks(self, address: str) -> bool:
        """Note that a machine lacks something; return whether it gets nothing for a while."""
        return self._patience.setdefault(address, Patience(self._clock)).lacked()

    def refuse(self, answer: ChunkAnswer) -> None:
        """Give a host no more matches that says why it plays none; or none for a while."""
        if not answer.lasting and self.lacks(answer.address):
            log.info("%s is asked again later: %s", answer.host, show(answer.refusal, 400))
        elif answer.address not in self._refused:
            self._refused[answer.address] = answer.refusal
            log.warning("%s plays nothing: %s", answer.host, show(answer.refusal, 400))

    def refuse_machine(self, address: str, why: str) -> None:
        """Give a machine that has sent a wrong record no more matches; say so once."""
        machine = self._machine(address)
        if machine not in self._refused:
            self._refused[machine] = why
            name = self.name(address)
            log.error("%s sent a wrong record, and gets no more matches: %s", name, why)

    # what is said of them

    def check(self) -> None:
        """Say how many play; or after a while that none does.

        Raises:
            WorkerError: no host is left that may play.
        """
        now = self._clock()
        if self.ready():
            self._say_who_plays([one for one in self.fit if not self._why_not(one)])
            self._plays, self._say_again = now, 0.0
            return
        self._said_ready = (0, 0)
        quiet = now - self._plays
        silent = [address for address in self._silent if address in self.there]
        refused = bool(self.there) and all(map(self._why_not, self.there))
        if refused and quiet > (SILENT_SECONDS if silent else REFUSED_SECONDS):
            raise self._no_host()
        if quiet > QUIET_SECONDS and now >= self._say_again:
            self._say_again = now + (AGAIN_SECONDS if silent else math.inf)
            there = "no host is ready" if self.there else "no host is there"
            there += "".join([f"; {self.name(one)}: {self._silent[one]}" for one in silent])
            log.warning("waiting for %s: %s (Ctrl-C stops)", self._cluster, there)

    def _no_host(self) -> WorkerError:
        whys = dict.fromkeys(
            f"{self.name(address)}: {why}" if address in self._silent else why
            for address in self.there
            for why in self._why_not(address).splitlines()
        )
        return WorkerError("\n  ".join([f"no host of {self._cluster} may play:", *whys]))

    def _say_who_plays(self, playing: Sequence[str]) -> None:
        """Say how many host processes there are to play, whenever that has changed."""
        found = (len(playing), len(set(map(self._machine, playing))))
        if found != self._said_ready:
            self._said_ready = found
            processes, machines = count(found[0], "host process"), count(found[1], "machine")
            log.warning("%s on %s: ready to play", processes, machines)
