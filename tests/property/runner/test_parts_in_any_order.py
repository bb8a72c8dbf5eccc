"""A tournament played in parts, one after the other, in any order, killed at any moment.

The runner and its store are real; only the matches are drawn beforehand.
"""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.drawn_runs import DrawnFates
from support.fake_workers import Killed, workers_of

from arena.results.home import list_tournaments
from arena.results.standings import read_leaderboard
from arena.run import runner
from arena.store import open_store
from arena.values.model import BotEntry, Tournament

BOTS = tuple(BotEntry(name=f"b{n}", ref="random") for n in range(4))


def run(
    tournament: Tournament, home: Path, fates: DrawnFates, part: str | None, kills: list[int]
) -> runner.Summary:
    """Run one part to its end, killed before after so many results each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "Workers", workers_of(fates))
        for kill in kills:
            fates.kill_after = kill
            with contextlib.suppress(Killed):
                runner.run_tournament(tournament, home, part=part)
        fates.kill_after = 10**9
        return runner.run_tournament(tournament, home, part=part)


def shown(home: Path) -> tuple[object, list[str]]:
    """Return what everybody sees in the end: the table, and the matches that count."""
    with open_store(home, create=False) as store:
        edition = store.tournaments.latest("open")
        assert edition is not None
        assert edition.ended is not None
        return read_leaderboard(home), list(store.matches.texts(edition.id))


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    of=st.integers(1, 4),
    rounds=st.integers(1, 3),
    flaw=st.sampled_from([0.0, 0.5, 1.0]),
    kills=st.lists(st.integers(0, 8), max_size=2),
    data=st.data(),
)
def test_parts_together_are_the_whole(
    seed: int, of: int, rounds: int, flaw: float, kills: list[int], data: st.DataObject
) -> None:
    """Once all parts are played, table, suspensions and counted matches are those of the whole."""
    tournament = Tournament("open", ("leaves",), BOTS, rounds=rounds, seed=7, sandbox="none")
    order = data.draw(st.permutations(range(1, of + 1)))
    with tempfile.TemporaryDirectory() as folder:
        whole, parts = Path(folder, "whole"), Path(folder, "parts")
        run(tournament, whole, DrawnFates(Random(seed), seed=seed, flaw=flaw), None, [])
        fates = DrawnFates(Random(seed + 1), seed=seed, flaw=flaw)
        for number in order:
            summary = run(
                replace(tournament, workers=of), parts, fates, f"{number}/{of}", list(kills)
            )
            (row,) = list_tournaments(parts)
            if summary.unfinished is not None:
                # it is not over, and to do it again does nothing
                assert number != order[-1]
                assert (row.state, row.of) == ("unfinished", 12 * rounds)
                assert summary.unfinished[1:] == (row.matches, 12 * rounds)
                assert read_leaderboard(parts).unfinished
                assert run(tournament, parts, fates, f"{number}/{of}", []).played == 0
        assert shown(parts) == shown(whole)
