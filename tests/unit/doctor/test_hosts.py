"""The doctor of a cluster: who is asked what, and what is said of those that do not answer."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from arena.cluster.host import Place
from arena.cluster.link import Answered, Down, Event, Failed, HostGone, Seen, Up
from arena.cluster.terms import versions
from arena.doctor.hosts import HostCheckup, look_at_hosts
from arena.doctor.on_host import look_here
from arena.errors import WorkerError

ANN, BEA, BEA_2 = "tls://192.0.2.1:4001", "tls://192.0.2.2:4001", "tls://192.0.2.2:4002"
Host = Callable[[str], object]  # from the name of what it is asked to its answer


class Cluster:
    """A ``Link`` to hosts that are functions; one that returns ``...`` says nothing."""

    def __init__(self, hosts: Mapping[str, Host], before: Sequence[Event] = (Up(),)) -> None:
        self._hosts = hosts
        self._events: list[Event] = [*before, Seen(dict.fromkeys(hosts, 1.0))]
        self._bell = os.open("/dev/zero", os.O_RDONLY)  # it can always be read
        self.asked: list[tuple[int, str, str]] = []
        self.dropped: list[int] = []

    def fileno(self) -> int:
        return self._bell

    def take(self) -> Sequence[Event]:
        events, self._events = self._events, []
        return events

    def call(
        self, call: int, address: str, function: Callable[..., object], *words: object
    ) -> None:
        self.asked.append((call, address, function.__name__))
        answer = self._hosts[address](function.__name__)
        if isinstance(answer, Down):
            self._events.append(answer)
        elif isinstance(answer, BaseException):
            self._events.append(Failed(call, answer))
        elif answer is not ...:
            self._events.append(Answered(call, answer))

    def drop(self, call: int) -> None:
        self.dropped.append(call)

    def close(self) -> None:
        os.close(self._bell)


def look(hosts: Mapping[str, Host]) -> list[HostCheckup]:
    cluster = Cluster(hosts)
    try:
        return look_at_hosts(cluster, 0.3, 0.3)
    finally:
        cluster.close()


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


def host(name: str, answer: object = None, **differs: str) -> Host:
    """Return a host that answers all questions; the last one with ``answer``."""
    told = {**versions(), "host": name, **differs}
    looked = ("auto", checkup()) if answer is None else answer
    return lambda asked: told if asked == "versions" else looked


def test_a_row_for_each_machine() -> None:
    """It has the numbers that its own doctor found, however many workers it has."""
    ann, bea = look({BEA_2: host("bea"), ANN: host("ann"), BEA: host("bea")})
    assert (ann.host, ann.address, ann.workers) == ("ann", "192.0.2.1", 1)
    assert (bea.host, bea.address, bea.workers) == ("bea", "192.0.2.2", 2)
    assert (ann.cores, ann.levels, ann.python) == (4.0, ("bwrap", "limits"), "3.99.1")
    assert (ann.languages, ann.late_ms, ann.wrong) == (("python",), 0.25, ())
    assert ann.arena == versions()["arena"]


def test_each_machine_is_asked_once() -> None:
    """Workers of one machine do not measure at the same time, and no call has another's number."""
    cluster = Cluster({ANN: host("ann"), BEA: host("bea"), BEA_2: host("bea")})
    look_at_hosts(cluster)
    cluster.close()
    assert [(address, name) for _, address, name in cluster.asked] == [
        (ANN, "versions"),
        (BEA, "versions"),
        (ANN, "look_here"),
        (BEA, "look_here"),
    ]
    assert len({call for call, _, _ in cluster.asked}) == 4


def test_one_of_another_version() -> None:
    """It is named with both versions, and asked nothing that it may not understand."""
    cluster = Cluster({ANN: host("ann", arena="0.0.1")})
    (ann,) = look_at_hosts(cluster)
    cluster.close()
    assert ann.arena == "0.0.1"
    assert all(version in ann.wrong[0] for version in ("0.0.1", versions()["arena"]))
    assert [name for _, _, name in cluster.asked] == ["versions"]


def test_another_python() -> None:
    """It is wrong, since bots in Python play elsewhere then; all else is looked at."""
    (ann,) = look({ANN: host("ann", python="3.99")})
    assert ann.cores == 4.0
    assert ann.python == "3.99.1"
    assert "3.99" in ann.wrong[0]


def test_those_that_do_not_answer() -> None:
    """They are listed, whatever they were asked last; the others have their rows."""
    cluster = Cluster({ANN: lambda _: ..., BEA: host("bea", ...), "tls://[fd00::3]:1": host("cid")})
    found = {one.address: one for one in look_at_hosts(cluster, 0.3, 0.3)}
    cluster.close()
    assert "does not answer" in found["192.0.2.1"].wrong[0]
    assert "does not answer" in found["192.0.2.2"].wrong[0]
    assert found["192.0.2.2"].host == "bea"
    assert (found["fd00::3"].host, found["fd00::3"].wrong) == ("cid", ())
    assert len(cluster.dropped) == 2


def test_those_that_fail() -> None:
    """What they say is said; of one that ended, that it did."""
    failed = host("ann", WorkerError("arena doctor failed with exit code 3"))
    ann, bea = look({ANN: failed, BEA: lambda _: HostGone()})
    assert "exit code 3" in ann.wrong[0]
    assert "ended" in bea.wrong[0]


def test_what_is_red() -> None:
    """It is wrong, and comes with what to do."""
    red = {"topic": "disk", "state": "red", "what": "full", "remedy": "make room", "data": {}}
    rows = [*json.loads(checkup())["rows"], red]
    (ann,) = look({ANN: host("ann", ("auto", checkup(rows=rows)))})
    assert ann.wrong == ("disk: full",)
    assert ann.remedies == (("disk", "make room"),)


def test_the_level_that_a_worker_was_given() -> None:
    """It is the only one that counts, and must be fit for untrusted bots."""
    (ann,) = look({ANN: host("ann", ("bwrap", checkup()))})
    assert (ann.levels, ann.wrong) == (("bwrap",), ())
    (ann,) = look({ANN: host("ann", ("limits", checkup()))})
    assert ann.levels == ("limits",)
    assert "isolated" in ann.wrong[0]
    (ann,) = look({ANN: host("ann", ("landlock", checkup()))})
    assert ann.levels == ()
    assert "landlock" in ann.wrong[0]


@pytest.mark.parametrize(
    "answer",
    [
        *(
            7,
            "",
            ("auto",),
            ("auto", 7),
            ("auto", ""),
            ("auto", "[]"),
            ("auto", "{}"),
            ("auto", "{"),
        ),
        *(("auto", checkup(rows=[])), ("auto", checkup(rows=[1])), ([], checkup()), {"auto": 1}),
    ],
)
def test_answers_that_are_no_checkup(answer: object) -> None:
    """A host that says something else is wrong, not the end of the command."""
    (ann,) = look({ANN: host("ann", answer)})
    assert ann.wrong
    (ann,) = look({ANN: lambda _: answer})
    assert ann.wrong


def test_the_scheduler_is_lost_in_between() -> None:
    """Who has not answered by then is not waited for."""
    (ann,) = look({ANN: host("ann", Down("reset"))})
    assert "lost" in ann.wrong[0]


def test_no_scheduler() -> None:
    """Where none is, that is an error."""
    for before in ([Down("refused")], []):
        cluster = Cluster({}, before)
        if not before:
            cluster.take()
        with pytest.raises(WorkerError):
            look_at_hosts(cluster, 0.2)
        cluster.close()


@contextmanager
def arena_that(monkeypatch: pytest.MonkeyPatch, program: str, folder: Any) -> Iterator[None]:
    """Let a Python that is started for ``arena`` run a shell script instead."""
    script = folder / "python"
    script.write_text(f"#!/bin/sh\n{program}\n")
    script.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(script))
        yield


def test_on_the_host(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """A doctor that finds fault has looked; one that fails says why."""
    with pytest.raises(WorkerError, match="arena cluster worker"):
        look_here()  # a worker that Dask has started
    here = Place(home=tmp_path, sandbox="landlock")
    monkeypatch.setattr(sys.modules["arena.doctor.on_host"], "place", lambda: here)
    with arena_that(monkeypatch, "echo '{}'; exit 1", tmp_path):
        assert look_here() == ("landlock", "{}\n")
    with (
        arena_that(monkeypatch, "echo no room >&2; exit 3", tmp_path),
        pytest.raises(WorkerError, match="no room"),
    ):
        look_here()
