"""The schedule of a round-robin, small enough to be written down by hand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.schedule import formats
from arena.schedule.formats import find_format, format_names
from arena.schedule.round_robin import FORMAT
from arena.values.model import BotEntry, Match, Round, Stop, Tournament

NO_STOP = Stop()


def tournament(
    *names: str, games: tuple[str, ...] = ("auction",), rounds: int = 1, stop: Stop = NO_STOP
) -> Tournament:
    bots = tuple(BotEntry(name=name, ref=name) for name in names)
    return Tournament("t", games, bots, rounds=rounds, seed=7, stop=stop)


def schedule(of: Tournament, settled: int = 0) -> Round:
    found = FORMAT.next_round(of, tuple(bot.name for bot in of.bots), settled, ())
    assert found is not None
    return found


def matches(of: Tournament) -> list[Match]:
    found = schedule(of)
    return [found[i] for i in range(len(found))]


pytestmark = pytest.mark.usefixtures("small_games")


def test_two_bots_two_rounds() -> None:
    """Block by block, both seatings of the only pair."""
    assert matches(tournament("oak", "elm", rounds=2)) == [
        Match(0, "auction", 0, 0, ("elm", "oak")),
        Match(1, "auction", 0, 1, ("oak", "elm")),
        Match(2, "auction", 1, 0, ("elm", "oak")),
        Match(3, "auction", 1, 1, ("oak", "elm")),
    ]


def test_four_bots_play_once_each_before_anyone_plays_twice() -> None:
    """In each half-round of four bots both pairs are disjoint."""
    found = matches(tournament("a", "b", "c", "d"))
    pairs = [frozenset(m.seats) for m in found[::2]]
    assert len(set(pairs)) == len(pairs) == 6
    for i in (0, 2, 4):
        assert not pairs[i] & pairs[i + 1]


@pytest.mark.parametrize(
    ("wanted", "played"), [(1, 2), (2, 2), (3, 4), (12, 12), (13, 15), (14, 15), (16, 18), (99, 48)]
)
def test_stop_after_whole_blocks(wanted: int, played: int) -> None:
    """``stop: {matches: N}`` ends after N matches, rounded up to whole blocks.

    A cycle is twelve matches of pairs in blocks of two, then twelve of trios in blocks of three.
    """
    games = ("auction", "pebbles")
    stopped = tournament("a", "b", "c", "d", games=games, rounds=2, stop=Stop(matches=wanted))
    whole = tournament("a", "b", "c", "d", games=games, rounds=2)
    assert matches(stopped) == matches(whole)[:played]


def test_a_number_outside_is_an_index_error() -> None:
    """Neither a negative number nor the length is a match."""
    two = schedule(tournament("oak", "elm"))
    for index in (-1, 2):
        with pytest.raises(IndexError):
            two[index]


# formats are found by name


def test_round_robin_is_found_by_scanning() -> None:
    """The module in the folder answers to the word of the tournament file."""
    assert "round-robin" in format_names()
    assert find_format("round-robin").name == "round-robin"


def test_a_plugged_in_format_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed entry point brings a format that is found by its own name."""
    (tmp_path / "solo_format.py").write_text(
        "from dataclasses import replace\n"
        "from arena.schedule.round_robin import FORMAT as OURS\n"
        "FORMAT = replace(OURS, name='solo')\n"
    )
    info = tmp_path / "solo-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: solo\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.formats]\nsolo = solo_format:FORMAT\n")
    monkeypatch.syspath_prepend(tmp_path)
    formats._plugged_in.cache_clear()
    try:
        assert find_format("solo").name == "solo"
        assert set(format_names()) >= {"solo", "round-robin"}
    finally:
        monkeypatch.undo()
        sys.modules.pop("solo_format", None)
        formats._plugged_in.cache_clear()
