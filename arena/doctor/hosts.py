"""A look at every host of a cluster: what its own doctor says, in one row a host."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.cluster.overview import by_machine
from arena.cluster.terms import NOT_OURS, skew, versions
from arena.doctor.finding import State
from arena.doctor.on_host import look_here
from arena.sandbox import LEVELS, find_level

if TYPE_CHECKING:
    from arena.cluster.joined import Client, Future

LOOK_SECONDS = 120.0  # for all hosts to look at themselves, which they do at the same time
SILENT = (
    "does not answer: it is cut off, a firewall closes its ports to the scheduler, or it is busy "
    "with long matches"
)
ISOLATING = frozenset(name for name in LEVELS if find_level(name).isolates)


class HostCheckup(NamedTuple):
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


def look_at_hosts(client: Client, look_seconds: float = LOOK_SECONDS) -> list[HostCheckup]:
    """Have every machine of a cluster look at itself; return them in the order of their addresses.

    A machine that does not answer is among them.

    Args:
        client: Dask's, connected.
        look_seconds: how long all hosts together may take.
    """
    workers = client.scheduler_info(n_workers=-1)["workers"]
    found: dict[str, HostCheckup] = {}
    asked: dict[str, Future[tuple[str, str]]] = {}
    for machine, addresses in by_machine(workers).items():
        says = workers[addresses[0]]["metrics"].get("arena") or {}
        host, python, arena = (str(says.get(name, "")) for name in ("host", "python", "arena"))
        wrong = tuple(skew(says) if says else [NOT_OURS])
        found[machine] = HostCheckup(
            host, machine, len(addresses), python=python, arena=arena, wrong=wrong
        )
        if says.get("arena") == versions()["arena"]:  # another one may have another doctor
            asked[machine] = client.submit(look_here, workers=addresses[:1], pure=False)
    end = time.monotonic() + look_seconds
    for machine, future in asked.items():
        one = found[machine]
        try:
            found[machine] = _read(one, *future.result(timeout=max(0.1, end - time.monotonic())))
        except TimeoutError:
            found[machine] = one._replace(wrong=(*one.wrong, SILENT))
        except Exception as error:  # whatever it was there, or says
            found[machine] = one._replace(wrong=(*one.wrong, f"it cannot be examined: {error}"))
    return list(found.values())


def _read(found: HostCheckup, sandbox: str, text: str) -> HostCheckup:
    """Return a machine with what it has found about itself, as ``look_here`` returned it."""
    report = json.loads(text)
    rows = {str(row["topic"]): row for row in report["rows"]}
    red = [row for row in rows.values() if row["state"] == State.RED]
    wrong = [f"{row['topic']}: {row['what']}" for row in red]
    levels = tuple(one for one in _working(rows, "level ") if sandbox in ("auto", one))
    if not ISOLATING.intersection(levels):
        given = "" if sandbox == "auto" else f" at {sandbox}, the level its worker was given"
        wrong.insert(0, f"untrusted bots cannot be isolated{given}")
    return found._replace(
        cores=float(rows["workers"]["data"]["cores"]),
        levels=levels,
        python=str(rows["python"]["data"]["version"]),
        languages=_working(rows, "language "),
        late_ms=float(rows["timers"]["data"]["p99_ms"]),
        wrong=(*found.wrong, *wrong),
        remedies=tuple((str(row["topic"]), str(row["remedy"])) for row in red if row["remedy"]),
    )


def _working(rows: Mapping[str, Any], kind: str) -> tuple[str, ...]:
    """Return what works of a kind of topic, such as ``level ``."""
    return tuple(
        topic.removeprefix(kind)
        for topic, row in rows.items()
        if topic.startswith(kind) and row["data"]["works"] is True
    )
