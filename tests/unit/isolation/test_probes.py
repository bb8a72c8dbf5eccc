"""Why a level does not work here: each way in which its probe can fail gives a reason."""

from __future__ import annotations

import errno

import pytest

from arena.isolation import probes
from arena.isolation.probes import probe
from arena.sandbox.visible import ClosedToOthers


def test_machine_without_filter_has_no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose system calls are not known has no level landlock, and the reason says so."""

    def unknown(kind: object) -> bytes:
        raise OSError(errno.ENOSYS, "no numbers of system calls")

    monkeypatch.setattr(probes, "seccomp_program", unknown)
    problem = probe("landlock")
    assert problem is not None
    assert "no numbers" in problem.reason
    assert "x86_64" in problem.remedy


def test_closed_folder_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that root's bots cannot enter is the reason, with its own remedy."""

    def closed(level: str) -> None:
        raise ClosedToOthers("/root", "chmod")

    monkeypatch.setattr(probes, "find_level", closed)
    problem = probe("limits")
    assert problem is not None
    assert "/root" in problem.reason
    assert "chmod" in problem.remedy
