"""Who is suspended, and which matches count, whatever order matches end in.

The runner is the real one, with a real store; only the workers are not. They know beforehand how
every match would end, and give back what is in flight in any order, lose matches, and are killed.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.drawn_runs import DrawnFates, restless, run

from arena.ratings.fold import fold
from arena.record.record import parse_record
from arena.results.board import current
from arena.results.standings import read_leaderboard
from arena.schedule.round_robin import schedule
from arena.schedule.seeds import match_id
from arena.store import open_store
from arena.values.model import BotEntry, Tournament


class Expected(NamedTuple):
    """The ids of the matches that count, and their seats; who is suspended; what is undecided."""

    counted: dict[str, tuple[str, ...]]
    suspended: set[str]
    undecided: set[str]


def seats_of(tournament: Tournament) -> dict[str, tuple[str, ...]]:
    """Return the ids of the matches of a schedule, and who sits where."""
    matches = schedule(tournament, tuple(entry.name for entry in tournament.bots))
    return {match_id(tournament.name, one.block, one.seating): one.seats for one in matches}


def expected(tournament: Tournament, fates: DrawnFates, without: set[str]) -> Expected:
    """Return what must be in the end, by the rule's own words."""
    histories: dict[str, list[bool]] = {bot.name: [] for bot in tournament.bots}
    suspended: set[str] = set()
    undecided: set[str] = set()
    matches = seats_of(tournament)
    for name, seats in matches.items():
        if not (without | suspended).isdisjoint(seats):
            continue
        if fates.is_gone(name):
            undecided.add(name)
            continue
        failed = fates.failed(name, seats)
        for seat, bot in enumerate(seats):
            histories[bot].append(seat in failed)
            last = histories[bot][-tournament.max_faults :]
            if len(last) == tournament.max_faults and all(last):
                suspended.add(bot)
    counted = {
        name: seats
        for name, seats in matches.items()
        if (without | suspended).isdisjoint(seats) and not fates.is_gone(name)
    }
    return Expected(counted, suspended, undecided)


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    return Tournament(
        name="open",
        games=(draw(st.sampled_from(["leaves", "leaves", "the_tree(players=3)"])),),
        bots=tuple(BotEntry(f"b{n}", ref="random") for n in range(draw(st.integers(3, 5)))),
        rounds=draw(st.integers(1, 3)),
        seed=2026,
        max_faults=draw(st.integers(1, 3)),
        workers=draw(st.integers(1, 4)),
    )


def counted(home: Path) -> list[str]:
    with open_store(home, create=False) as store:
        return [parse_record(text).id for text in store.matches.texts()]


def out(home: Path) -> set[str]:
    return {row.bot for row in read_leaderboard(home).out}


@pytest.mark.slow
@given(tournaments(), st.data())
def test_the_end_is_the_rule(tournament: Tournament, data: st.DataObject) -> None:
    """Any order, any number of workers, lost matches and kills: the end is what the rule says."""
    seed = data.draw(st.integers(0, 2**32))
    rng = Random(seed)
    names = [bot.name for bot in tournament.bots]
    lossy = rng.choice([0.0, 0.0, 0.2])
    flaws = {name: rng.choice([0.0, 0.1, 0.5, 0.8, 1.0]) for name in names}
    fates = DrawnFates(rng, seed=seed, flaws=flaws, lossy=lossy, gone=lossy / 5)
    kills = data.draw(st.lists(st.integers(0, 12), max_size=3))
    without: set[str] = set()
    people = restless(names, without, rng) if data.draw(st.booleans()) else lambda n: ([], [])
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        run(tournament, home, fates, kills, people)
        tournament = replace(tournament, without=tuple(sorted(without)))
        for _ in range(4):  # what is undecided is decided when it is tried again, if it ever can be
            summary = run(tournament, home, fates, [])
        want, suspended, undecided = expected(tournament, fates, without)
        assert counted(home) == list(want)
        assert set(summary.suspended) == suspended
        assert out(home) == suspended | without
        assert set(summary.undecided) == undecided
        board = read_leaderboard(home)
        assert {row.bot for row in board.rows} == set(names) - out(home)
        faults = sum(len(fates.failed(name, seats)) for name, seats in want.items())
        assert sum(row.faults.get("startup", 0) for row in board.rows) == faults
        with open_store(home, create=False) as store:
            texts = list(store.matches.texts(counted=False))
            listed = list(store.matches.read(None))
        assert [row.id for row in listed if row.counted] == list(want)
        # once more: nothing is left to be played that counts, and no table changes
        fates.started.clear()
        assert run(tournament, home, fates, []).suspended == summary.suspended
        assert undecided or not fates.started
        with open_store(home, create=False) as store:
            stored = list(store.matches.texts(counted=False))
        assert set(stored) >= set(texts), "what is stored stays"
        assert stored == texts or undecided, "only a void match can hold a suspension back"
        assert read_leaderboard(home) == board
        # what was kept of tables along the way holds no match that does not count
        with open_store(home, create=False) as store:
            edition = store.tournaments.find("open").id
            at_once = fold(store.cache.results(edition))
            assert current(store.cache, edition).standings == at_once


def test_suspended_bots_are_not_started(tmp_path: Path) -> None:
    """With one worker a bot that never starts is started hardly more than ``max_faults`` times."""
    bots = tuple(BotEntry(f"b{n}", ref="random") for n in range(3))
    tournament = Tournament("open", ("leaves",), bots, rounds=50)
    fates = DrawnFates(Random(1), flaws={"b0": 1.0})
    run(tournament, tmp_path, fates, [])
    failed = {name for name, seats in seats_of(tournament).items() if "b0" in seats}
    # three faults, and what was on its way to the worker by then
    assert 3 <= len(set(fates.started) & failed) <= 5
    assert counted(tmp_path) == list(expected(tournament, fates, set()).counted)
