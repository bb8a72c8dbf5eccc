"""What a coordinator and the hosts of a cluster exchange.

Values of this module, and the functions of ``arena.cluster.host``, are sent by name: both sides
have the same version of the arena, which is checked by ``versions`` before anything else is sent.

A host is one worker process of the cluster here: a machine with four cores has four of them, and
they share the machine's home. The coordinator calls, in this order, as tasks of that process:

1. ``versions() -> dict[str, str]``: plain values, so that any two versions understand one another;
2. ``look(terms) -> HostReport``: the host keeps the terms by their key, and says what it lacks;
3. ``take_bot(key, digest, archive) -> str``: once for each missing bot; empty, or a refusal;
4. ``play(key, matches) -> list[Played | Lost]``: a chunk of matches, answered in any order.

A host that does not know the key raises ``UnknownTerms``; the coordinator begins at 1 again.
"""

from __future__ import annotations

import platform
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from arena.model import Entrant, Tournament
from arena.version import __version__

__all__ = ["HostReport", "Terms", "UnknownTerms", "skew", "versions"]


class UnknownTerms(Exception):
    """A host was asked for something under terms that it has not seen, or has forgotten."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all matches of a run have in common; a host is sent it once.

    Attributes:
        key: names these terms; every run has its own, and another one when entrants are added.
        tournament: the rules, with the edition's seed.
        label: what the edition is called.
        entrants: who plays. Where their bots lie and how they start (``folder``, ``start``,
            ``imports``) is true of the coordinator's machine only; ``hash`` says which bot it is.
        rules: the version of each game's rules, by its canonical name.
        dictionary: what records are packed with.
        sandbox: ``auto``, or the one level at which bots may run.
        isolates: whether the level must isolate bots: some are not bundled, and nobody has agreed
            to less.
    """

    key: str
    tournament: Tournament
    label: str
    entrants: tuple[Entrant, ...]
    rules: tuple[tuple[str, int], ...]
    dictionary: tuple[int, bytes]
    sandbox: str
    isolates: bool


@dataclass(frozen=True, slots=True)
class HostReport:
    """What a host says when it is shown the terms.

    Attributes:
        host: the machine's name, as records have it.
        cores: how many it has, for all worker processes on it together.
        rules: the version of each game's rules; 0 for a game that it does not have.
        level: the level at which it runs bots; empty if it has none that the terms allow.
        missing: hashes of the bots that it must be sent.
        refusals: why it cannot play, as sentences that name both sides; none: it can.
    """

    host: str
    cores: int
    rules: tuple[tuple[str, int], ...]
    level: str
    missing: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()


def versions() -> dict[str, str]:
    """Return who this is, as values that any version understands: a task of a host.

    >>> sorted(versions())
    ['arena', 'host', 'python']
    """
    python = ".".join(platform.python_version_tuple()[:2])
    return {"host": socket.gethostname(), "arena": __version__, "python": python}


def skew(ours: Mapping[str, str], theirs: Mapping[str, str], *, python: bool = True) -> list[str]:
    """Return why a host may not play, by what ``versions`` says on both sides.

    >>> host = {"arena": "1.9", "python": "3.12", "host": "b"}
    >>> skew({"arena": "2.0", "python": "3.11"}, host, python=False)
    ['b has arena 1.9, the coordinator has arena 2.0']

    Args:
        ours: of the coordinator.
        theirs: of the host.
        python: does a bot run on Python, so that its minor version counts?
    """
    host = theirs.get("host", "a host")
    found = []
    for what, name in (("arena", "arena"), *([("python", "Python")] if python else [])):
        here, there = ours[what], theirs.get(what, "of no known version")
        if here != there:
            found.append(f"{host} has {name} {there}, the coordinator has {name} {here}")
    return found
