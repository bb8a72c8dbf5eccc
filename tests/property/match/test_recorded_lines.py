"""What went through a bot's pipes follows from the record and what was kept beside it.

What a bot was sent follows from the record alone, whatever the bots of the match did.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import pytest
from support.drawn_matches import play

from arena.packed.said import pack_words, unpack_words
from arena.record.passages import SENT, seat_log, seat_wire
from arena.record.record import format_record, parse_record
from arena.record.recorded import blocks_sent
from arena.values.model import Opening
from arena.values.said import SaidWhere

MATCHES = 300
LOG = (SaidWhere.STDERR, SaidWhere.LOG, SaidWhere.REFEREE)


def draw_more(number: int) -> dict[str, Any]:
    """Return more of the job of a drawn match: an opening, and what becomes of slow players."""
    rng = random.Random(f"more {number}")
    return {
        "opening": Opening(plies=rng.choice((0, 0, 1, 3))),
        "on_timeout": rng.choice(("forfeit", "published")),
    }


def spelt_alike(data: bytes) -> bytes:
    """Return lines with all answers as `play ACTION`."""
    return re.sub(rb"(?m)^ *play +(\S+)( +\d+)? *\r?$", rb"play \1", data)


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
def test_lines_of_match_are_made_from_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each bot read and wrote is made again from what is stored, in order.

    It is so to the byte, except for answers that count, which are all spelt alike. What a bot wrote
    after the line that ended its match was read by nobody.
    """
    ends: Counter[str] = Counter()
    whole = kept_nothing = inexact = lefts = 0
    for number in range(MATCHES):
        result, bots = play(monkeypatch, number, straight=True, **draw_more(number))
        record = parse_record(format_record(result.record))
        ends[record.by] += 1
        seats = len(bots)
        said = unpack_words(pack_words(result.said), seats)
        wrote = unpack_words(pack_words(result.wrote), seats)
        for seat, bot in enumerate(bots):
            blocks = blocks_sent(record, seat)
            made = b"".join(data + b"\n" for block in blocks for _, data in block.lines)
            lefts += b" left=" in made
            if all(block.exact for block in blocks):
                assert made == bot.read_all, (number, seat)
            else:
                inexact += 1
            passages = seat_wire(record, seat, said[seat], wrote[seat], blocks)
            lines = [line for passage in passages for line in passage.lines]
            if all(passage.exact for passage in passages):
                sent = b"".join(data + b"\n" for source, data in lines if source == SENT)
                assert sent == bot.read_all, (number, seat)
            out = [data for source, data in lines if source not in (SENT, *LOG)]
            written, wrote_all = spelt_alike(b"\n".join(out)), spelt_alike(bot.wrote_all)
            assert wrote_all.startswith(written), (number, seat)
            whole += wrote_all in (written, written + b"\n")
            logs = {
                (passage.decision, line)
                for passage in seat_log(record, seat, said[seat])
                for line in passage.lines
                if line.source == SaidWhere.STDERR
            }
            assert logs == {
                (passage.decision, line)
                for passage in passages
                for line in passage.lines
                if line.source == SaidWhere.STDERR
            }
            kept_nothing += [piece.source for piece in wrote[seat]] == [SaidWhere.STDOUT]
    assert whole > MATCHES, "of most bots all is known that they wrote"
    assert kept_nothing > MATCHES / 50, "some wrote nothing but usual answers"
    assert len(ends) > 5, ends
    assert lefts > MATCHES / 3, "few had a clock for the whole match"
    assert inexact < MATCHES / 10


@pytest.mark.usefixtures("small_games")
def test_question_names_its_recorded_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question of a bot names its action in the record, each once."""
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
