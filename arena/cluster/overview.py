"""What an admin asks of a cluster: which machine plays what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.cluster.terms import NOT_OURS

if TYPE_CHECKING:
    from arena.cluster.joined import Client


class HostStatus(NamedTuple):
    """What the processes of a machine say of themselves; its texts are untrusted.

    Attributes:
        host: the name that the machine gives itself.
        address: its address on the network.
        processes: how many matches it can play at a time.
        plays: the tournaments that it has played of last, with commas; empty: none yet.
        played: matches that it has ended since it joined.
        per_minute: those of the last minute.
        lost: matches that it could not play to their end.
        level: the isolation level of its bots.
        wrong: why it plays nothing; empty if it does.
        built_differently: the bots of which a build made something else than on most machines.
    """

    host: str
    address: str
    processes: int
    plays: str
    played: int
    per_minute: int
    lost: int
    level: str
    wrong: str = ""
    built_differently: tuple[str, ...] = ()


def cluster_status(client: Client) -> list[HostStatus]:
    """Return what each machine of a cluster is doing, in the order of their addresses."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    found = []
    builds = _builds({address: worker["metrics"] for address, worker in workers.items()})
    for machine, addresses in by_machine(workers).items():
        all_said = [workers[address]["metrics"].get("arena") for address in addresses]
        says = [one for one in all_said if isinstance(one, dict)]
        first = says[0] if says else {}
        sums = [
            sum([int(one.get(name, 0)) for one in says])
            for name in ("played", "per_minute", "lost")
        ]
        whys = dict.fromkeys(str(one.get("silent", "")) for one in says)
        plays = dict.fromkeys(str(one.get("run", "")) for one in says)
        found.append(
            HostStatus(
                host=str(first.get("host", "")),
                address=machine,
                processes=len(addresses),
                plays=", ".join(filter(None, plays)),
                played=sums[0],
                per_minute=sums[1],
                lost=sums[2],
                level=str(first.get("level", "")),
                wrong="; ".join(filter(None, whys)) if says else NOT_OURS,
                built_differently=_differing(builds, addresses),
            )
        )
    return found


_Builds = dict[tuple[str, str], dict[str, str]]  # by a bot's hash and name: by worker, what it made


def _builds(metrics: Mapping[str, Mapping[str, Any]]) -> _Builds:
    """Return what builds made, from what workers say, which may be anything."""
    found: _Builds = {}
    for address in sorted(metrics):
        says = metrics[address].get("arena")
        built = says.get("built") if isinstance(says, dict) else None
        for digest, each in built.items() if isinstance(built, dict) else ():
            if isinstance(each, list | tuple) and len(each) == 2:
                found.setdefault((str(digest), str(each[0])), {})[address] = str(each[1])
    return found


def _differing(builds: _Builds, addresses: Collection[str]) -> tuple[str, ...]:
    """Return the bots of which these workers made something else than most workers, or the first.

    >>> _differing({("sha256:1", "oak"): {"a": "x", "b": "x", "c": "y"}}, ["c"])
    ('oak',)
    """
    names = []
    for (_, name), made in builds.items():
        [(usual, _)] = Counter(made.values()).most_common(1)
        if any(made.get(address, usual) != usual for address in addresses):
            names.append(name)
    return tuple(dict.fromkeys(names))


def by_machine(workers: Iterable[str]) -> dict[str, list[str]]:
    """Return the addresses of worker processes by the machine that they are on.

    >>> by_machine(["tls://10.0.0.2:4001", "tls://[fd00::3]:4001", "tls://10.0.0.2:4002"])
    {'10.0.0.2': ['tls://10.0.0.2:4001', 'tls://10.0.0.2:4002'], 'fd00::3': ['tls://[fd00::3]:4001']}
    """
    found: dict[str, list[str]] = {}
    for worker in sorted(workers):
        place = worker.partition("://")[2].rpartition(":")[0]
        found.setdefault(place.strip("[]"), []).append(worker)
    return found
