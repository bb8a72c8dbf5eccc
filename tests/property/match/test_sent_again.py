"""What a bot was sent follows from the record, whatever the bots of the match did."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from support.drawn_matches import play

from arena.match.record import format_record, parse_record
from arena.match.recorded import blocks_sent
from arena.values.model import Opening

MATCHES = 300


def draw_more(number: int) -> dict[str, Any]:
    """Return more of the job of a drawn match: an opening, and what becomes of slow players."""
    rng = random.Random(f"more {number}")
    return {
        "opening": Opening(plies=rng.choice((0, 0, 1, 3))),
        "on_timeout": rng.choice(("forfeit", "published")),
    }


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
def test_all_that_was_sent_follows_from_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line that each bot read is made again from the record's text, in order, to the end."""
    ends: Counter[str] = Counter()
    inexact = lefts = 0
    for number in range(MATCHES):
        result, sent = play(monkeypatch, number, straight=True, **draw_more(number))
        record = parse_record(format_record(result.record))
        ends[record.by] += 1
        for player, read in enumerate(sent):
            blocks = blocks_sent(record, player)
            made = "".join(f"{line}\n" for block in blocks for line in block.lines)
            lefts += " left=" in made
            if all(block.exact for block in blocks):
                assert made == read.decode("ascii"), (number, player)
            else:
                inexact += 1
    assert len(ends) > 5, ends
    assert lefts > MATCHES / 3, "few had a clock for the whole match"
    assert inexact < MATCHES / 10


@pytest.mark.usefixtures("small_games")
def test_each_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question names the action of its player in the record, and none is named twice."""
    for number in range(20):
        record = play(monkeypatch, number, straight=True)[0].record
        found = {
            block.answer: player
            for player in range(len(record.players))
            for block in blocks_sent(record, player)
            if block.answer is not None
        }
        for place, (player, action) in enumerate(record.actions):
            assert action is None or found.pop(place) == player
        assert all(record.actions[place] == (player, None) for place, player in found.items())
