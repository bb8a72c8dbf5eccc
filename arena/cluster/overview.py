"""What an admin asks of a cluster: which machine plays what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arena.cluster.terms import NOT_OURS

if TYPE_CHECKING:
    from arena.cluster.joined import Client

COUNTED = "played", "per_minute", "lost"


def cluster_status(client: Client) -> list[dict[str, Any]]:
    """Return a row for each machine of a cluster, in the order of their addresses.

    A row has what the processes of the machine say of themselves; its texts are untrusted. There
    are ``host``, the name that the machine gives itself; ``address`` on the network; ``processes``,
    how many matches it can play at a time; ``plays``, the tournaments that it has played of last,
    with commas, empty if none yet; ``played``, matches that it has ended since it joined;
    ``per_minute``, those of the last minute; ``lost``, matches that it could not play to their end;
    ``level``, the isolation level of its bots; ``wrong``, why it plays nothing, empty if it does;
    and ``built_differently``, the bots of which a build made something else than on most machines.
    """
    workers = client.scheduler_info(n_workers=-1)["workers"]
    said = {address: one["metrics"].get("arena") or {} for address, one in workers.items()}
    differing = _differing(said)
    rows = []
    for machine, addresses in by_machine(workers).items():
        says = [said[address] for address in addresses if said[address]]
        counts = {key: sum([int(one.get(key, 0)) for one in says]) for key in COUNTED}
        names = [name for address in addresses for name in differing.get(address, ())]
        rows.append(
            {
                "host": _words(says, "host"),
                "address": machine,
                "processes": len(addresses),
                "plays": _words(says, "run"),
                **counts,
                "level": _words(says, "level"),
                "wrong": _words(says, "silent", "; ") if says else NOT_OURS,
                "built_differently": tuple(dict.fromkeys(names)),
            }
        )
    return rows


def _words(says: Sequence[Mapping[str, Any]], name: str, between: str = ", ") -> str:
    """Return what processes say under a name, each thing once."""
    return between.join(filter(None, dict.fromkeys(str(one.get(name, "")) for one in says)))


def _differing(said: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return by worker the bots of which it made something else than most workers, or the first.

    >>> builds = {"a": "x", "b": "x", "c": "y"}
    >>> _differing({at: {"built": {"sha256:1": ("oak", made)}} for at, made in builds.items()})
    {'c': ['oak']}

    Args:
        said: by worker, what it says, which may be anything.
    """
    builds: dict[tuple[str, str], dict[str, str]] = {}  # by a bot's hash and name
    for address in sorted(said):
        built = said[address].get("built")
        for digest, each in built.items() if isinstance(built, dict) else ():
            if isinstance(each, list | tuple) and len(each) == 2:
                builds.setdefault((str(digest), str(each[0])), {})[address] = str(each[1])
    found: dict[str, list[str]] = {}
    for (_, name), made in builds.items():
        [(usual, _)] = Counter(made.values()).most_common(1)
        for address in made:
            if made[address] != usual:
                found.setdefault(address, []).append(name)
    return found


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
