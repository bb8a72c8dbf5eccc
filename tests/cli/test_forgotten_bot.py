"""``arena bots remove``: the programs of a person go, and what was played with them stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import as_json, output, refused, submitted, tournament
from support.bot_programs import program

from arena.bots.build import find_copy
from arena.bots.snapshots import kept_programs
from arena.store import open_store
from arena.store.people import Person

# removed copies may be those that a match of another test plays
pytestmark = pytest.mark.usefixtures("own_cache")
KEYS = {"name": "course", "game": "connect_four", "seed": 1, "sandbox": "none"}
BOTS = "[ada, bela, random]"


def versions(home: Path) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    with open_store(home, create=False) as store:
        for bot in store.bots.all():
            found.setdefault(bot.name, []).append(bot.version)
    return found


def handed_in(folder: Path, name: str, text: str = "") -> None:
    (folder / "bot.py").write_text(f"{program()}# {text or name}\n")
    submitted(folder / "home", folder / "bot.py", name)


def test_removed_bot_leaves_its_matches(tmp_path: Path) -> None:
    """``bots remove`` deletes a bot's programs and owner; its matches are exported as before."""
    home = tmp_path / "home"
    for text in ("1", "2"):
        handed_in(tmp_path, "ada", text)
    handed_in(tmp_path, "bela", "1")  # a copy of what ada had first
    with open_store(home, create=False, change=True) as store:
        store.people.set(Person("ada", "Ada Adler"))
        store.people.set(Person("bela", "Bela"))
        store.people.note_tried("refused", "Traceback of Ada", "")
        (first, second) = (bot.hash for bot in store.bots.versions("ada"))
    output(home, "run", tournament(tmp_path, BOTS, **KEYS), "--quiet")
    before = output(home, "export"), output(home, "leaderboard", "--format", "json")
    assert find_copy(second) is not None
    gone = as_json(home, "bots", "remove", "ada")
    assert gone == {"bot": "ada", "versions": [1, 2], "copies": 1, "shared": ["bela"]}
    assert versions(home) == {"bela": [1]}
    assert first in kept_programs(home)
    assert second not in kept_programs(home)
    assert find_copy(second) is None
    with open_store(home, create=False) as store:
        assert store.people.all() == {"bela": Person("bela", "Bela")}
        assert store.people.tried("refused") is None
    assert (output(home, "export"), output(home, "leaderboard", "--format", "json")) == before
    assert second in before[0]
    assert "all right" in output(home, "verify")
    match = as_json(home, "matches", "--bot", "ada")["rows"][0]["id"]
    assert "not here any more" in refused(home, "reproduce", match)
    handed_in(tmp_path, "ada", "3")
    assert versions(home)["ada"] == [3]  # another program has another number


def test_bot_of_unfinished_tournament_is_not_removed(tmp_path: Path) -> None:
    """``bots remove`` is refused until each tournament of the bot is ended."""
    home = tmp_path / "home"
    handed_in(tmp_path, "ada")
    handed_in(tmp_path, "bela")
    file = tournament(tmp_path, BOTS, **KEYS, rounds=1, stop="{matches: 2}")
    output(home, "run", file, "--quiet")
    with open_store(home, create=False, change=True) as store:
        edition = store.tournaments.find("course").id
        store.tournaments.reopen(edition)
        store.tournaments.take_out(edition, ["ada"])
    assert "arena tournaments end course" in refused(home, "bots", "remove", "ada")
    assert versions(home) == {"ada": [1], "bela": [1]}
    output(home, "tournaments", "end", "course")
    output(home, "bots", "remove", "ada", "--yes")
    assert versions(home) == {"bela": [1]}
    for name in ("ada", "nobody", "random"):
        assert "no bot" in refused(home, "bots", "remove", name)
