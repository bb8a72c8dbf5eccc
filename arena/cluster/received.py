"""The row of a match that a host has played: made from the record that the host sent.

A host is trusted as code. What is checked here is what a fault of a host would spoil for other
matches, and is cheap: that the record can be read, and is of the match that was asked for. Whether
the record keeps to the rules, ``arena verify`` says.
"""

from __future__ import annotations

from arena.packed.match import pack
from arena.packed.record_text import unpack_text
from arena.packed.said import unpack_words
from arena.record.job_check import job_differences
from arena.record.record import parse_record
from arena.values.errors import RecordError
from arena.values.model import MatchJob, MatchResult
from arena.values.tables import MatchRow
from arena.values.untrusted import show
from engines import load_game


def row_of(sent: MatchRow, job: MatchJob) -> MatchRow:
    """Return a match as it is to be stored.

    Args:
        sent: what the host would store; only its record and what bots said is used.
        job: what was to be played.

    Raises:
        RecordError: it cannot be read, or is of another match.
    """
    number, common = job.dictionary
    try:
        record = parse_record(unpack_text(sent.dictionary, sent.data, common))
        said, wrote = [unpack_words(words, len(job.seats)) for words in (sent.said, sent.wrote)]
    except (ValueError, RecordError) as error:
        raise RecordError(f"its record cannot be read: {show(str(error), 200)}") from None
    if wrong := "; ".join(job_differences(record, job, load_game(job.game).rules_version)):
        raise RecordError(wrong)
    return pack(MatchResult(job.number, record, said, wrote), (number, common))
