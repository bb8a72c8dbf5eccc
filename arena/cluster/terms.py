"""What a coordinator and the hosts of a cluster exchange, and which host fits a tournament.

These values are sent by name: both sides have the same version of the arena. A host says who it is
by plain values among Dask's metrics of a worker, and declares as Dask's resources what a chunk of
matches may ask for, so that a host of another version is given nothing of ours.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.values.model import Clock
from arena.values.tables import MatchRow
from arena.values.version import __version__
from arena.workers.gather import Lost
from arena.workers.jobs import JobFactory

ISOLATES = "isolates bots"
NOT_OURS = "runs a worker of Dask's own; start arena cluster worker there instead"


@dataclass(frozen=True, slots=True)
class Terms:
    """What all matches of a run have in common.

    Attributes:
        key: names these terms; every run has its own, and another one when entrants are added.
        jobs: makes their jobs. Its level, and where bots lie and how they start (``folder``,
            ``start``, ``imports``), are true of the coordinator's machine only.
        rules: the version of each game's rules, by its canonical name.
        isolates: whether the level must isolate bots: some are not bundled, and nobody has agreed
            to less.
    """

    key: str
    jobs: JobFactory
    rules: tuple[tuple[str, int], ...]
    isolates: bool

    @property
    def environments(self) -> dict[str, str]:
        """The hashes of the packages of the environments that bots need, by their names."""
        bots = [one.bot for one in self.jobs.entrants.values() if not one.bot.asks]
        return {bot.environment: bot.packages for bot in bots if bot.environment}

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The clocks of all players."""
        own = {one.clock for one in self.jobs.entrants.values() if one.clock is not None}
        return (self.jobs.tournament.clock, *own)


class ChunkAnswer(NamedTuple):
    """What a host returns for a chunk of matches.

    Attributes:
        address: of the host process, as Dask knows it.
        host: its machine's name, as records have it.
        seconds: how long the chunk took.
        results: of the matches, in any order.
        refusal: why it plays no match of this run; empty if it does.
        lasting: whether that is so for the whole run.
    """

    address: str
    host: str
    seconds: float = 0.0
    results: tuple[MatchRow | Lost, ...] = ()
    refusal: str = ""
    lasting: bool = True


def versions() -> dict[str, str]:
    """Return the versions that both sides of a cluster must share.

    >>> sorted(versions())
    ['arena', 'python']
    """
    return {"arena": __version__, "python": ".".join(platform.python_version_tuple()[:2])}


def resources(environments: Mapping[str, str], *, isolates: bool) -> dict[str, float]:
    """Return what a host declares, and a chunk asks for: versions, environments, isolation."""
    names = [f"{what} {version}" for what, version in versions().items()]
    names += [f"environment {name} {packages}" for name, packages in environments.items()]
    return dict.fromkeys([*names, *[ISOLATES] * isolates], 1.0)


def skew(theirs: Mapping[str, Any]) -> list[str]:
    """Return why a host may not play, by the versions that it says it has.

    >>> skew({**versions(), "arena": "1.9", "host": "b"})
    ['b has arena 1.9, the coordinator has arena 0.1.0']
    """
    return [
        f"{theirs.get('host', 'a host')} has {what} {theirs.get(what, 'of no known version')}, "
        f"the coordinator has {what} {ours}"
        for what, ours in versions().items()
        if theirs.get(what) != ours
    ]


def misfits(theirs: Mapping[str, Any], terms: Terms) -> list[str]:
    """Return why a host gets no match under these terms, by what it says of itself."""
    if not theirs:
        return [f"it {NOT_OURS}"]
    found = skew(theirs)
    if not found and terms.isolates and not theirs.get("isolates"):
        found = [
            f"{theirs.get('host')} runs bots at the level {theirs.get('level')}, and the "
            "tournament has some that must be isolated; arena doctor there says what would help"
        ]
    return found or [
        f"{theirs.get('host')} has no environment {name} with the packages of the coordinator's: "
        "compare arena environments list on both, and start the host again"
        for name, packages in terms.environments.items()
        if theirs.get("environments", {}).get(name) != packages
    ]
