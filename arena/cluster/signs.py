"""Signs that a host goes on with what it was given: the numbers of its match and of its decision.

Dask hears from a host process whatever becomes of its task. So a host publishes with its heartbeat
how far it is. Numbers that move are a sign, however slowly; those of a bot that thinks move again
when the time of its decision is up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from arena.match.clock import patience_ms
from arena.values.model import Clock
from arena.values.untrusted import show

STILL_SECONDS = 60.0  # that numbers may stay the same, at least
PREPARE_SECONDS = 600.0  # the same while bots are fetched, or one is built or waited for
PREPARING, FETCHING = "preparing bots", "fetching bots"


class Doing(NamedTuple):
    """How far a host process is; all it says is plain values, and untrusted.

    Attributes:
        run: the key of the terms that it plays under; empty: it plays nothing.
        match: the number of its match.
        decisions: how many were made in it.
        bots: how many it has made ready for this run.
        part: what it is in.
        within: for how many seconds these numbers may stay the same.
    """

    run: str = ""
    match: int | None = None
    decisions: int = 0
    bots: int = 0
    part: str = ""
    within: float = STILL_SECONDS


def still_seconds(clocks: Sequence[Clock], doing: Doing) -> float:
    """Return for how long the numbers of a host may stay the same before it counts as silent.

    >>> still_seconds([Clock(move_ms=1000, first_ms=0)], Doing(match=1, decisions=4))
    60.0
    >>> still_seconds([Clock(move_ms=60_000, first_ms=0)], Doing(match=1, decisions=4))
    1210.0

    Args:
        clocks: of all players.
        doing: how far it is.
    """
    if doing.part in (PREPARING, FETCHING):
        return PREPARE_SECONDS
    if doing.match is None:
        return STILL_SECONDS
    limits_ms = [_limit_ms(clock, doing.decisions) for clock in clocks]
    if not doing.decisions:
        limits_ms += [clock.start_ms for clock in clocks]
    return max(STILL_SECONDS, 2 * patience_ms(max(limits_ms)) / 1000)


def _limit_ms(clock: Clock, decisions: int) -> int:
    """Return the longest limit of a decision in a match of which so many were made."""
    game_ms = None if clock.main_ms is None else clock.main_ms + clock.inc_ms * decisions
    return min(ms for ms in (clock.move_ms, game_ms) if ms is not None) + clock.first_ms


class Signs:
    """For how long the hosts of chunks have given no sign.

    Time is that of the scheduler, up to the last heartbeat of each host: while nobody listens to a
    host, nothing is learnt of it.

    Args:
        run: the key of our terms.
        clocks: of all players.
    """

    def __init__(self, run: str, clocks: Sequence[Clock]) -> None:
        self._run, self._clocks = run, clocks
        self._last: dict[int, tuple[str, Any, float]] = {}  # host, sign and when, by chunk

    def look(
        self, chunks: Mapping[int, str], workers: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, str]:
        """Return the hosts that have been silent for too long, each with a sentence.

        Args:
            chunks: the address of the host of each chunk.
            workers: what the scheduler knows of each.
        """
        last, silent = {}, {}
        for number, address in chunks.items():
            if address not in workers:
                continue
            heard = float(workers[address]["last_seen"])
            says = (workers[address]["metrics"].get("arena") or {}).get("doing")
            sign = address, says
            host, before, since = self._last.get(number, (*sign, heard))
            since = since if (host, before) == sign else heard
            last[number] = *sign, since
            doing = _doing(says)
            if heard - since > self._within(doing):
                silent[address] = f"no sign of it for {heard - since:.0f} s{_where(doing)}"
        self._last = last
        return silent

    def _within(self, doing: Doing) -> float:
        ours = still_seconds(self._clocks, doing)
        return ours if doing.run in ("", self._run) else max(ours, doing.within)


def _doing(says: object) -> Doing:
    """Return what a host says of itself, as far as its values are of their kinds."""
    usual = Doing()._asdict()
    kinds = {name: type(value) for name, value in usual.items()} | {"match": int}
    values = says if isinstance(says, dict) else {}
    return Doing(
        **{name: values[name] for name in usual if isinstance(values.get(name), kinds[name])}
    )


def _where(doing: Doing) -> str:
    if doing.match is None:
        return f", in {show(doing.part, 60)}" if doing.part else ""
    return f", in match number {doing.match}, decision {doing.decisions}, {show(doing.part, 60)}"
