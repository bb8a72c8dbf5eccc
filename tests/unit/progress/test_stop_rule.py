"""A comparison counted from what is stored, by who runs it and by who looks at it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support import finished

from arena.progress import stop_rule
from arena.progress.stop_rule import Question, question_of
from arena.stats.sprt import Sprt
from arena.stats.weights import moves_hash
from arena.store import open_store
from arena.values.tables import MatchRow


def won(number: int) -> MatchRow:
    """Return a match that ``a`` wins, from either seat."""
    seats, ranks = (("a", "b"), (1, 2)) if number % 2 == 0 else (("b", "a"), (2, 1))
    block = f"leaves|a+b|{number // 2}"
    play = moves_hash(str(number), "")
    return MatchRow((7, number), seats, ranks, block=block, moves_hash=play)


WINS = [won(number) for number in range(400)]


@pytest.mark.parametrize("decides", [True, False])
def test_only_runner_stores_the_stop(decides: bool) -> None:
    """A test that is decided after 200 won blocks is stored by its runner, not by a reader."""
    stops: list[tuple[int, int]] = []
    matches = SimpleNamespace(read=lambda _, first, end, ids: iter(WINS[first:end]))
    store: Any = SimpleNamespace(
        matches=matches,
        tournaments=SimpleNamespace(stop=lambda edition, stop: stops.append((edition, stop))),
    )
    edition: Any = SimpleNamespace(id=7, stop=None, label="t")
    question = Question("leaves", "a", ("b",), Sprt())
    test = stop_rule.TestProgress(store, edition, question, decides=decides)
    assert test.count(len(WINS))
    assert test.answer().verdict == "stronger"
    assert [edition for edition, _ in stops] == ([7] if decides else [])


def test_copies_of_bot_add_no_block(tmp_path: Path) -> None:
    """A game repeated with two copies of one bot in swapped seats adds no new block."""
    ann, bob = finished.entrants(["ann", "bob"])
    with open_store(tmp_path, create=True) as store:
        config = {"format": "compare", "games": {"the_tree(players=3)": 1}}
        people = [ann, bob, replace(bob, name="bob#2")]
        edition = store.tournaments.create("c", "f", json.dumps(config), people)
        for number, seats in enumerate(
            (
                ["ann", "bob", "bob#2"], ["bob", "bob#2", "ann"], ["bob#2", "ann", "bob"],
                ["ann", "bob#2", "bob"], ["bob#2", "bob", "ann"], ["bob", "ann", "bob#2"],
            )
        ):  # fmt: skip
            ms = [[1.0], [2.0], [3.0]]
            store.matches.add(edition.id, finished.match(number, seats, [1, 2, 3], ms=ms))
        question = question_of(store, edition)
        assert question is not None
        assert question.others == ("bob", "bob#2")
        test = stop_rule.TestProgress(store, edition, question, decides=False)
        test.count(6)
        answer = test.answer()
        assert (answer.matches, answer.repeats, answer.blocks) == (6, 3, 1)
        # who is compared is no copy of the others, though its program is the same
        entries = [replace(bob, name="bob#3"), bob, replace(bob, name="bob#2")]
        edition = store.tournaments.create("c", "f", json.dumps(config), entries)
        question = question_of(store, edition)
        assert question is not None
        assert question.copies == {"bob#2": "bob"}
