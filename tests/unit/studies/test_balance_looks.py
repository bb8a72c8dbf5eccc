"""How ``arena balance`` looks again and again, on simulated matches whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.stats.fairness import Fairness, MirrorRow
from arena.stats.shape_of_games import PlayedMatch
from arena.stats.weights import moves_hash
from arena.studies import balance as rooms
from arena.studies.balance import LOOKS
from arena.values.model import Tournament

Measure = Callable[..., MirrorRow]


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Measure:
    """Measure a game of which player 0 wins a share of the matches."""
    (line_up,) = rooms._line_ups(["leaves"], ["random"], tmp_path, None)

    def measure(chance: float, seed: int) -> MirrorRow:
        rng = random.Random(seed)
        results: list[tuple[int, int]] = []

        def play(_: object, common: Tournament, *rest: object) -> Any:
            while len(results) < 2 * common.rounds:
                results.append((1, 2) if rng.random() < chance else (2, 1))
            records = [
                SimpleNamespace(
                    id=str(number),
                    block=f"leaves|{number // 2}",
                    ranks=ranks,
                    faults=(),
                    elapsed_ms=3,
                )
                for number, ranks in enumerate(results)
            ]
            return rooms._LineUpRecords(records, 0, common.rounds)  # type: ignore[arg-type]

        def match(record: Any) -> PlayedMatch:
            block, play = rooms._block(record), moves_hash(record.id, "")
            return PlayedMatch(block, ("oak", "oak"), record.ranks, play, (2, 2), {})

        monkeypatch.setattr(rooms, "_play", play)
        monkeypatch.setattr(rooms, "_match", match)
        common = Tournament("", (), (), rounds=50)
        row = rooms._measure(line_up, common, tmp_path, LOOKS, False, lambda progress: None)
        assert isinstance(row, MirrorRow)
        return row

    return measure


def verdicts(measure: Measure, chance: float, runs: int) -> list[Fairness]:
    found = [measure(chance, seed).balance for seed in range(runs)]
    return [each.verdict for each in found if each is not None]


@pytest.mark.slow
def test_a_fair_game_is_called_fair(measure: Measure) -> None:
    """Most fair games are known to be fair at the last look, and hardly any is called unfair."""
    said = verdicts(measure, 0.5, 30)
    assert said.count(Fairness.FAIR) >= 24
    assert said.count(Fairness.UNFAIR) + said.count(Fairness.LITTLE) <= 3


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_looks_are_wrong_as_seldom_as_one(measure: Measure) -> None:
    """Of 1,000 fair games, looked at six times, no more than 5 % are called unfair."""
    said = verdicts(measure, 0.5, 1000)
    assert said.count(Fairness.UNFAIR) + said.count(Fairness.LITTLE) <= 50


def test_an_unfair_game_is_found_early(measure: Measure) -> None:
    """An advantage of 70 : 30 is found, and no more is played than that takes."""
    rows = [measure(0.7, seed) for seed in range(10)]
    assert all(row.balance is not None and row.balance.verdict is Fairness.UNFAIR for row in rows)
    assert max(row.rounds for row in rows) <= 200
