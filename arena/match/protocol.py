"""The bot protocol ABP 1 as text: lines of bots → messages, values of the referee → lines.

There is no I/O here: bytes in, values out. Of the referee's lines, ``feed.py`` makes those of a
position: ``setup did event obs legal``. The wire format is docs/reference/protocol.md.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from arena.values.model import Cause, Clock
from engines.core.text import number_text

MAX_LINE = 64 * 1024  # bytes of one line, its line feed not counted
MAX_DECISION_BYTES = 1024 * 1024
MAX_DECISION_LINES = 1000
MAX_STDERR = 64 * 1024 * 1024
MAX_LEGAL = 10_000  # legal actions listed on the wire
MAX_INFO = 32  # different keys of `info` kept with one decision
MAX_INFO_BYTES = 64 * 1024  # of a seat's `info` in the record of a match, as it is written there
VERBS = ("ready", "play", "info", "log", "resign", "error", "unable")
WANTS = ("obs", "legal", "did", "event")
HELLO = b"hello abp 1\n"
QUIT = b"quit\n"

# what nearly every bot writes in answer, as it is read: a play, with or without D, and no more
PLAIN_ANSWER = re.compile(rb"play ([!-~]+)(?: ([1-9][0-9]{0,8}))?\n")
_VERB = re.compile(r"[a-z][a-z0-9_-]*")
_PAIR = re.compile(r"([a-z][a-z0-9_-]*)=([!-~]+)")
_KEY_RULE = "where keys are lower-case letters, digits, _ and -, and begin with a letter"
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,3})?")
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_DECISION = re.compile(r"[1-9][0-9]{0,8}")
# C0 controls (a tab may stand in free text), DEL; a line feed cannot occur within a line
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")

_UNPRINTABLE = re.compile(r"[^ -~]")


class Malformed(Exception):
    """A line is not ABP 1: ``str(error)`` says what was expected, ``cause`` is the code."""

    def __init__(self, detail: str, cause: Cause | None = None) -> None:
        super().__init__(detail)
        self.cause = cause


class Ready(NamedTuple):
    """``ready``: the answer to ``hello``; ``want`` in the order of ``WANTS``."""

    want: tuple[str, ...] = ("obs",)


class Play(NamedTuple):
    """``play``: the answer to ``go``; ``decision`` is D, if the bot gave it."""

    action: str
    decision: int | None = None


class Info(NamedTuple):
    """``info``: numbers and tokens to keep with the next answer."""

    values: tuple[tuple[str, float | str], ...]


class Log(NamedTuple):
    """``log``: a line for the bot's own log."""

    text: str


class Resign(NamedTuple):
    """``resign``: the bot gives up."""


class Error(NamedTuple):
    """``error``: the bot cannot go on."""

    text: str


class Unable(NamedTuple):
    """``unable``: the bot lacks something that it may have later, such as a server."""

    text: str


class Unknown(NamedTuple):
    """A well-formed verb that ABP 1 does not have, or has not at this place: to be ignored."""

    verb: str


Message = Ready | Play | Info | Log | Resign | Error | Unable | Unknown


def parse(line: bytes) -> Message | None:
    """Read one line of a bot, without its line feed; ``None`` for an empty line.

    One carriage return before the line feed is dropped, and so are spaces at the end.

    >>> parse(b"play E4-2 7")
    Play(action='E4-2', decision=7)

    Raises:
        Malformed: not UTF-8, control bytes, no verb, or a known verb with impossible words.
    """
    if line[-1:] == b"\r":
        line = line[:-1]
    if not line:
        return None
    if _CONTROL.search(line):
        raise Malformed(f"control bytes in the line: {quote(line)}", Cause.CONTROL)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed(f"the line is not UTF-8: {quote(line)}", Cause.NOT_UTF8) from None
    text = text.rstrip(" ")
    if not text:
        return None
    verb, _, rest = text.partition(" ")
    if verb == "play":
        return _play(rest, text)
    if verb.lower() in VERBS and verb not in VERBS:
        found = f"verbs are lower case: {verb.lower()}, and not {quote(verb)}: {quote(line)}"
        raise Malformed(found, Cause.UPPER_CASE)
    if not _VERB.fullmatch(verb):
        marked = text[0] == "\ufeff"
        hint = " (a UTF-8 byte order mark stands before it)" if marked else ""
        if not verb:
            hint = ", and not with a space"
        raise Malformed(
            f'expected a line that begins with a verb, such as "play ACTION"{hint}: {quote(line)}',
            Cause.BYTE_ORDER_MARK if marked else Cause.NO_VERB,
        )
    if verb == "log":
        return Log(rest)
    if verb == "error":
        return Error(rest)
    if verb == "unable":
        return Unable(rest)
    if "\t" in text:
        raise Malformed(f"control bytes in the line: {quote(line)}", Cause.CONTROL)
    if verb == "info":
        return Info(_info(rest, text))
    if verb == "ready":
        return _ready(rest, text)
    if verb == "resign":
        _pairs(rest, text, "resign")
        return Resign()
    return Unknown(verb)


def quote(raw: bytes | str, limit: int = 64) -> str:
    """Show what a bot wrote, in double quotes, printable ASCII only, cut at ``limit`` characters.

    >>> quote(b"play\\x00\\xff")
    '"play\\\\x00\\\\xff"'
    """
    cut = raw[: limit + 1]
    if isinstance(cut, str):
        text = cut
    else:
        try:
            text = cut.decode("utf-8")
        except UnicodeDecodeError:
            text = cut.decode("latin-1")
    shown = text.encode("unicode_escape").decode("ascii").replace('"', '\\"')
    return f'"{shown[:limit]}…"' if len(shown) > limit else f'"{shown}"'


@lru_cache(maxsize=16)  # a match asks twice for that of each player
def wire_id(seed: int) -> str:
    """Return the ``ID`` that a bot with this seed reads for its game: 16 hexadecimal digits.

    It is not the record's: who knows the names of all entrants could find the opponent by that one.

    >>> wire_id(7)
    '852a606e70651445'
    """
    return hashlib.sha256(f"arena/1|wire|{seed}".encode()).hexdigest()[:16]


def game_lines(game: str, seat: int, players: int, clock: Clock, seed: int) -> str:
    """Return the lines that open a game, up to ``seed``, without a last line feed.

    Args:
        game: its canonical name.
        seat: the bot's.
        players: how many there are.
        clock: the bot's.
        seed: the bot's own, which the game's id on the wire comes from.
    """
    limits = "" if clock.main_ms is None else f" main={clock.main_ms} inc={clock.inc_ms}"
    limits += "" if clock.move_ms is None else f" move={clock.move_ms}"
    limits += f" first={clock.first_ms}" if clock.first_ms else ""
    return f"game {wire_id(seed)} {game}\nseat {seat} {players}\nclock{limits}\nseed {seed}"


def go_line(decision: int, left_ms: int | None, limit_ms: int, *, part: bool) -> str:
    """Return ``go``: decide now."""
    left = "" if left_ms is None else f" left={left_ms}"
    return f"go {decision}{left} limit={limit_ms}{' legal=part' if part else ''}"


def end_line(seed: int, rank: int, players: int, scores: Iterable[float] | None, by: str) -> str:
    """Return ``end``: the game is over for the player whose bot has this seed."""
    score = "" if scores is None else " score=" + ",".join(map(number_text, scores))
    return f"end {wire_id(seed)} rank={rank}/{players}{score} by={by}"


def bad_line(code: str, detail: str) -> str:
    """Return ``bad``: what the bot did wrong and what was expected; printable ASCII, one line."""
    text = _UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode(), detail)
    return f"bad {code} {text}"


def _play(rest: str, line: str) -> Play:
    words = rest.split(" ")
    action = words[0]
    if not action or "\t" in line:
        raise _malformed_play(line)
    decision: int | None = None
    for word in words[1:]:
        if decision is None and _DECISION.fullmatch(word):
            decision = int(word)
        elif not _PAIR.fullmatch(word):
            raise _malformed_play(line)
    return Play(action, decision)


def _malformed_play(line: str) -> Malformed:
    expected = 'expected "play ACTION" or "play ACTION D"' + _spaces(line)
    return Malformed(f"{expected}: {quote(line)}", Cause.PLAY)


def _spaces(text: str) -> str:
    """Return what to say of white space that is more than one space between two words."""
    if "\t" in text:
        return ", with a space between words and not a tab"
    return ", with one space between words and not two" if "  " in text else ""


def _pairs(rest: str, line: str, verb: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    before = ""
    for word in rest.split(" ") if rest else ():
        match = _PAIR.fullmatch(word)
        if match is None:
            hint = ", with no space after a comma" if before[-1:] == "," else _spaces(line)
            detail = (
                f'expected "{verb}" with words like "key=value", {_KEY_RULE}{hint}; '
                f"not {quote(word)}"
            )
            raise Malformed(detail, Cause.INFO if verb in ("info", "ready") else None)
        before = word
        found[match[1]] = match[2]
    return found


def _info(rest: str, line: str) -> tuple[tuple[str, float | str], ...]:
    values: list[tuple[str, float | str]] = []
    for key, text in _pairs(rest, line, "info").items():
        if len(key) > 200 or len(text) > 200:
            detail = f"a key or value of info is longer than 200 characters: {quote(line)}"
            raise Malformed(detail, Cause.INFO)
        values.append((key, _value(text)))
    return tuple(values)


def _value(text: str) -> float | str:
    if _WHOLE.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    return text


def _ready(rest: str, line: str) -> Ready:
    pairs = _pairs(rest, line, "ready")
    abp = pairs.get("abp", "1")
    if abp != "1":
        detail = f"the bot speaks abp={abp}, expected abp=1: {quote(line)}"
        raise Malformed(detail, Cause.OTHER_PROTOCOL)
    wanted = pairs.get("want", "obs").split(",")
    return Ready(tuple(want for want in WANTS if want in wanted))
