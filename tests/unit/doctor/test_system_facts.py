"""Facts about a system are read from what the system says, here from a made-up one."""

from __future__ import annotations

import pytest

from arena.doctor.finding import State
from arena.doctor.system import system_findings
from arena.doctor.timing import clock_finding


def test_old_kernel_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel without the calls that killing needs is red, with the version that has them."""
    monkeypatch.setattr("platform.release", lambda: "5.2.11")
    kernel, *_ = system_findings()
    assert kernel.state is State.RED
    assert "5.3" in kernel.remedy


@pytest.mark.parametrize(("works", "state"), [(True, State.GREEN), (False, State.YELLOW)])
def test_clocks_are_told(works: bool, state: State) -> None:
    """Without schedstat clocks are less honest, with a word on what would help."""
    found = clock_finding(works)
    assert found.state is state
    assert bool(found.remedy) is not works
