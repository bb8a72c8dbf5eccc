"""Newer versions that a ladder takes up."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest
from support.submitted import Submitted, version

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
    submitted: Submitted = THREE,
    out: Collection[str] = (),
    newest: Mapping[str, str] | None = None,
) -> list[tuple[str, str, str | None]]:
    newest = {entry.name: entry.name for entry in entries} if newest is None else newest
    entrants = {one.name: one for one in playing.values()}
    find = FindNewer(entries, entrants, submitted, enter=not_called, out=lambda: out)
    return [(line, entry.name, entry.ref) for line, entry in find.there_are(newest)]


def not_called(entry: BotEntry) -> Entrant:
    raise AssertionError(f"{entry.name} is made ready, which was not asked for")


def test_the_newest_version_is_taken_up_under_a_name_of_its_own() -> None:
    """Of several only the last; once it plays, there is nothing newer."""
    first = {"oak": entrant("oak", "oak", 1, "a1")}
    assert found([OAK], first) == [("oak", "oak@3", "oak@3")]
    named = BotEntry("tree", ref="oak", args=("--sims", "9"))
    assert found([named], {"tree": entrant("tree", "oak", 1, "a1")}) == [
        ("tree", "tree@3", "oak@3")
    ]
    both = {**first, "oak@3": entrant("oak@3", "oak", 3, "a3")}
    assert found([OAK], both, newest={"oak": "oak@3"}) == []


def test_who_was_taken_out_does_not_come_back_as_a_newer_version() -> None:
    """Nothing is taken up in the place of one that a person took out."""
    assert found([OAK], {"oak": entrant("oak", "oak", 1, "a1")}, out={"oak"}) == []


@pytest.mark.parametrize("out", ["oak", "oak@2"])
def test_nothing_newer_comes_while_the_line_or_who_plays_for_it_is_out(out: str) -> None:
    """A newer version plays for the line; either of the two may be the one that is out."""
    both = {"oak": entrant("oak", "oak", 1, "a1"), "oak@2": entrant("oak@2", "oak", 2, "a2")}
    newest = {"oak": "oak@2"}
    assert found([OAK], both, newest=newest) == [("oak", "oak@3", "oak@3")]
    assert found([OAK], both, newest=newest, out={out}) == []


def test_a_newer_version_with_the_content_of_another_bot() -> None:
    """It is named and taken up as any other is, until an entrant plays it as this bot."""
    elm = BotEntry("elm", ref="elm")
    playing = {"oak": entrant("oak", "oak", 1, "a1"), "elm": entrant("elm", "elm", 1, "a3")}
    pins = {
        name: Entry(at, 1, name, name, 1, one.bot.hash, (), at, "", False, "")
        for at, (name, one) in enumerate(playing.items())
    }
    assert found([OAK, elm], playing) == [("oak", "oak@3", "oak@3")]
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


def test_a_line_that_says_which_version_means_it() -> None:
    """A version, a file and a bundled bot are what they are for good."""
    pinned, file = BotEntry("oak@1", ref="oak@1"), BotEntry("elm", run="/elm.py")
    bundled = BotEntry("random", ref="random")
    playing = {
        "oak@1": entrant("oak@1", "oak", 1, "a1"),
        "elm": entrant("elm", "elm", 0, "e"),
        "random": entrant("random", "random", 1, "r"),
    }
    assert found([pinned, file, bundled], playing) == []


def newer(name: str, bot: str, line: str) -> Entry:
    """Return an entrant that is version 2 of a line."""
    return Entry(1, 1, name, bot, 2, "a2", (), 0, "", False, line)


def playing_one(version: int = 1, bot: str = "oak") -> dict[str, Entry]:
    """Return who plays for the line oak."""
    return {"oak": Entry(1, 1, "oak", bot, version, "a", (), 0, "", False, "")}


@pytest.mark.parametrize(
    ("asked", "plays", "expected"),
    [
        ("oak", 1, "oak@3"),
        ("oak@2", 1, "oak@2"),
        ("oak@1", 2, "oak@1"),
        ("oak", 3, ""),
        ("oak@3", 3, ""),
        ("oak@1", 1, ""),
    ],
)
def test_which_version_an_upgrade_means(asked: str, plays: int, expected: str) -> None:
    """The newest, or the one that is named; nothing if that plays already."""
    found_ = upgrade_lines([asked], [OAK], playing_one(plays), THREE)
    assert [(line, entry.name) for line, entry in found_] == ([("oak", expected)] * bool(expected))


@pytest.mark.parametrize(
    ("asked", "version", "word"),
    [("elm", 1, "elm"), ("oak@9", 1, "version 9"), ("oak@2", 0, "none was submitted")],
)
def test_an_upgrade_of_nothing_is_refused(asked: str, version: int, word: str) -> None:
    """No such entrant, no such version, or a bot that was a file."""
    with pytest.raises(UsageError, match=word):
        upgrade_lines([asked], [OAK], playing_one(version), THREE)


def test_what_was_taken_up_before_has_the_line_it_came_from() -> None:
    """Arguments and the like are those of the file; an entrant whose line is gone has none."""
    named = BotEntry("tree", ref="oak", args=("--sims", "9"))
    versions = [newer("tree@2", "oak", "tree"), newer("ash@2", "ash", "ash")]
    assert taken_up([named], versions) == (BotEntry("tree@2", ref="oak@2", args=("--sims", "9")),)


def test_a_line_cannot_have_the_name_of_what_was_taken_up() -> None:
    """Two entrants of one name would be one; the message names the line it is a version of."""
    with pytest.raises(BotError, match=r'"tree@2".*newer version of "tree"'):
        taken_up(
            [BotEntry("tree", ref="oak"), BotEntry("tree@2", ref="elm")],
            [newer("tree@2", "oak", "tree")],
        )
