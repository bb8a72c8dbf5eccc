"""What a host sent of a match, compared with what was asked and with the rules.

A host is trusted as code, so this guards against its faults and not against an attacker: a wrong
engine, a damaged message, an answer to another question. Times, and what bots said beside their
answers, nobody here can know.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.packed.match import StoredMatch, pack
from arena.packed.record_text import unpack_text
from arena.packed.said import unpack_words
from arena.record.job_check import job_differences
from arena.record.record import parse_record
from arena.record.replay import verify
from arena.values.errors import ArenaError
from arena.values.model import MatchJob, MatchResult, Record
from arena.values.said import KEPT
from arena.values.untrusted import show
from arena.values.version import __version__
from engines import load_game

__all__ = ["Sent", "recheck"]

MOST_WORDS = 4 * KEPT  # bytes that are kept of a seat, packed, whatever they are
SHOWN = 200  # characters of a value that is not as it must be
# what tables are made from, except the charged times; the rest is the record or beside it
_OF_RECORD = (
    *("id", "number", "game", "block", "seating", "by", "entrants", "ranks", "faults", "answers"),
    *("play", "started"),
)


class Sent(NamedTuple):
    """What a host sent of a match.

    Attributes:
        packed: the match, as the host would store it.
        level: the level at which that host said that it runs bots.
        host: what it is called.
    """

    packed: StoredMatch
    level: str
    host: str


def recheck(job: MatchJob, sent: Sent) -> StoredMatch | str:
    """Return the match as it is to be stored, made from its record alone; or why it does not stand.

    Args:
        job: what was to be played.
        sent: what came back.
    """
    packed = sent.packed
    if not _is_whole(packed):
        return "it is no match"
    number, common = job.dictionary
    try:
        if packed.dictionary not in (0, number):
            return f"it is packed with dictionary {packed.dictionary}, not {number}"
        text = unpack_text(packed.dictionary, packed.data, common if packed.dictionary else b"")
        record = parse_record(text)
        for words in (packed.said, packed.wrote):
            unpack_words(words, len(job.seats))
    except (ValueError, ArenaError) as error:
        return f"it cannot be read: {_shown(error)}"
    if max(len(packed.said), len(packed.wrote)) > MOST_WORDS * len(job.seats):
        return "more was said than a match keeps"
    if found := _other(record, job, sent):
        return found
    if wrong := verify(record):
        return "; ".join(wrong)
    made = pack(MatchResult(job.number, record), job.dictionary)
    for field in _OF_RECORD:
        ours, theirs = getattr(made, field), getattr(packed, field)
        if ours != theirs:
            return f"its {field} is {_shown(theirs)}, and by its record {_shown(ours)}"
    if len(packed.charged_us) != len(made.answers) or not _near(made, packed):
        return f"its charged_us is {_shown(packed.charged_us)}, by its record {made.charged_us}"
    return made._replace(charged_us=packed.charged_us, said=packed.said, wrote=packed.wrote)


def _is_whole(packed: object) -> bool:
    """Return whether the parts of a match that are looked into are of their types."""
    return (
        isinstance(packed, StoredMatch)
        and all(isinstance(part, bytes) for part in (packed.data, packed.said, packed.wrote))
        and isinstance(packed.charged_us, tuple)
        and all(isinstance(time, int) for time in packed.charged_us)
    )


def _other(record: Record, job: MatchJob, sent: Sent) -> str:
    """Say in what a record is of another match than was asked for; empty if in nothing."""
    here = {"arena_version": __version__, "sandbox": sent.level, "host": sent.host}
    for key, value in here.items():
        if (found := getattr(record, key)) != value:
            return f"its {key} is {_shown(found)}, and was to be {_shown(value)}"
    return "; ".join(job_differences(record, job, load_game(job.game).rules_version))


def _near(made: StoredMatch, packed: StoredMatch) -> bool:
    """Return whether the charged times are those of the record, where each was rounded to 1 µs."""
    pairs = zip(made.charged_us, packed.charged_us, made.answers, strict=True)
    return all(abs(ours - theirs) <= answers + 1 for ours, theirs, answers in pairs)


def _shown(value: object) -> str:
    """Return a value for a message; it may come from elsewhere."""
    return show(str(value), SHOWN)
