"""From a fault at a table, or in a match, to what a failed step says of it."""

from __future__ import annotations

from arena.check.remedies import remedy
from arena.check.steps import Finding, Verdict
from arena.check.table import Table, as_recorded, at_table
from arena.model import Fault, MatchJob, Record

__all__ = ["failed_at", "failed_in", "said"]


def said(fault: Fault) -> str:
    """Return a fault as a sentence."""
    when = f" at decision {fault.decision}" if fault.decision else ""
    return f"{fault.code}{when}: {fault.detail}"


def failed_at(table: Table, where: str = "", *, remedy: str = "") -> Finding:
    """Return what a table's fault comes to; ``remedy`` is said instead of the usual remedy."""
    fault = table.fault
    assert fault is not None
    return Finding(
        Verdict.FAILED,
        where + said(fault),
        remedy or _mend(table, fault),
        table.talk.transcript(),
        table.talk.stderr(),
    )


def failed_in(job: MatchJob, seat: int, record: Record, where: str = "") -> Finding:
    """Return what the fault of a match comes to, told from playing it once more to that point."""
    fault = next(fault for fault in record.faults if fault.player == seat)
    with at_table(job, seat, others=as_recorded(record)) as table:
        if table.greet():
            table.play()
        again = table.fault
        if again is not None and (again.code, again.decision) == (fault.code, fault.decision):
            return Finding(
                Verdict.FAILED,
                where + said(fault),
                _mend(table, fault),
                table.talk.transcript(),
                fault.stderr or table.talk.stderr(),
            )
        other = f"this came instead: {said(again)}" if again else "it did nothing wrong"
        return Finding(
            Verdict.FAILED,
            f"{where}{said(fault)} (when it was asked the same again, {other})",
            remedy(fault),
            table.talk.transcript() if again else (),
            fault.stderr,
        )


def _mend(table: Table, fault: Fault) -> str:
    return remedy(fault, buffered=table.buffered, stale=table.referee.stale_answers(table.me))
