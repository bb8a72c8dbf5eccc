"""What a failed step says: what the bot did wrong, and what its author can do about it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from arena.check.rehearsal import Rehearsal
from arena.check.steps import StepResult, StepState
from arena.match.protocol import VERBS
from arena.values.errors import near_miss
from arena.values.model import Cause, Fault, Termination
from arena.values.untrusted import show

AT_ONCE_MS = 100  # from the end of the input until what was in a buffer has come, at the latest
FLUSH = (
    "Flush standard output after every line: the bot had answered, and the answer stayed in a "
    "buffer. Python: print(…, flush=True). C: setvbuf(stdout, NULL, _IOLBF, 0). AWK: fflush()."
)
STDERR = (
    "Write nothing but the protocol to standard output. What you print to find mistakes goes to "
    'standard error, or after the verb "log".'
)
NUMBER = (
    'Answer "go D" by "play ACTION D" with that very D: an answer with another number is taken for '
    "a late one, and dropped."
)
END_IS_NOT_QUIT = '"end" ends a game, not the bot: read on, until "quit" or the end of the input.'
FORGET = (
    'At "game", start again with all that belongs to a game: position, seat, history, tables, and '
    'the random numbers at "seed".'
)

_NOT_SENT = 'The bot got no line "legal", as it did not ask for one: "ready want=legal" does.'
_FORM = (
    "Write lines as the protocol has them: plain ASCII without a byte order mark (UTF-8 only after "
    '"log"), verbs in lower case, "play ACTION D" with one space between its words, "ready" and '
    '"info" with words like key=value, keys in lower case, no space after a comma; free text goes '
    'after "log".'
)
_BY_HAND = "Start the bot by hand, in its folder (`arena check BOT` shows how it is started)"
_MODULE = re.compile(r"""(?:No module named|Cannot find module) ['"]([^'"\n]+)""")
_NO_MODULE = (
    "The interpreter that starts the bot (see `arena check BOT`) has no module {}: put it into the "
    "bot's folder (Python: pip install --target FOLDER {}), or name in bot.yaml an environment "
    "that has the module."
)
# what interpreters say of a file that they cannot read, made safe
_UNREADABLE = {
    r"""\\r['"]?:""": "The program's lines end in \\r\\n, and its interpreter takes the \\r for a "
    "part of them: save the program with Unix line ends.",
    "Non-UTF-8 code|source code .*null bytes": "The program's file has another encoding: save it "
    "as UTF-8.",
}
_UNREADABLE_AT_START = _UNREADABLE | {
    "[Ss]yntax ?[Ee]rror|IndentationError|TabError": "The program has a syntax error where its "
    "lines on stderr say, maybe only for the version of the interpreter that is here.",
    "Could not find or load main class": "Call the file as its class, and leave out the line "
    "`package …;`.",
}
_BESIDE = re.compile(r"""(?:No such file or directory|ENOENT)[^\n]*['"][^/'"]""")
_ALONE = (
    "A bot is started in a copy of its folder; a bot of a single file is alone there: put it into "
    "a folder with the files that it reads, and name that folder."
)
# what programs say to which isolation gives no network or file
_ISOLATED = {
    "name resolution|Name or service not known|getaddrinfo|Network is unreachable|"
    "ENETUNREACH|Address family not supported|EAFNOSUPPORT": "An isolated bot has no network; by "
    "hand it has. All that it needs must be in its folder.",
    r"""Read-only file system|EROFS|Permission denied|EACCES|"""
    r"""(?:No such file or directory|ENOENT)[^\n]*['"]/""": "An isolated bot reads no files but "
    "those of its own folder, by paths that begin there, and no file that it writes stays; by hand "
    "it can read and write more.",
}

_ENDED_OR_SILENT = (Termination.STARTUP, Termination.TIME, Termination.CRASH)
_WITHIN = 'Answer within the limit that "go" names ("limit=", in milliseconds)'

# what to do about a fault that has this cause, or else this code
_FIXES: Mapping[Cause | Termination | None, str] = {
    Cause.NOT_STARTED: f"{_BY_HAND}: the system refuses to start it.",
    Cause.ENDED: "The last lines on stderr, if there are any, say why the bot ended. "
    f"{_BY_HAND}, and type: hello abp 1. It must stay and answer.",
    Cause.UNFINISHED: "End every line with a line feed (\\n), and flush; then stay for the next "
    "question.",
    **dict.fromkeys(
        (Cause.BYTE_ORDER_MARK, Cause.UPPER_CASE, Cause.PLAY, Cause.INFO, Cause.CONTROL), _FORM
    ),
    Cause.NOT_UTF8: _FORM,
    Cause.NO_VERB: STDERR,
    Cause.OUTPUT: "Write nothing but the protocol to standard output, and write less: a line has "
    "at most 64 KiB, a decision at most 1,000 lines and 1 MiB.",
    Cause.STDERR: "Write less to standard error: 64 MiB are allowed in a match.",
    Cause.ERROR: 'The bot itself wrote "error"; see where in its source, and why.',
    Cause.UNASKED: 'Answer once to each "go", and only then. With its number ("play ACTION D") '
    "an answer too many is dropped instead of costing the match.",
    Cause.UNREAD: 'Read the whole block, up to "go": it has several lines, and lines may be longer '
    "than 64 KiB.",
    Cause.CLOSED: 'Keep standard output open until "quit".',
    Cause.LEFT: 'The bot left by itself. Read on, line after line, until "quit" or the end of the '
    'input: several lines come before each "go". `arena help first-bot` shows a whole bot.',
    Cause.PROCESSES: "Start fewer processes at a time.",
    Cause.HELD: "Only read from standard input, and only write to standard output.",
    Termination.STARTUP: 'Answer "hello" as soon as it is read by a line "ready", and flush: this '
    'arena speaks ABP 1, "ready abp=1 want=…". What takes long to prepare can wait for the first '
    '"go", whose limit is longer ("first").',
    Termination.ILLEGAL: 'Answer with a word of "legal" exactly as it is there (want=legal), or '
    "with an action spelled as the game's rules page says: `arena games GAME`.",
    Termination.PROTOCOL: STDERR,
    Termination.TIME: f"{_WITHIN}, and flush. If the bot waits for a line that did not come: it "
    "gets only the lines that it asks for by want=.",
    Termination.CRASH: "The bot ended by an error of its own; its last lines on stderr say where.",
    Termination.MEMORY: "Use less memory, in all processes together.",
}


def said(fault: Fault) -> str:
    """Return a fault as a sentence."""
    when = f" at decision {fault.decision}" if fault.decision else ""
    return f"{fault.code}{when}: {fault.detail}"


def failed_at(match: Rehearsal, where: str = "", *, fix: str = "") -> StepResult:
    """Return what a fault comes to; ``fix`` is said instead of the usual remedy."""
    assert match.fault is not None
    return failed(match, where + said(match.fault), fix or remedy(match))


def failed(match: Rehearsal, detail: str, fix: str) -> StepResult:
    """Return a failed step, with what was said and written last."""
    return StepResult(StepState.FAILED, detail, fix, match.transcript.lines(), match.stderr())


def remedy(match: Rehearsal) -> str:
    """Return what to do about the fault of the bot in a match."""
    fault, late_ms, stderr = match.fault, match.late_ms, match.stderr()
    assert fault is not None
    if match.bare and fault.code in (Termination.PROTOCOL, Termination.TIME):
        return f'Write "play {match.bare} {fault.decision}", not "{match.bare}" alone.'
    if match.slip and late_ms is None and fault.code in (Termination.STARTUP, Termination.TIME):
        near = near_miss(match.slip, VERBS)
        return f'The bot wrote "{show(match.slip, 60)} …", which is no word of the protocol{near}'
    if late_ms is not None and late_ms <= AT_ONCE_MS:
        return FLUSH
    at_start = fault.code is Termination.STARTUP
    for words, found in (_UNREADABLE_AT_START if at_start else _UNREADABLE).items():
        if fault.code in _ENDED_OR_SILENT and re.search(words, stderr):
            return found
    if fault.cause in (Cause.ENDED, Cause.LEFT) or fault.code is Termination.CRASH:
        if module := _MODULE.search(stderr):
            name = show(module[1], 60)
            return _NO_MODULE.format(name, name.partition(".")[0])
        if _BESIDE.search(stderr):
            return _ALONE
        for words, found in _ISOLATED.items():
            if match.isolated and re.search(words, stderr):
                return found
    if match.player.stale and fault.code is Termination.TIME:
        return NUMBER
    found = _FIXES.get(fault.cause) or _FIXES[fault.code]
    if late_ms is not None:
        within = f"{_WITHIN}." if fault.code is Termination.TIME else found
        return f"The bot is too slow: it answered {late_ms:.0f} ms late. {within}"
    lost = fault.decision == 1 and fault.code in (Termination.CRASH, Termination.TIME)
    ready = match.player.ready
    return f"{found} {_NOT_SENT}" if lost and ready and "legal" not in ready.want else found
