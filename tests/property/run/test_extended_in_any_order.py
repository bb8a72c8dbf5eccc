"""A tournament that grows while it is played, killed at any moment.

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
from support.drawn_runs import DrawnFates, Killed, workers_of

from arena.results.standings import read_leaderboard
from arena.run import runner
from arena.store import open_store
from arena.values.model import BotEntry, Stop, Tournament

BOTS = tuple(BotEntry(name=f"b{n}", ref="random") for n in range(6))
FORMATS = ("round-robin", "gauntlet")
GAMES = ("leaves", "leaves(tree=u)", "the_tree(players=3)", "treeblox")


@st.composite
def grown(draw: st.DrawFn) -> list[Tournament]:
    """Draw a tournament and what it grows to, step by step: by rounds, bots, games, or its stop."""
    bots, rounds = draw(st.integers(4, 5)), draw(st.integers(1, 2))
    games = list(draw(st.permutations(GAMES)))
    number = draw(st.integers(1, 2))
    stops = draw(st.booleans())
    found: list[Tournament] = []
    for step in range(draw(st.integers(2, 3))):
        tournament = Tournament(
            "open",
            tuple(games[:number]),
            BOTS[:bots],
            format=draw(st.just(found[0].format) if found else st.sampled_from(FORMATS)),
            challengers=2,
            rounds=rounds,
            seed=7,
            sandbox="none",
            workers=3,
            stop=Stop(matches=5 + 10 * step if stops else None),
        )
        found.append(
            tournament if tournament.format == "gauntlet" else replace(tournament, challengers=1)
        )
        rounds += draw(st.integers(0, 1))
        if not stops:  # bots and games come between matches
            bots = min(len(BOTS), bots + draw(st.integers(0, 1)))
            number = min(len(GAMES), number + draw(st.integers(0, 1)))
    return found


def run(tournament: Tournament, home: Path, fates: DrawnFates, kill: int) -> None:
    fates.kill_after = kill
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(Killed):
        patch.setattr(runner, "Workers", workers_of(fates))
        runner.run_tournament(tournament, home, extend=True)


def shown(home: Path) -> tuple[object, ...]:
    """Return all that depends on the numbers of matches: rows, what was given up, the table."""
    with open_store(home, create=False) as store:
        assert not store.check()
        edition = store.tournaments.find("open")
        rows = [(row.number, row.id, [*row.entrants]) for row in store.matches.read(edition.id)]
        given_up = [match[:2] for match in store.matches.undecided(edition.id)]
        return rows, given_up, read_leaderboard(home)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    steps=grown(),
    kills=st.lists(st.integers(0, 30), min_size=3, max_size=3),
    gone=st.sampled_from([0.0, 0.2]),
)
def test_a_tournament_that_grew_is_the_one_that_was_large_from_the_start(
    seed: int, steps: list[Tournament], kills: list[int], gone: float
) -> None:
    """Every match has the number, and the table the rows, of the larger tournament."""
    with tempfile.TemporaryDirectory() as folder:
        whole, parts = Path(folder, "whole"), Path(folder, "parts")
        run(steps[-1], whole, DrawnFates(Random(seed), seed=seed, gone=gone), 10**9)
        fates = DrawnFates(Random(seed + 1), seed=seed, gone=gone)
        for tournament, kill in zip(steps, kills, strict=False):
            run(tournament, parts, fates, kill)
        run(steps[-1], parts, fates, 10**9)
        assert shown(parts) == shown(whole)
