"""Swiss tournaments, knockouts and ladders, run by the real runner, whatever order matches end in.

The store is a real one, too; only the workers are not (``support.drawn_runs``). They know
beforehand how every match would end, give back what is in flight in any order, lose matches, and
are killed.
"""

from __future__ import annotations

import functools
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.drawn_runs import DrawnFates, restless, run, stored

from arena.bots.newer import FindNewer
from arena.results.bracket import read_bracket
from arena.results.standings import read_leaderboard
from arena.run import runner
from arena.schedule.batches import NoBatch
from arena.schedule.plan import Plan
from arena.store import open_store
from arena.store.rounds import StoredRound
from arena.values.errors import TournamentChanged
from arena.values.model import BotEntry, Entrant, Stop, Tournament
from arena.values.tables import Leaderboard, UnableRow

pytestmark = pytest.mark.slow

OUTAGES: list[dict[str, float]] = [{}, {"b0": 0.5}, {"b0": 1.0, "b1": 0.3}]
FORMATS = ("swiss", "knockout", "ladder", "ladder")


@st.composite
def tournaments(draw: st.DrawFn, formats: Sequence[str] = FORMATS) -> Tournament:
    format_ = draw(st.sampled_from(formats))
    more = [("the_tree(players=3)",)] * (format_ == "ladder")
    games = draw(st.sampled_from([("leaves",), ("leaves", "treeblox"), *more]))
    entrants = draw(st.integers(3 if "the_tree" in games[0] else 2, 7))
    tournament = Tournament(
        name="open",
        games=games,
        bots=tuple(BotEntry(f"b{n}", ref="random") for n in range(entrants)),
        format=format_,
        rounds=1 if format_ == "knockout" else draw(st.integers(1, 5)),
        seed=2026,
        max_faults=draw(st.integers(1, 3)),
        workers=draw(st.integers(1, 4)),
    )
    if format_ != "ladder":
        return replace(tournament, blocks=draw(st.integers(1, 2)))
    stop = draw(st.sampled_from([Stop(), Stop(), Stop(matches=30), Stop(sigma=4.0)]))
    return replace(tournament, batch=draw(st.sampled_from([None, 1, 3])), stop=stop)


def end(home: Path) -> tuple[list[StoredRound], Leaderboard, int | None]:
    with open_store(home, create=False) as store:
        stop = store.tournaments.find("open").stop
    board = read_leaderboard(home)
    rows = [row._replace(unable=UnableRow()) for row in board.rows]  # which is how, and not what
    return stored(home), board._replace(rows=tuple(rows)), stop


def blocks_of(home: Path, out: set[str]) -> Counter[str]:
    """Return how many blocks were planned for everybody, without those of anybody who is out."""
    counts: Counter[str] = Counter()
    for each in stored(home):
        for meeting in Plan.from_text(each.plan).meetings:
            if out.isdisjoint(meeting.entrants):
                counts.update(dict.fromkeys(meeting.entrants, meeting.times))
    return counts


def flawed(how_often: float) -> dict[str, float]:
    """Have two bots fail to start so often."""
    return {"b0": how_often, "b1": how_often}


@given(tournaments(), st.data())
@settings(max_examples=10, deadline=None)
def test_workers_order_and_kills_change_nothing(
    tournament: Tournament, data: st.DataObject
) -> None:
    """Killed in any round and gone on with, with any number of workers: same rounds, same table.

    Some entrants fail to start, until they are suspended, or are unable to play for a while.
    """
    seed = data.draw(st.integers(0, 2**32))
    flaws = flawed(data.draw(st.sampled_from([0.0, 0.4, 1.0])))
    kills = data.draw(st.lists(st.integers(0, 15), max_size=4))
    even = tournament.format != "ladder"
    unable = data.draw(st.sampled_from(OUTAGES))
    fates = functools.partial(DrawnFates, seed=seed, flaws=flaws, even=even)
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        undisturbed = replace(tournament, workers=1)
        run(undisturbed, Path(one), fates(Random(0)), [])
        summary = run(tournament, Path(other), fates(Random(seed), unable=unable), kills)
        assert end(Path(other)) == end(Path(one))
        # once more: nothing is left to be played, and nothing changes
        again = run(tournament, Path(other), fates(Random(1)), [])
        assert (again.played, again.rests) == (0, summary.rests)
        assert end(Path(other)) == end(Path(one))


@given(tournaments(), st.data())
@settings(max_examples=10, deadline=None)
def test_what_was_planned_survives_everything(tournament: Tournament, data: st.DataObject) -> None:
    """Void matches, kills, and people who take bots out and put them back: rounds stay planned.

    ``run`` holds every round against what it was; in the end no match came twice. Nobody was in a
    round twice; everybody who is in a ladder has the blocks that were asked for, or the stop was
    reached.
    """
    rng = Random(data.draw(st.integers(0, 2**32)))
    names = [bot.name for bot in tournament.bots]
    out: set[str] = set()
    people = restless(names, out, rng)
    flaws, lossy = flawed(rng.choice([0.0, 0.3])), rng.choice([0.0, 0.1, 0.4])
    even = tournament.format != "ladder"
    fates = DrawnFates(rng, seed=rng.randrange(2**32), flaws=flaws, lossy=lossy, even=even)
    kills = data.draw(st.lists(st.integers(0, 15), max_size=4))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        summary = run(tournament, home, fates, kills, people)
        tournament = replace(tournament, without=tuple(sorted(out)))
        for _ in range(4):  # what is undecided is decided when it is tried again
            summary = run(tournament, home, fates, [])
        assert summary.undecided == []
        with open_store(home, create=False) as store:
            rows = list(store.matches.read(None))
            stop = store.tournaments.find("open").stop
        assert len({(row.block, row.seating) for row in rows}) == len(rows)
        if tournament.format == "knockout":
            assert read_bracket(home).rounds[-1][0].winner in names
        if tournament.format != "ladder":
            for each in stored(home):
                plan = Plan.from_text(each.plan)
                seen = [name for meeting in plan.meetings for name in meeting.entrants]
                assert len(set(seen)) == len(seen)
        elif stop is None and summary.rests is not NoBatch.ALONE:
            assert summary.rests is NoBatch.ROUNDS
            away = out | set(summary.suspended)
            blocks = blocks_of(home, away)
            needed = tournament.rounds if tournament.stop == Stop() else 1
            assert all(blocks[name] >= needed for name in set(names) - away)


@given(tournaments(["ladder"]), st.data())
@settings(max_examples=8, deadline=None)
def test_a_newer_version_comes_with_one_batch(tournament: Tournament, data: st.DataObject) -> None:
    """One that is there once a batch is over enters with the next one, whoever kills the run.

    It has the blocks that everybody has, and the version before it has no more.
    """
    kills = data.draw(st.lists(st.integers(0, 15), max_size=4))
    tournament = replace(tournament, stop=Stop())

    def find(self: FindNewer, newest: Mapping[str, str]) -> list[tuple[str, Entrant]]:
        # each home is that of the run that is going on
        if newest["b0"] != "b0" or not stored(homes[-1]):
            return []
        return [("b0", replace(self.entrants["b0"], name="b0@2"))]

    homes: list[Path] = []
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as other,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(FindNewer, "__call__", find)
        homes.append(Path(one))
        run(replace(tournament, workers=1), homes[-1], DrawnFates(Random(0)), [])
        homes.append(Path(other))
        summary = run(tournament, homes[-1], DrawnFates(Random(1)), kills)
        assert end(Path(other)) == end(Path(one))
        assert summary.rests is NoBatch.ROUNDS
        assert blocks_of(Path(one), set())["b0@2"] >= tournament.rounds
        board = read_leaderboard(Path(one))
        assert {row.bot: row.replaced_by for row in board.rows if row.replaced_by} == {"b0": "b0@2"}
        first, *later = [Plan.from_text(each.plan) for each in stored(Path(one))]
        assert all("b0" not in meeting.entrants for plan in later for meeting in plan.meetings)
        assert all("b0@2" not in meeting.entrants for meeting in first.meetings)


def ladder(**keys: object) -> Tournament:
    bots = tuple(BotEntry(f"b{n}", ref="random") for n in range(4))
    made = Tournament("open", ("leaves",), bots, format="ladder", seed=1, workers=2)
    return replace(made, **keys)  # type: ignore[arg-type]


def test_a_stop_that_was_reached_never_moves(tmp_path: Path) -> None:
    """A bot that leaves afterwards makes no room for more, unless that is asked for."""
    fates = DrawnFates(Random(1))
    of = ladder(rounds=1000, stop=Stop(sigma=4.0))
    summary = run(of, tmp_path, fates, [])
    assert summary.rests is None
    before = stored(tmp_path)
    board = read_leaderboard(tmp_path)
    assert max(row.sigma for row in board.rows) <= 4.0
    with open_store(tmp_path, create=False) as store:
        edition = store.tournaments.find("open")
        assert edition.stop == len(list(store.matches.read(edition.id)))
        assert edition.ended is not None
    out = runner.run_tournament(replace(of, without=("b3",)), tmp_path)
    assert (out.played, stored(tmp_path)) == (0, before)
    further = replace(of, stop=Stop(sigma=3.0))
    with pytest.raises(TournamentChanged):
        run(further, tmp_path, fates, [])
    assert run(further, tmp_path, fates, [], extend=True).played > 0
    assert max(row.sigma for row in read_leaderboard(tmp_path).rows) <= 3.0


def test_bots_that_play_alike_every_time_are_not_asked_for_ever(tmp_path: Path) -> None:
    """After 200 blocks in a row that bring nothing new the ladder rests."""
    of = ladder(rounds=100_000, stop=Stop(sigma=0.5))
    summary = run(of, tmp_path, DrawnFates(Random(1), alike=1.0), [])
    assert summary.rests is NoBatch.REPEATS
    assert 400 <= summary.played <= 500
    assert run(of, tmp_path, DrawnFates(Random(1), alike=1.0), []).played == 0


def test_a_ladder_that_rests_keeps_its_secret(tmp_path: Path) -> None:
    """It may go on, so the seed is shown only once a stop was reached."""
    of = ladder(rounds=2, seed=None)
    summary = run(of, tmp_path, DrawnFates(Random(1)), [])
    assert (summary.rests, summary.seed) == (NoBatch.ROUNDS, None)
    over = run(replace(of, stop=Stop(matches=1)), tmp_path, DrawnFates(Random(1)), [], extend=True)
    assert (over.rests, over.played) == (None, 0)
    assert over.seed is not None


def test_a_stop_by_matches_is_exact(tmp_path: Path) -> None:
    """The ladder ends after so many matches, rounded up to whole blocks."""
    of = ladder(rounds=1000, stop=Stop(matches=21))
    assert run(of, tmp_path, DrawnFates(Random(1)), []).played == 22
    assert run(of, tmp_path, DrawnFates(Random(1)), []).played == 0
