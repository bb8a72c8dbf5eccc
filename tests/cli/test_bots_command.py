"""``arena bots``: which home its commands work on, and what --json means to each."""

from __future__ import annotations

from pathlib import Path

from support import finished
from support.arena_command import ROOT, as_json, messages, output

from arena.store import open_store


def home_of(path: Path, *bots: str) -> Path:
    """Return a home in which bots were submitted and have met in one match."""
    entrants = finished.entrants(bots)
    with open_store(path, create=True) as store:
        for entrant in entrants:
            store.bots.add(entrant.bot)
        edition = store.tournaments.create("met", "f", {}, entrants)
        finished.add(store, edition.id, finished.match(0, bots, [1, 2], tournament="met"))
    return path


def retired(home: Path, bot: str) -> bool:
    """Return whether no version of a bot plays."""
    with open_store(home, create=False) as store:
        return all(row.retired for row in store.bots.versions(bot))


def test_home_option_works_before_or_after_bots_command(tmp_path: Path) -> None:
    """``--home`` of ``bots`` counts before its command or after it."""
    here, there = home_of(tmp_path / "a", "oaky", "elmy"), home_of(tmp_path / "b", "oaky", "firy")
    output(here, "bots", "--home", there, "retire", "oaky")
    assert (retired(here, "oaky"), retired(there, "oaky")) == (False, True)
    output(here, "bots", "--home", there, "restore", "oaky")
    assert not retired(there, "oaky")
    rows = as_json(here, "bots", "--home", there, "oaky")["rows"]
    assert [row["bots"] for row in rows] == [["oaky", "firy"]]
    output(here, "bots", "--home", here, "retire", "oaky", "--home", there)
    assert (retired(here, "oaky"), retired(there, "oaky")) == (False, True)


def handed_in(folder: Path, name: str, text: str = "") -> Path:
    """Return a bot that plays, whose content differs with the text."""
    path = folder / f"{name}.py"
    path.write_text(f"{(ROOT / 'bots/kit/python/bot.py').read_text()}\n# {text}\n")
    return path


def test_retired_version_is_not_taken_again(tmp_path: Path) -> None:
    """A retired version's content is not taken again; new content is."""
    home = tmp_path / "home"
    output(home, "submit", handed_in(tmp_path, "ada"))
    output(home, "bots", "retire", "ada@1")
    assert "arena bots restore ada@1" in messages(home, "submit", tmp_path / "ada.py", code=1)
    assert "version 2 is submitted" in output(home, "submit", handed_in(tmp_path, "ada", "new"))
