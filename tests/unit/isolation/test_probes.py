"""Why a level does not work here: each way in which its probe can fail gives a reason."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from arena.isolation import choose, probes
from arena.sandbox import LevelProblem
from arena.sandbox.visible import ClosedToOthers
from arena.values.errors import Lack

FAILS = [  # a level, what its probe asks first, what comes of it, and what is said of that
    ("landlock", "seccomp_program", OSError(38, "no numbers"), ("no numbers", "x86_64")),
    ("limits", "find_level", ClosedToOthers("/root", "chmod"), ("/root", "chmod")),
]


def test_what_cannot_be_had_is_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without filters and a folder that bots cannot enter have a remedy each."""
    for level, asked, error, words in FAILS:
        monkeypatch.setattr(probes, asked, Mock(side_effect=error))
        problem = probes.probe(level)
        assert problem is not None
        assert all(word in f"{problem.reason} {problem.remedy}" for word in words)


def test_what_the_probe_lacked_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level of which a probe found nothing out does not work this time; it may the next."""
    lacking = LevelProblem("no process is left", "end others", Lack.PROCESSES)
    monkeypatch.setattr(choose, "probe", Mock(side_effect=[lacking, None]))
    monkeypatch.setattr(choose, "_known", {})
    assert [choose.problem_with("limits") for _ in range(2)] == [lacking, None]


def test_landlock_works_where_the_kernel_has_it() -> None:
    """Else the tests of this level would be passed over, and not fail, whatever breaks it."""
    problem = choose.problem_with("landlock")
    known = ("closed to other users", *(lacks.reason for lacks in probes._NO_LANDLOCK.values()))
    assert problem is None or any(words in problem.reason for words in known)
