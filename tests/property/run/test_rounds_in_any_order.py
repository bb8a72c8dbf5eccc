"""Swiss tournaments and knockouts, run by the real runner, whatever order matches end in.

The store is a real one, too; only the workers are not. They know beforehand how every match would
end, give back what is in flight in any order, lose matches, and are killed.
"""

from __future__ import annotations

import functools
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.drawn_runs import DrawnFates, restless, run, stored

from arena.results.bracket import read_bracket
from arena.results.standings import read_leaderboard
from arena.schedule.plan import Plan
from arena.store.rounds import StoredRound
from arena.values.model import BotEntry, Tournament
from arena.values.tables import Leaderboard


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    entrants = draw(st.integers(2, 7))
    return Tournament(
        name="open",
        games=draw(st.sampled_from([("leaves",), ("leaves", "treeblox")])),
        bots=tuple(BotEntry(f"b{n}", ref="random") for n in range(entrants)),
        format=(format_ := draw(st.sampled_from(["swiss", "knockout"]))),
        rounds=draw(st.integers(1, 4)) if format_ == "swiss" else 1,
        blocks=draw(st.integers(1, 2)),
        seed=2026,
        max_faults=draw(st.integers(1, 3)),
        workers=draw(st.integers(1, 4)),
    )


def end(home: Path) -> tuple[list[StoredRound], Leaderboard]:
    return stored(home), read_leaderboard(home)


@pytest.mark.slow
@given(tournaments(), st.data())
@settings(max_examples=8, deadline=None)
def test_workers_order_and_kills_change_nothing(
    tournament: Tournament, data: st.DataObject
) -> None:
    """Killed in any round and gone on with, with any number of workers: same rounds, same table.

    Some entrants fail to start, until they are suspended.
    """
    seed = data.draw(st.integers(0, 2**32))
    flaw = data.draw(st.sampled_from([0.0, 0.4, 1.0]))
    kills = data.draw(st.lists(st.integers(0, 15), max_size=4))
    fates = functools.partial(DrawnFates, seed=seed, flaw=flaw, even=True)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        undisturbed = replace(tournament, workers=1)
        run(undisturbed, Path(one), fates(Random(0)), [])
        run(tournament, Path(other), fates(Random(seed)), kills)
        assert end(Path(other)) == end(Path(one))
        # once more: nothing is left to be played, and nothing changes
        again = run(tournament, Path(other), fates(Random(1)), [])
        assert again.played == 0
        assert end(Path(other)) == end(Path(one))


@pytest.mark.slow
@given(tournaments(), st.data())
@settings(max_examples=8, deadline=None)
def test_what_was_planned_survives_everything(tournament: Tournament, data: st.DataObject) -> None:
    """Void matches, kills, and people who take bots out and put them back: rounds stay planned.

    ``run`` holds every round against what it was; in the end nobody was in a round twice.
    """
    rng = Random(data.draw(st.integers(0, 2**32)))
    names = [bot.name for bot in tournament.bots]
    out: set[str] = set()
    people = restless(names, out, rng)
    flaw, lossy = rng.choice([0.0, 0.3]), rng.choice([0.0, 0.1, 0.4])
    fates = DrawnFates(rng, seed=rng.randrange(2**32), flaw=flaw, lossy=lossy, even=True)
    kills = data.draw(st.lists(st.integers(0, 15), max_size=4))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        summary = run(tournament, home, fates, kills, people)
        tournament = replace(tournament, without=tuple(sorted(out)))
        for _ in range(3):  # what is undecided is decided when it is tried again
            summary = run(tournament, home, fates, [])
        assert summary.undecided == []
        for each in stored(home):
            plan = Plan.from_text(each.plan)
            seen = [name for meeting in plan.meetings for name in meeting.entrants]
            assert len(set(seen)) == len(seen)
        if tournament.format == "knockout":
            assert read_bracket(home).rounds[-1][0].winner in names
