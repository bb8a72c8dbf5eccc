"""From what a bot did wrong to what its author can do about it."""

from __future__ import annotations

from arena.model import Fault, Termination

__all__ = ["END_IS_NOT_QUIT", "FORGET", "NUMBER", "remedy"]

FLUSH = (
    "Flush standard output after every line: it had answered, and the answer stayed in a buffer. "
    "Python: print(…, flush=True). C: setvbuf(stdout, NULL, _IOLBF, 0). AWK: fflush()."
)
STDERR = (
    "Write nothing but the protocol to standard output. What you print to find mistakes goes to "
    'standard error, or after the verb "log".'
)
NUMBER = (
    'Answer "go D" by "play ACTION D" with that very D: an answer with another number is taken for '
    "one that came too late, and dropped."
)
END_IS_NOT_QUIT = '"end" ends a game, not the bot: read on, until "quit" or the end of the input.'
FORGET = (
    'Start afresh at "game" with all that belongs to a game: position, seat, history, tables, and '
    'the random numbers at "seed".'
)

_CAUSES: dict[str, str] = {
    "upper-case": "Write verbs in lower case: ready, play, info, log, resign, error.",
}
# code, words of the detail ("" for any): what to do; the first that fits counts
_REMEDIES: tuple[tuple[Termination, str, str], ...] = (
    (
        Termination.STARTUP,
        "could not be started",
        "Start it by hand, in its folder, as the first step shows: the system refuses it.",
    ),
    (Termination.STARTUP, "byte order mark", "Write plain text, without a byte order mark."),
    (Termination.STARTUP, "begins with a verb", STDERR),
    (
        Termination.STARTUP,
        "speaks abp=",
        'This arena speaks ABP 1: answer "ready", or "ready abp=1 want=…".',
    ),
    (
        Termination.STARTUP,
        'expected "ready" before',
        'Answer "hello" by "ready" first; "play" comes when "go" has asked for it.',
    ),
    (
        Termination.STARTUP,
        "unfinished line",
        "End every line with a line feed (\\n), and flush.",
    ),
    (Termination.STARTUP, "more than", STDERR),
    (
        Termination.STARTUP,
        'no "ready" within',
        'Answer "hello" as soon as it is read, and flush; what takes long to prepare can wait for '
        'the first "go", whose limit is longer ("first").',
    ),
    (
        Termination.STARTUP,
        "before it said ready",
        "Start it by hand, in its folder, as the first step shows, and type: hello abp 1. "
        "It must stay and answer; its last words on stderr say why it did not.",
    ),
    (
        Termination.STARTUP,
        "cannot go on",
        'It said "error" itself; see where in its source, and why.',
    ),
    (
        Termination.STARTUP,
        "",
        'The first line it writes must be "ready", with words like key=value behind it.',
    ),
    (
        Termination.ILLEGAL,
        "",
        'Answer with a word of "legal" exactly as it stands there (want=legal), or with an action '
        "spelled as the game's rules page says: `arena games GAME`.",
    ),
    (
        Termination.PROTOCOL,
        "nobody asked for",
        'Answer once to each "go", and only then. With its number ("play ACTION D") an answer too '
        "many is dropped instead of costing the match.",
    ),
    (
        Termination.PROTOCOL,
        'expected "play',
        'Write "play", one space, the action, one space, the number that came with "go".',
    ),
    (
        Termination.PROTOCOL,
        'expected "info"',
        'Write "info" with words like key=value; free text goes after "log".',
    ),
    (
        Termination.PROTOCOL,
        "control bytes",
        "Write plain text: ASCII, and a line feed at the end of each line.",
    ),
    (
        Termination.PROTOCOL,
        "not UTF-8",
        'Write plain text: ASCII, or UTF-8 after "log", and a line feed at the end of each line.',
    ),
    (Termination.PROTOCOL, "", STDERR),
    (
        Termination.TIME,
        "unfinished line",
        "End every answer with a line feed (\\n), and flush.",
    ),
    (
        Termination.TIME,
        "did not read",
        'Read the whole block, up to "go": lines may be longer than 64 KiB, and there are several.',
    ),
    (
        Termination.TIME,
        "",
        'Answer within the limit that "go" names ("limit=", in milliseconds) and flush. If it '
        "waits for something that did not come: it is sent what it asks for in want=.",
    ),
    (
        Termination.CRASH,
        "mid-line",
        "End every answer with a line feed (\\n), and stay for the next question.",
    ),
    (
        Termination.CRASH,
        "closed its stdout",
        'Keep standard output open until "quit".',
    ),
    (
        Termination.CRASH,
        "cannot go on",
        'It said "error" itself; see where in its source, and why.',
    ),
    (
        Termination.CRASH,
        "status 0",
        'It left by itself. Read on after "play", until "quit" or the end of the input.',
    ),
    (
        Termination.CRASH,
        "",
        "It came to an end by an error of its own; its last words on stderr say where.",
    ),
    (
        Termination.FLOOD,
        "stderr",
        "Write less to standard error: 64 MiB are allowed in a match.",
    ),
    (
        Termination.FLOOD,
        "",
        "Write less to standard output: a line has at most 64 KiB, a decision at most 1,000 lines "
        "and 1 MiB.",
    ),
    (Termination.MEMORY, "", "Use less memory, in all processes together."),
)


def remedy(fault: Fault, *, buffered: bool = False, dropped: int = 0) -> str:
    """Return what to do about a fault.

    Args:
        fault: what the bot did wrong.
        buffered: did its answer come as soon as its input was closed?
        dropped: how many answers bore the number of another question.
    """
    if buffered:
        return FLUSH
    if fault.cause in _CAUSES:
        return _CAUSES[fault.cause]
    if dropped and fault.code is Termination.TIME:
        return NUMBER
    for code, words, text in _REMEDIES:
        if code is fault.code and words in fault.detail:
            return text
    return "docs/reference/protocol.md says what was expected."
