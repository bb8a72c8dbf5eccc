"""Newer versions that a ladder takes up."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest
from support.submitted import Submitted, pinned, version

from arena.bots.newer import FindNewer, newer_versions, taken_up, upgrade_lines
from arena.store.entrants import Entry
from arena.values.errors import ArenaError, BotError, UsageError
from arena.values.model import Bot, BotEntry, Entrant

OAK = BotEntry("oak", ref="oak")
THREE = Submitted([version("oak", 1, "a1"), version("oak", 2, "a2"), version("oak", 3, "a3")])


def entrant(name: str, bot: str, version: int, digest: str) -> Entrant:
    return Entrant(name, Bot(bot, version, digest, ("run",), "/x"))


def found(
    entries: Collection[BotEntry],
    playing: Mapping[str, Entrant],
    out: Collection[str] = (),
) -> list[tuple[str, str, str | None]]:
    newest = {entry.name: entry.name for entry in entries}
    find = FindNewer(entries, playing, THREE, enter=not_called, out=lambda: out)
    return [(line, entry.name, entry.ref) for line, entry in find.there_are(newest)]


def not_called(entry: BotEntry) -> Entrant:
    raise AssertionError(f"{entry.name} is made ready, which was not asked for")


def test_bot_taken_out_gets_no_newer_version() -> None:
    """A bot that was taken out is not replaced by a newer version."""
    assert found([OAK], {"oak": entrant("oak", "oak", 1, "a1")}, out={"oak"}) == []


def test_a_newer_version_with_the_content_of_another_bot() -> None:
    """It is named and taken up as any other is, until an entrant plays it as this bot."""
    elm = BotEntry("elm", ref="elm")
    playing = {"oak": entrant("oak", "oak", 1, "a1"), "elm": entrant("elm", "elm", 1, "a3")}
    assert found([OAK, elm], playing) == [("oak", "oak@3", "oak@3")]
    pins = pinned("oak", "elm")
    (said,) = newer_versions([OAK, elm], playing, pins, THREE, upgrades=False)
    assert said.startswith("oak@3 is newer than oak@1")
    beside = {**playing, "tree": entrant("tree", "oak", 3, "a3")}
    assert not [*newer_versions([OAK, elm], beside, pins, THREE, upgrades=False)]


@pytest.mark.parametrize("error", [BotError, UsageError])
def test_the_newest_version_that_can_play_is_taken_up(
    error: type[ArenaError], caplog: pytest.LogCaptureFixture
) -> None:
    """One that cannot is named once, and hides no older one that is newer than what plays."""

    def ready(entry: BotEntry) -> Entrant:
        if entry.name in broken:
            raise error("it does not build")
        return entrant(entry.name, "oak", int(entry.name[-1]), f"a{entry.name[-1]}")

    first = {"oak": entrant("oak", "oak", 1, "a1")}
    find = FindNewer([OAK], first, THREE, enter=ready, out=lambda: ())
    broken = {"oak@2", "oak@3"}
    assert find({"oak": "oak"}) == []
    assert find({"oak": "oak"}) == []
    assert find.there_are({"oak": "oak"}) == []
    assert caplog.text.count("oak@3 is not taken up: it does not build") == 1
    assert caplog.text.count("oak@2 is not taken up: it does not build") == 1
    find = FindNewer([OAK], first, THREE, enter=ready, out=lambda: ())
    broken = {"oak@3"}
    assert [(line, one.name) for line, one in find({"oak": "oak"})] == [("oak", "oak@2")]


def newer(name: str, bot: str, line: str) -> Entry:
    """Return an entrant that is version 2 of a line."""
    return Entry(1, 1, name, bot, 2, "a2", (), 0, "", False, line)


@pytest.mark.parametrize(
    ("asked", "plays", "expected"),
    [
        ("oak", 1, "oak@3"),
        ("oak@2", 1, "oak@2"),
        ("oak@1", 2, "oak"),
        ("oak", 3, ""),
        ("oak@3", 3, ""),
        ("oak@1", 1, ""),
    ],
)
def test_upgrade_means_newest_or_named_version(asked: str, plays: int, expected: str) -> None:
    """``--upgrade`` enters the newest or the named version; the first has the line's own name."""
    entrants = {"oak": entrant("oak", "oak", 1, "a"), "now": entrant("now", "oak", plays, "a")}
    found_ = upgrade_lines([asked], [OAK], {"oak": "now"}, entrants, THREE)
    assert [(line, entry.name) for line, entry in found_] == ([("oak", expected)] * bool(expected))


@pytest.mark.parametrize(
    ("asked", "version", "word"),
    [("elm", 1, "elm"), ("oak@9", 1, "version 9"), ("oak@2", 0, "was submitted")],
)
def test_impossible_upgrade_is_refused(asked: str, version: int, word: str) -> None:
    """``--upgrade`` of no entrant, no version, or a file is refused."""
    with pytest.raises((BotError, UsageError), match=word):
        upgrade_lines([asked], [OAK], {}, {"oak": entrant("oak", "oak", version, "a")}, THREE)


def test_newer_version_keeps_settings_of_its_line() -> None:
    """A newer version has its line's arguments; without that line it has no entry."""
    named = BotEntry("tree", ref="oak", args=("--sims", "9"))
    versions = [newer("tree@2", "oak", "tree"), newer("ash@2", "ash", "ash")]
    assert taken_up([named], versions) == (BotEntry("tree@2", ref="oak@2", args=("--sims", "9")),)


def test_line_with_name_of_newer_version_is_refused() -> None:
    """A line named like a newer version that plays is refused."""
    with pytest.raises(BotError, match=r'"tree@2".*newer version of "tree"'):
        taken_up(
            [BotEntry("tree", ref="oak"), BotEntry("tree@2", ref="elm")],
            [newer("tree@2", "oak", "tree")],
        )
