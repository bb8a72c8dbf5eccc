"""The doctor of a cluster: who is asked what, and what is said of those that do not answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cluster.terms import versions
from arena.doctor.hosts import HostCheckup, look_at_hosts
from arena.doctor.on_host import look_here
from arena.values.errors import WorkerError

ANN = "tls://192.0.2.1:4001"


@contextmanager
def arena_that(monkeypatch: pytest.MonkeyPatch, program: str, folder: Any) -> Iterator[None]:
    """Let a Python that is started for ``arena`` run a shell script instead."""
    script = folder / "python"
    script.write_text(f"#!/bin/sh\n{program}\n")
    script.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(script))
        yield


def look(answer: object) -> HostCheckup:
    """Return what is made of the answer of a cluster's one host."""

    def scheduler_info(n_workers: int) -> dict[str, Any]:
        assert n_workers == -1, "all of them"
        return {"workers": {ANN: {"metrics": {"arena": {**versions(), "host": "ann"}}}}}

    def submit(function: object, workers: Sequence[str], pure: bool) -> SimpleNamespace:
        assert [*workers] == [ANN]
        return SimpleNamespace(result=lambda timeout: answer)

    client: Any = SimpleNamespace(scheduler_info=scheduler_info, submit=submit)
    (found,) = look_at_hosts(client, 0.3)
    return found


def checkup(**changed: Any) -> str:
    """Return what a doctor prints as JSON, in the parts that matter."""
    rows = [
        {"topic": "python", "state": "green", "what": "", "data": {"version": "3.99.1"}},
        {"topic": "level bwrap", "state": "green", "what": "", "data": {"works": True}},
        {"topic": "level landlock", "state": "yellow", "what": "", "data": {"works": False}},
        {"topic": "level limits", "state": "green", "what": "", "data": {"works": True}},
        {"topic": "timers", "state": "green", "what": "", "data": {"p99_ms": 0.25}},
        {"topic": "workers", "state": "green", "what": "", "data": {"cores": 4.0}},
        {"topic": "language c", "state": "yellow", "what": "", "data": {"works": False}},
        {"topic": "language python", "state": "green", "what": "", "data": {"works": True}},
    ]
    return json.dumps({"rows": [{**row, "remedy": ""} for row in rows]} | changed)


@pytest.mark.parametrize(
    "answer",
    [
        7,
        "",
        ("auto",),
        ("auto", 7),
        ("auto", ""),
        ("auto", "[]"),
        ("auto", "{}"),
        ("auto", "{"),
        ("auto", checkup(rows=[])),
        ("auto", checkup(rows=[1])),
        ([], checkup()),
        {"auto": 1},
    ],
)
def test_answer_of_other_kind_is_wrong(answer: object) -> None:
    """A host whose answer is no checkup has a row that says so."""
    assert look(answer).wrong
    assert not look(("auto", checkup())).wrong


def test_doctor_on_host_reports_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """A doctor that finds faults gives its findings; one that fails raises with its reason."""
    here = SimpleNamespace(home=tmp_path, sandbox="landlock")
    monkeypatch.setattr(sys.modules["arena.doctor.on_host"], "here", lambda: here)
    with arena_that(monkeypatch, "echo '{}'; exit 1", tmp_path):
        assert look_here() == ("landlock", "{}\n")
    with (
        arena_that(monkeypatch, "echo no room >&2; exit 3", tmp_path),
        pytest.raises(WorkerError, match="no room"),
    ):
        look_here()
