"""How late this machine's timers are, and what that means for move times and workers."""

from __future__ import annotations

import math
import select
import time
from collections.abc import Sequence

from arena.doctor.finding import Finding

SECONDS = 1.0
TIMEOUT_MS = 1
SHARE = 4  # a move time is at least so many times what 99 of 100 timers are late
LEAST_MS = 20
TOLERANCE = 0.5  # of a core that more may be wanted than there is
LONG_MS = 100  # a sensible move time above this is worth a word


def measure_lateness(seconds: float = SECONDS) -> list[float]:
    """Wait for a moment, again and again; returns by how much each was too long, in ms."""
    poll = select.poll()
    late = []
    end = time.monotonic() + seconds
    now = time.monotonic()
    while now < end:
        poll.poll(TIMEOUT_MS)
        after = time.monotonic()
        late.append(max(0.0, (after - now) * 1000 - TIMEOUT_MS))
        now = after
    return late


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that ``share`` of all do not exceed; 0 of none.

    >>> percentile([4.0, 1.0, 2.0, 3.0], 0.5)
    2.0
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0


def sensible_move_ms(p99_ms: float) -> int:
    """Return the smallest sensible move time where 99 of 100 timers are at most so late.

    >>> sensible_move_ms(0.2), sensible_move_ms(7.0), sensible_move_ms(52.0)
    (20, 30, 210)
    """
    return max(LEAST_MS, math.ceil(SHARE * p99_ms / 10) * 10)


def recommended_workers(cores: float, load: float) -> int:
    """Return how many workers there should be: a core is left over, and what else runs counts.

    >>> recommended_workers(8, 0.3), recommended_workers(8, 3.5), recommended_workers(1, 0.0)
    (7, 4, 1)
    """
    return max(1, min(int(cores) - 1, int(cores - load)))


def timers_finding(late: Sequence[float], move_ms: int) -> Finding:
    """Return how late timers were, in ms, with the smallest sensible move time."""
    p99 = percentile(late, 0.99)
    return Finding(
        "timers",
        f"99 of 100 at most {p99:.2f} ms late: give bots {move_ms} ms a move or more",
        {
            "samples": len(late),
            "median_ms": round(percentile(late, 0.5), 3),
            "p99_ms": round(p99, 3),
            "max_ms": round(max(late, default=0.0), 3),
            "move_ms": move_ms,
        },
        "close other programs, and look at the load again" if move_ms > LONG_MS else "",
    )


def workers_finding(workers: int, cores: float, load: float, there: float) -> Finding:
    """Return how many workers are recommended, and why.

    Args:
        workers: that number.
        cores: how many cores may be used.
        load: how many processes ran on average during the last minute.
        there: how many cores there are; a quota may leave fewer of them.
    """
    busy = workers < recommended_workers(cores, 0.0) or workers + load > cores + TOLERANCE
    shown = f"{cores:g} core{'s' if cores != 1 else ''}"
    if cores < there:
        shown = f"{cores:g} of {there:g} cores by the quota of a control group"
    return Finding(
        "workers",
        f"{shown}, load {load:.2f}: {workers} recommended",
        {"cores": cores, "load": round(load, 2), "workers": workers},
        f"close other programs, or run tournaments with workers: {workers}" if busy else "",
    )


def clock_finding(schedstat: bool) -> Finding:
    """Return whether the kernel says how long a thread waited for a CPU."""
    data = {"works": schedstat}
    if schedstat:
        what = "bots are not charged for time that the machine kept from them"
        return Finding("honest clocks", what, data)
    what = "no schedstat: a bot is charged for all time that passes"
    remedy = "leave cores free while a tournament runs, or use a kernel with CONFIG_SCHED_INFO"
    return Finding("honest clocks", what, data, remedy)
