"""The bots that a bundle brings: listed with it, and meant by their version in full alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.arena_command import as_json, output, refused, submitted
from support.ash_homes import BOT

from arena.bots.isolation import untrusted_among
from arena.store import open_store
from arena.values.model import BotEntry

CUP = "name: cup\ngame: leaves\nsandbox: none\nclock: {{move: 10s, first: 10s}}\nbots: [{bots}]\n"


def a_bundle(folder: Path, name: str, text: str, versions: int = 1) -> Path:
    """Return the bundle of a home that has so many versions of a bot, the last with this text."""
    folder.mkdir()
    source = folder / "bot.py"
    for version in range(versions, 0, -1):
        source.write_text(text if version == 1 else f"{text}# {version}\n")
        submitted(folder / "home", source, name)
    file = folder / "cup.yaml"
    file.write_text(CUP.format(bots=f"{name}, random").replace("cup", folder.name))
    output(folder / "home", "run", file, "--quiet")
    output(folder / "home", "bundle", "create", "-o", folder / f"{folder.name}.arena")
    return folder / f"{folder.name}.arena"


def listed(home: Path) -> dict[str, dict[str, Any]]:
    """Return the bots that a home lists and did not come with the arena."""
    rows = as_json(home, "bots")["rows"]
    return {f"{row['bot']}@{row['version']}": row for row in rows if row["origin"] != "bundled"}


def told(home: Path, folder: Path, bots: str) -> str:
    """Return what a run of some bots is refused with."""
    (folder / "mine.yaml").write_text(CUP.format(bots=bots).replace("cup", "mine"))
    return refused(home, "run", folder / "mine.yaml")


@pytest.mark.slow
def test_imported_bot_is_meant_by_full_version_only(tmp_path: Path) -> None:
    """An imported bot is in no pattern and under no plain name, only in full."""
    bundle, home = a_bundle(tmp_path / "theirs", "hugo", BOT, versions=2), tmp_path / "home"
    output(home, "bundle", "import", bundle)
    row = listed(home)["hugo@2"]
    assert (row["origin"], row["bundle"]) == ("imported", "theirs.arena")
    assert listed(home).keys() == {"hugo@2"}
    assert "theirs.arena" in output(home, "bots")
    assert "hugo@2" in told(home, tmp_path, "hugo, random")
    assert "hugo@2" in told(home, tmp_path, "hugo@1, random")
    told(home, tmp_path, '"h*", random, greedy')
    (tmp_path / "mine.yaml").write_text(CUP.format(bots="hugo@2, random").replace("cup", "mine"))
    output(home, "run", tmp_path / "mine.yaml", "--quiet")
    with open_store(home, create=False) as store:
        entries = [BotEntry("hugo@2", ref="hugo@2"), BotEntry("random", ref="random")]
        assert untrusted_among(entries, store.bots) == ["hugo@2"]
    # nothing of it is pruned
    output(home, "bots", "prune")
    output(home, "play", "leaves", "hugo@2", "random", "--sandbox", "none")


@pytest.mark.parametrize(("text", "version"), [(BOT, 2), (f"{BOT}# mine\n", 3)])
def test_its_owner_submits_it(tmp_path: Path, text: str, version: int) -> None:
    """The same content keeps its number, other content gets a higher one; then the name is ours."""
    bundle, home = a_bundle(tmp_path / "theirs", "hugo", BOT, versions=2), tmp_path / "home"
    output(home, "bundle", "import", bundle)
    (tmp_path / "bot.py").write_text(text)
    submitted(home, tmp_path / "bot.py", "hugo")
    assert {name: row["origin"] for name, row in listed(home).items()} == {
        f"hugo@{version}": "submitted"
    }


@pytest.mark.slow
def test_two_programs_as_one_version_are_ambiguous(tmp_path: Path) -> None:
    """If two bundles bring two programs as one version, neither is meant."""
    home = tmp_path / "home"
    for name, text in (("one", BOT), ("two", f"{BOT}# another\n")):
        bundle = a_bundle(tmp_path / name, "hugo", text)
        output(home, "bundle", "import", bundle)
    said = told(home, tmp_path, "hugo@1, random")
    assert "one.arena" in said
    assert "two.arena" in said
