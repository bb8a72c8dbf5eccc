"""A look at every host of a cluster: what its own doctor says, in one row a host."""

from __future__ import annotations

import json
import select
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.cluster.link import Answered, Down, Event, Failed, Link, Seen
from arena.cluster.terms import skew, versions
from arena.doctor.finding import State
from arena.doctor.on_host import look_here
from arena.errors import WorkerError
from arena.sandbox import LEVELS, find_level

__all__ = ["HostCheckup", "look_at_hosts"]

ASK_SECONDS = 30.0  # for a scheduler to say who is there, then for hosts to say who they are
LOOK_SECONDS = 120.0  # for all hosts to look at themselves, which they do at the same time
SILENT = "does not answer: it is cut off, or busy with long matches"
ISOLATING = frozenset(name for name in LEVELS if find_level(name).isolates)
LOST = "the connection to the scheduler was lost"


@dataclass(frozen=True, slots=True)
class HostCheckup:
    """What was found about a machine of a cluster; its texts are untrusted.

    Attributes:
        host: the name that it gives itself; empty where it gives none.
        address: its address on the network.
        workers: how many worker processes it has.
        cores: how many of its cores the arena may use; ``None`` if not known.
        levels: the isolation levels that work, the strongest first; where its worker was given one,
            only that.
        python: its version of Python.
        arena: its version of the arena.
        languages: the programming languages that work.
        late_ms: by how much 99 of 100 of its timers are late at most; ``None`` if not known.
        wrong: what must be fixed, in a few words each; nothing: it is fit for untrusted bots.
        remedies: topics, and what to do about each.
    """

    host: str
    address: str
    workers: int
    cores: float | None = None
    levels: tuple[str, ...] = ()
    python: str = ""
    arena: str = ""
    languages: tuple[str, ...] = ()
    late_ms: float | None = None
    wrong: tuple[str, ...] = ()
    remedies: tuple[tuple[str, str], ...] = ()


def look_at_hosts(
    link: Link, ask_seconds: float = ASK_SECONDS, look_seconds: float = LOOK_SECONDS
) -> list[HostCheckup]:
    """Have every machine of a cluster look at itself; return them in the order of their addresses.

    A machine that does not answer is among them.

    Args:
        link: the way to the cluster.
        ask_seconds: how long a scheduler may take to say who is there, and a host to say who it is.
        look_seconds: how long all hosts together may take.

    Raises:
        WorkerError: the scheduler cannot be reached.
    """
    machines = _machines(_workers(link, ask_seconds))
    # who they are comes first, for any two versions understand that
    answers = _ask(link, versions, machines, ask_seconds)
    found = {
        machine: _introduced(machine, len(workers), answers[machine])
        for machine, workers in machines.items()
    }
    ours = versions()["arena"]  # another one may have another doctor
    same = {machine: machines[machine] for machine, one in found.items() if one.arena == ours}
    for machine, answer in _ask(link, look_here, same, look_seconds, len(answers)).items():
        found[machine] = _looked_at(found[machine], answer)
    return list(found.values())


def _introduced(machine: str, workers: int, answer: Answered | str) -> HostCheckup:
    """Return what is known of a machine when it has said who it is, or has not."""
    found = HostCheckup("", machine, workers)
    if isinstance(answer, str):
        return replace(found, wrong=(answer,))
    said = answer.value
    if not isinstance(said, dict):
        return replace(found, wrong=("does not say who it is",))
    host, python, arena = (str(said.get(name, "")) for name in ("host", "python", "arena"))
    wrong = skew(versions(), {"host": host, "python": python, "arena": arena})
    return replace(found, host=host, python=python, arena=arena, wrong=tuple(wrong))


def _looked_at(found: HostCheckup, answer: Answered | str) -> HostCheckup:
    """Return a machine with what it has found about itself."""
    if isinstance(answer, str):
        return replace(found, wrong=(*found.wrong, answer))
    try:
        sandbox, text = answer.value
        more = _read(sandbox, text)
    except (ValueError, TypeError, KeyError, AttributeError):
        return replace(found, wrong=(*found.wrong, "what its doctor says cannot be read"))
    return replace(found, **{**more, "wrong": (*found.wrong, *more["wrong"])})


def _read(sandbox: str, text: str) -> dict[str, Any]:
    """Return the values of a checkup from what ``look_here`` returned.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: it is something else.
    """
    report = json.loads(text)
    rows = {str(row["topic"]): row for row in report["rows"]}
    red = [row for row in rows.values() if row["state"] == State.RED]
    wrong = [f"{row['topic']}: {row['what']}" for row in red]
    levels = tuple(one for one in _working(rows, "level ") if sandbox in ("auto", one))
    if not ISOLATING.intersection(levels):
        given = "" if sandbox == "auto" else f" at {sandbox}, the level its worker was given"
        wrong.insert(0, f"untrusted bots cannot be isolated{given}")
    return {
        "cores": float(rows["workers"]["data"]["cores"]),
        "levels": levels,
        "python": str(rows["python"]["data"]["version"]),
        "languages": _working(rows, "language "),
        "late_ms": float(rows["timers"]["data"]["p99_ms"]),
        "wrong": tuple(wrong),
        "remedies": tuple((str(row["topic"]), str(row["remedy"])) for row in red if row["remedy"]),
    }


def _working(rows: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """Return what works of a kind of topic, such as ``level ``."""
    return tuple(
        topic.removeprefix(kind)
        for topic, row in rows.items()
        if topic.startswith(kind) and row["data"]["works"] is True
    )


def _machines(workers: Sequence[str]) -> dict[str, list[str]]:
    """Return the addresses of worker processes by the machine that they are on.

    >>> _machines(["tls://10.0.0.2:4001", "tls://[fd00::3]:4001", "tls://10.0.0.2:4002"])
    {'10.0.0.2': ['tls://10.0.0.2:4001', 'tls://10.0.0.2:4002'], 'fd00::3': ['tls://[fd00::3]:4001']}
    """
    found: dict[str, list[str]] = {}
    for worker in sorted(workers):
        place = worker.partition("://")[2].rpartition(":")[0]
        found.setdefault(place.strip("[]"), []).append(worker)
    return found


def _workers(link: Link, seconds: float) -> Sequence[str]:
    """Return the addresses of all worker processes.

    Raises:
        WorkerError: the scheduler does not say.
    """
    for event in _events(link, seconds):
        if isinstance(event, Seen):
            return list(event.signs)
        if isinstance(event, Down):
            raise WorkerError(f"the scheduler cannot be reached: {event.reason}")
    raise WorkerError(f"the scheduler does not say within {seconds:g} s which hosts there are")


def _ask(
    link: Link,
    function: Callable[[], object],
    machines: Mapping[str, Sequence[str]],
    seconds: float,
    first: int = 0,
) -> dict[str, Answered | str]:
    """Call a function on the first worker of each machine; return answers, or why there is none.

    ``first`` is the number of the first call: none is used twice.
    """
    calls = dict(enumerate(machines, first))
    found: dict[str, Answered | str] = {}
    for call, machine in calls.items():
        link.call(call, machines[machine][0], function)
    for event in _events(link, seconds) if calls else ():
        if isinstance(event, Down):
            return dict.fromkeys(machines, LOST) | found
        if isinstance(event, Answered) and event.call in calls:
            found[calls[event.call]] = event
        elif isinstance(event, Failed) and event.call in calls:
            found[calls[event.call]] = str(event.error) or "it ended while it was asked"
        if len(found) == len(calls):
            break
    for call, machine in calls.items():
        if machine not in found:
            link.drop(call)
    return dict.fromkeys(machines, SILENT) | found


def _events(link: Link, seconds: float) -> Iterator[Event]:
    """Yield what comes within some seconds."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        select.select([link.fileno()], [], [], left)
        yield from link.take()
