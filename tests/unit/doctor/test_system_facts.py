"""Facts about a system are read from what the system says, here from a made-up one."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.doctor.finding import Finding, State
from arena.doctor.system import system_findings
from arena.doctor.timing import clock_finding

FILES = {"proc/sys/kernel/osrelease": "6.8.0-45-generic\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the root of a made-up machine."""
    write(tmp_path, FILES)
    return tmp_path


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def topic(findings: tuple[Finding, ...], name: str) -> Finding:
    (found,) = (one for one in findings if one.topic == name)
    return found


def test_old_kernel_is_red(root: Path) -> None:
    """A kernel without the calls that killing needs is red, with the version that has them."""
    write(root, {"proc/sys/kernel/osrelease": "5.2.11\n"})
    kernel = topic(system_findings(root), "kernel")
    assert kernel.state is State.RED
    assert "5.3" in kernel.remedy


@pytest.mark.parametrize(("works", "state"), [(True, State.GREEN), (False, State.YELLOW)])
def test_clocks_are_told(works: bool, state: State) -> None:
    """Without schedstat clocks are less honest, with a word on what would help."""
    found = clock_finding(works)
    assert found.state is state
    assert bool(found.remedy) is not works
