"""What went through a bot's pipes follows from the record and what was kept beside it."""

from __future__ import annotations

import re

import pytest
from support.drawn_matches import match

from arena.match.passages import SENT, seat_log, seat_wire
from arena.match.record import format_record, parse_record
from arena.match.recorded import blocks_sent
from arena.packed.said import pack_words, unpack_words
from arena.values.said import SaidWhere

MATCHES = 300
LOG = (SaidWhere.STDERR, SaidWhere.LOG, SaidWhere.REFEREE)


def spelt_alike(data: bytes) -> bytes:
    """Return lines with all answers as `play ACTION`."""
    return re.sub(rb"(?m)^ *play +(\S+)( +\d+)? *\r?$", rb"play \1", data)


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
def test_every_line_in_both_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each bot read and wrote is made again from what is stored, in order.

    It is so to the byte, except for answers that count, which are all spelt alike. What a bot wrote
    after the line that ended its match was read by nobody.
    """
    whole = kept_nothing = 0
    for number in range(MATCHES):
        result, bots = match(monkeypatch, number, straight=True)
        record = parse_record(format_record(result.record))
        seats = len(bots)
        said = unpack_words(pack_words(result.said), seats)
        wrote = unpack_words(pack_words(result.wrote), seats)
        for seat, bot in enumerate(bots):
            passages = seat_wire(record, seat, said[seat], wrote[seat], blocks_sent(record, seat))
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
