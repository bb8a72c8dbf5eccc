"""What an admin asks of a cluster: which machine plays what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
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
    said = {address: one["metrics"].get("arena") or {} for address, one in workers.items()}
    builds = _builds(said)
    found = []
    for machine, addresses in by_machine(workers).items():
        says = [said[address] for address in addresses if said[address]]
        found.append(
            HostStatus(
                host=_words(says, "host"),
                address=machine,
                processes=len(addresses),
                plays=_words(says, "run"),
                played=_total(says, "played"),
                per_minute=_total(says, "per_minute"),
                lost=_total(says, "lost"),
                level=_words(says, "level"),
                wrong=_words(says, "silent", "; ") if says else NOT_OURS,
                built_differently=_differing(builds, addresses),
            )
        )
    return found


def _words(says: Sequence[Mapping[str, Any]], name: str, between: str = ", ") -> str:
    """Return what processes say under a name, each thing once."""
    return between.join(filter(None, dict.fromkeys(str(one.get(name, "")) for one in says)))


def _total(says: Sequence[Mapping[str, Any]], name: str) -> int:
    return sum([int(one.get(name, 0)) for one in says])


_Builds = dict[tuple[str, str], dict[str, str]]  # by a bot's hash and name: by worker, what it made


def _builds(said: Mapping[str, Mapping[str, Any]]) -> _Builds:
    """Return what builds made, from what workers say, which may be anything."""
    found: _Builds = {}
    for address in sorted(said):
        built = said[address].get("built")
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
