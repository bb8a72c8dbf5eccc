"""Charged time holds its promises for whatever a kernel may count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.match.charging import Reading, spent
from arena.match.clock import more_ms, patience_ms

ns = st.integers(0, 10**14)
shares = st.floats(0, 1)


@given(wall=ns, cpu_share=shares, wait_share=shares)
def test_one_thread_is_charged_wall_time_at_most(
    wall: int, cpu_share: float, wait_share: float
) -> None:
    """Who has one thread is charged its CPU and sleeping time, and never more than passed."""
    cpu = int(wall * cpu_share)
    wait = int((wall - cpu) * wait_share)
    found = spent(Reading(wall, cpu, wait, 0))
    slept = wall - cpu - wait
    assert found.charged_ms == (cpu + slept + 500) // 1000 / 1000, "to the microsecond"
    assert found.charged_ms <= found.wall_ms


@given(wall=ns, cpu=ns, wait=ns, own=ns)
def test_more_threads_never_lower_it(wall: int, cpu: int, wait: int, own: int) -> None:
    """CPU time of further threads never lowers the charge, though the main one waits for them.

    They can make it wait for as long as they have a CPU, no longer.
    """
    wait = min(wait, wall)
    own = min(own, wall - wait)
    alone = spent(Reading(wall, min(cpu, wall), wait, 0))
    crowded = spent(Reading(wall, min(cpu, wall) + own, wait, 0))
    assert crowded.charged_ms >= alone.charged_ms
    assert crowded.charged_ms >= (min(cpu, wall) + own + 500) // 1000 / 1000


@given(
    limit=st.integers(0, 10**7),
    wall=ns,
    cpu=ns,
    wait=ns,
    cores=st.integers(1, 256),
    uncounted=st.integers(0, 10**15),
)
def test_every_deadline_comes(
    limit: int, wall: int, cpu: int, wait: int, cores: int, uncounted: int
) -> None:
    """At the end of patience time is up; before it only for who is charged its limit."""
    found = spent(Reading(wall, cpu, wait, 0))
    least = spent(Reading(wall, cpu, wait + uncounted, 0))
    more = more_ms(limit, found, least.charged_ms, cores=cores)
    if more:
        assert more > 0
        assert found.wall_ms + more <= patience_ms(limit) * (1 + 1e-9)
    ends = found.wall_ms >= patience_ms(limit)
    assert (more_ms(limit, found, found.charged_ms, cores=cores) == 0) == (
        ends or found.charged_ms > limit
    )
    if (found.cpu_ms or 0) > limit:
        assert more == 0
    if found.charged_ms <= limit:
        assert (more == 0) == ends
