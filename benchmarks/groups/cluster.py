"""What the same tournament takes on a cluster of this machine alone, against local workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from benchmarks.cpu import CpuMeter, cpu_meter
from benchmarks.measuring import Measured, Missing, Sizes
from benchmarks.workshop import Played, Workshop

__all__ = ["ROWS", "measure"]

ROWS = ("cluster-games", "cluster-cpu", "cluster-coordinator", "cluster-memory")
CLUSTER, WORKERS = "local:2", 2
BUSY_US = 900  # before each of a match's answers, 21 in the mean


def measure(shop: Workshop, sizes: Sizes) -> Iterator[Measured]:
    """Yield games a second, CPU time and memory, in turn on the cluster and with local workers."""
    there: list[Played] = []
    here: list[Played] = []
    note = ""
    cpu: CpuMeter | None = None
    with ExitStack() as stack:
        try:
            cpu = stack.enter_context(cpu_meter(shop.folder))
        except Missing as error:
            note = str(error)
        for _ in range(sizes.pick(3, 1)):
            for cluster, found in ((CLUSTER, there), ("", here)):
                file = shop.tournament(rounds=sizes.pick(500, 60), args=["--busy", str(BUSY_US)])
                found.append(shop.play(file, workers=WORKERS, cpu=cpu, cluster=cluster))
    pairs = list(zip(there, here, strict=True))
    ms = sum(WORKERS * 1e3 / played.per_second for played in here) / len(here)
    rates = [(one.per_second, other.per_second) for one, other in pairs]
    yield _measured("cluster-games", rates, f"a match took {ms:.1f} ms with local workers")
    if cpu is None:
        yield Measured("cluster-cpu", (), (), note)
    else:
        yield _measured("cluster-cpu", [(_runner_ms(one), _runner_ms(two)) for one, two in pairs])
    own = [(one.own_ns / one.matches / 1e3, two.own_ns / two.matches / 1e3) for one, two in pairs]
    yield _measured("cluster-coordinator", own)
    memory = [(one.pss_kb / 1024, other.pss_kb / 1024) for one, other in pairs]
    yield _measured("cluster-memory", memory)


def _measured(name: str, pairs: list[tuple[float, float]], note: str = "") -> Measured:
    return Measured(name, tuple(one for one, _ in pairs), tuple(other for _, other in pairs), note)


def _runner_ms(played: Played) -> float:
    """Return the CPU time of a match without what the bots say that they used."""
    return (played.tree_ns / played.matches - played.bot_ns * played.decisions) / 1e6
