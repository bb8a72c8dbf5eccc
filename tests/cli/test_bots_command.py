"""``arena bots``: which home its commands work on, and what --json means to each."""

from __future__ import annotations

import json
from pathlib import Path

from support import finished
from support.arena_command import arena, output

from arena.store import open_store


def home_of(path: Path, *bots: str) -> Path:
    """Return a home in which bots were submitted and have met in one match."""
    entrants = finished.entrants(bots)
    with open_store(path, create=True) as store:
        for entrant in entrants:
            store.bots.add(entrant.bot, ())
        edition = store.tournaments.create("met", "f", "{}", entrants)
        store.matches.add(edition.id, finished.match(0, bots, [1, 2], tournament="met"))
    return path


def retired(home: Path, bot: str) -> bool:
    """Return whether no version of a bot plays."""
    with open_store(home, create=False) as store:
        return all(row.retired for row in store.bots.versions(bot))


def test_the_home_of_the_group(tmp_path: Path) -> None:
    """Said before the command or after it, it is the one that is worked on."""
    here, there = home_of(tmp_path / "a", "oaky", "elmy"), home_of(tmp_path / "b", "oaky", "firy")
    output(here, "bots", "--home", there, "retire", "oaky")
    assert (retired(here, "oaky"), retired(there, "oaky")) == (False, True)
    output(here, "bots", "--home", there, "restore", "oaky")
    assert not retired(there, "oaky")
    rows = json.loads(output(here, "bots", "--home", there, "--json", "oaky"))["rows"]
    assert [row["bots"] for row in rows] == [["oaky", "firy"]]
    output(here, "bots", "--home", here, "retire", "oaky", "--home", there)
    assert (retired(here, "oaky"), retired(there, "oaky")) == (False, True)


def test_json_of_what_prints_none(tmp_path: Path) -> None:
    """It is refused, and nothing is retired."""
    home = home_of(tmp_path, "oaky", "elmy")
    assert arena(home, "bots", "--json", "retire", "oaky").returncode == 2
    assert not retired(home, "oaky")
