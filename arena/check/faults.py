"""From a fault in a rehearsal, or in a match, to what a failed step says of it."""

from __future__ import annotations

from arena.check.rehearsal import Rehearsal, as_recorded, rehearsal
from arena.check.remedies import remedy
from arena.check.steps import Finding, Verdict
from arena.model import Fault, MatchJob, Record

__all__ = ["failed_at", "failed_in", "said"]


def said(fault: Fault) -> str:
    """Return a fault as a sentence."""
    when = f" at decision {fault.decision}" if fault.decision else ""
    return f"{fault.code}{when}: {fault.detail}"


def failed_at(match: Rehearsal, where: str = "", *, remedy: str = "") -> Finding:
    """Return what a fault comes to; ``remedy`` is said instead of the usual remedy."""
    fault = match.fault
    assert fault is not None
    stderr = match.stderr()
    remedy = remedy or _remedy(match, fault, stderr)
    return Finding(Verdict.FAILED, where + said(fault), remedy, match.transcript.lines(), stderr)


def failed_in(job: MatchJob, seat: int, record: Record, where: str = "") -> Finding:
    """Return what the fault of a match comes to, told from playing it once more to that point."""
    fault = next(fault for fault in record.faults if fault.player == seat)
    detail = where + said(fault)
    with rehearsal(job, seat, others=as_recorded(record)) as match:
        if match.greet():
            match.play()
        again, lines = match.fault, match.transcript.lines()
        if again is None:
            other, lines = "it did nothing wrong", ()
        elif (again.code, again.decision) == (fault.code, fault.decision):
            stderr = fault.stderr or match.stderr()
            return Finding(Verdict.FAILED, detail, _remedy(match, fault, stderr), lines, stderr)
        else:
            other = f"this came instead: {said(again)}"
        detail += f" (when it was asked the same again, {other})"
        return Finding(Verdict.FAILED, detail, remedy(fault), lines, fault.stderr)


def _remedy(match: Rehearsal, fault: Fault, stderr: str) -> str:
    player = match.player
    return remedy(
        fault,
        bare=match.bare,
        buffered=match.buffered,
        stale=player.stale,
        wants=player.ready.want if player.ready is not None else (),
        stderr=stderr,
        isolated=match.isolated,
    )
