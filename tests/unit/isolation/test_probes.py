"""Why a level does not work here: each way in which its probe can fail gives a reason."""

from __future__ import annotations

import errno
from typing import NoReturn

import pytest

from arena.isolation import probes
from arena.isolation.choose import problem_with
from arena.isolation.probes import probe
from arena.sandbox.landlock import abi
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


def test_landlock_works_where_the_kernel_has_it() -> None:
    """Only then is it right that tests of this level are passed over where it does not work."""
    try:
        abi()
    except OSError as error:
        pytest.skip(f"this kernel has no Landlock: {error.strerror}")
    problem = problem_with("landlock")
    assert problem is None or "closed to other users" in problem.reason
