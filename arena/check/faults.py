"""From a fault in a rehearsal to what a failed step says of it."""

from __future__ import annotations

from arena.check.rehearsal import Rehearsal
from arena.check.remedies import remedy as usual_remedy
from arena.check.steps import StepResult, StepState
from arena.values.model import Fault


def said(fault: Fault) -> str:
    """Return a fault as a sentence."""
    when = f" at decision {fault.decision}" if fault.decision else ""
    return f"{fault.code}{when}: {fault.detail}"


def failed_at(match: Rehearsal, where: str = "", *, remedy: str = "") -> StepResult:
    """Return what a fault comes to; ``remedy`` is said instead of the usual remedy."""
    assert match.fault is not None
    return failed(match, where + said(match.fault), remedy or usual_remedy(match))


def failed(match: Rehearsal, detail: str, remedy: str) -> StepResult:
    """Return a failed step, with what was said and written last."""
    return StepResult(StepState.FAILED, detail, remedy, match.transcript.lines(), match.stderr())
