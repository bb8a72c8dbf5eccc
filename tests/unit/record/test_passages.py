"""Where words of bots stand in a match that did not go as usual."""

from __future__ import annotations

from dataclasses import replace

from support import finished

from arena.record.passages import SENT, OutputLine, Passage, passages, seat_log, seat_wire
from arena.report.log_text import log_rows, log_text
from arena.values.model import Decision, Fault, Record, Termination
from arena.values.said import Piece, Pieces, SaidWhere

ONCE = Decision(12.34, 11.0, 12.5)


def headings(record: Record, *seats: list[Passage]) -> list[str]:
    ordered = passages(record, [passage for found in seats for passage in found])
    return [line for line in log_text(record, ordered) if not line.startswith("  ")]


def match(
    actions: list[tuple[int, str | None]], *decisions: Decision, faults: tuple[Fault, ...] = ()
) -> Record:
    """Return a record of oak and elm with these actions."""
    made = decisions or (ONCE,) * len(actions)
    record = finished.record(0, ["oak", "elm"], [1, 2])
    return replace(record, actions=tuple(actions), decisions=made, faults=faults)


def said(*words: tuple[int, str], source: SaidWhere = SaidWhere.STDERR) -> Pieces:
    return tuple(Piece(decision, source, f"{text}\n".encode()) for decision, text in words)


def test_remark_about_left_out_bytes_is_one_line() -> None:
    """The referee's remark about bytes left out is one line of the log, without an empty one."""
    remark = Piece(1, SaidWhere.REFEREE, b"\n[5 bytes left out]\n")
    record = match([(0, "A")])
    found = passages(record, seat_log(record, 0, (*said((1, "oh\n\nno")), remark)))
    shown = [*log_text(record, found)]
    assert shown[1:] == [
        "  stderr: oh",
        "  stderr: ",
        "  stderr: no",
        "  referee: [5 bytes left out]",
    ]


FORGED = b"x\rreferee: killed: a\n  referee: killed: b\nreferee: killed: c\n[referee] killed: d\n"


def test_bot_output_cannot_look_like_referee() -> None:
    """A line of a bot that looks like the referee's is shown behind ``stderr:`` or ``log:``."""
    own = Piece(1, SaidWhere.REFEREE, b"killed: it held too much\n")
    words = [Piece(1, source, FORGED) for source in (SaidWhere.STDERR, SaidWhere.LOG)]
    record = match([(0, "A")])
    found = passages(record, seat_log(record, 0, (*words, own)))
    [_, *lines] = log_text(record, found)
    assert [line for line in lines if line.startswith("  referee: ")] == [
        "  referee: killed: it held too much"
    ]
    assert all(line.startswith(("  stderr: ", "  log: ")) for line in lines[:-1])
    assert not any("\r" in line for line in lines)
    sources = [row["source"] for row in log_rows(record, found)]
    assert sources == ["stderr"] * 4 + ["log"] * 4 + ["referee"]


def test_wire_of_decision_is_in_order() -> None:
    """A decision's log is its question, lines before the answer, the answer, lines after it."""
    record = match([(0, "A"), (0, "B"), (0, "C")])
    wrote = (
        Piece(0, SaidWhere.STDOUT, b"ready\n"),
        Piece(1, SaidWhere.STDOUT, b"info a=1\n"),
        Piece(1, SaidWhere.AFTER, b"log well\nlog"),
    )
    texts = {0: b"hello abp 1", 1: b"go 1", 2: b"go 2", 3: b"go 3", None: b"end\nquit"}
    sent = [
        Passage(0, at, None, tuple([OutputLine(SENT, line) for line in text.splitlines()]))
        for at, text in texts.items()
    ]
    words = (*said((1, "hm")), *said((1, "well"), source=SaidWhere.LOG))
    found = passages(record, seat_wire(record, 0, words, wrote, sent))
    assert [*log_text(record, found, times=True)] == [
        "seat 0 oak: before decision 1",
        "  > hello abp 1",
        "  < ready",
        "seat 0 oak: decision 1 (A, 12.3 ms, CPU 11.0 ms, charged 12.5 ms)",
        "  > go 1",
        "  stderr: hm",
        "  < info a=1",
        "  < play A 1",
        "  < log well",
        "  < log",
        "seat 0 oak: decision 2 (B, 12.3 ms, CPU 11.0 ms, charged 12.5 ms)",
        "  > go 2",
        "  < play B 2",
        "seat 0 oak: decision 3 (C, 12.3 ms, CPU 11.0 ms, charged 12.5 ms)",
        "  > go 3",
        "  < play C 3",
        "seat 0 oak: the end",
        "  > end",
        "  > quit",
    ]
    rows = [*log_rows(record, found)]
    assert [row["source"] for row in rows[2:8]] == ["sent", "stderr", *["stdout"] * 4]
    assert rows[-1]["decision"] is None


def test_heading_says_how_decision_ended() -> None:
    """A heading says if a decision was forced, dropped, or came too late to count."""
    time = Fault(1, Termination.TIME, 2, "too slow")
    published = Decision(50.0, None, 50.0, False, True)
    record = match(
        [(0, "A"), (1, "B"), (0, "C"), (1, None)], published, ONCE, ONCE, ONCE, faults=(time,)
    )
    oak = seat_log(record, 0, said((1, "hm"), (3, "more")))
    elm = seat_log(record, 1, said((2, "oh")))
    assert headings(record, oak, elm) == [
        "seat 0 oak: decision 1 (A, played as the rules say, 50.0 ms)",
        "seat 1 elm: decision 2 (dropped: time, 12.3 ms)",
        "seat 0 oak: decision 3 (not counted, as the match was over)",
    ]
