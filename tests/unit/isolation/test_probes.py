"""Why a level does not work here: each way in which its probe can fail gives a reason."""

from __future__ import annotations

import errno
from typing import NoReturn

import pytest

from arena.isolation import probes
from arena.isolation.probes import probe
from arena.sandbox.visible import ClosedToOthers

UNKNOWN = OSError(errno.ENOSYS, "no numbers of system calls")


@pytest.mark.parametrize(
    ("level", "asked", "error", "reason", "remedy"),
    [
        ("landlock", "seccomp_program", UNKNOWN, "no numbers", "x86_64"),
        ("limits", "find_level", ClosedToOthers("/root", "chmod"), "/root", "chmod"),
    ],
)
def test_what_cannot_be_had_is_the_reason(
    level: str,
    asked: str,
    error: OSError,
    reason: str,
    remedy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine without filters and a folder that bots cannot enter have a remedy each."""

    def fails(what: object) -> NoReturn:
        raise error

    monkeypatch.setattr(probes, asked, fails)
    problem = probe(level)
    assert problem is not None
    assert reason in problem.reason
    assert remedy in problem.remedy
