"""What was said in a match, for a person: a heading a decision, and the lines under it."""

from __future__ import annotations

from collections.abc import Iterator

from arena.record.passages import ANSWER, INFO, SENT, Passage
from arena.values.model import Record
from arena.values.said import SaidWhere
from arena.values.untrusted import show, show_lines

WORDS = (SaidWhere.STDERR, SaidWhere.LOG, SaidWhere.REFEREE)  # which may hold tabs
PONDERED = (
    "it computed while others decided, and so was stopped from then on while it was not asked"
)
MARKS = {
    SENT: "> ",
    ANSWER: "< ",
    SaidWhere.STDOUT: "< ",
    SaidWhere.AFTER: "< ",
    SaidWhere.STDERR: "stderr: ",
    SaidWhere.LOG: "log: ",
    INFO: "info: ",
    SaidWhere.REFEREE: "referee: ",
}


def log_text(
    record: Record, passages: tuple[Passage, ...], *, times: bool = False
) -> Iterator[str]:
    """Yield lines that are safe on a terminal.

    Args:
        record: of the match.
        passages: what was said, or all that went through the bots' pipes.
        times: say all that is known of how long a decision took.
    """
    for seat, player in enumerate(record.players):
        if player.pondered:
            yield f"seat {seat} {show(player.bot)}: {PONDERED}"
    for passage in passages:
        yield _heading(record, passage, times=times)
        if not passage.exact:
            yield "  (the record does not say exactly what was sent here)"
        for source, data in passage.lines:
            if source is SaidWhere.REFEREE and not data:
                continue  # it only ends a line of the bot's
            text = show_lines(data) if source in WORDS else show(data, None)
            yield f"  {MARKS.get(source, '')}{text}"


def log_rows(record: Record, passages: tuple[Passage, ...]) -> Iterator[dict[str, object]]:
    """Yield a row a line, for JSON; what is no UTF-8 is escaped, and nothing else.

    ``decision`` is ``None`` for what is sent when a bot's match is over. Lines of stdout, whether
    answers or not, all have the source ``stdout``. Not ``exact`` is a line sent that does not
    follow from the record.
    """
    for passage in passages:
        index = passage.answer
        decision = None if index is None else record.decisions[index]
        for source, data in passage.lines:
            yield {
                "seat": passage.seat,
                "bot": record.players[passage.seat].bot,
                "decision": passage.decision,
                "source": "stdout" if MARKS.get(source) == "< " else str(source),
                "exact": source != SENT or passage.exact,
                "text": data.decode("utf-8", "backslashreplace"),
                "action": None if index is None else record.actions[index][1],
                "ms": None if decision is None else decision.ms,
                "cpu_ms": None if decision is None else decision.cpu_ms,
                "charged_ms": None if decision is None else decision.charged_ms,
            }


def _heading(record: Record, passage: Passage, *, times: bool) -> str:
    name = show(record.players[passage.seat].bot)
    who = f"seat {passage.seat} {name}: "
    if passage.decision is None:
        return who + "the end"
    if passage.decision == 0:
        return who + "before decision 1"
    return f"{who}decision {passage.decision} ({_outcome(record, passage, times=times)})"


def _outcome(record: Record, passage: Passage, *, times: bool) -> str:
    if passage.answer is None:
        return "not counted, as the match was over"
    action, decision = record.actions[passage.answer][1], record.decisions[passage.answer]
    if action is None:
        action = f"dropped: {record.dropped_by(passage.seat)}"
    words = [show(action), "played as the rules say" * decision.forced, f"{decision.ms:.1f} ms"]
    words += [f"{decision.tries} taken back"] if decision.tries else []
    if times:
        if decision.cpu_ms is not None:
            words.append(f"CPU {decision.cpu_ms:.1f} ms")
        words.append(f"charged {decision.charged_ms:.1f} ms")
        words.append("late" * decision.late)
    return ", ".join(filter(None, words))
