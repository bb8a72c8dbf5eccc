"""A record of instant answers as few lines, to be stored in place of its deflated text; for speed.

To write a record's text and to deflate it takes as long as six decisions of instant bots. Where
every answer came within a millisecond and nothing went wrong, only the values are stored that are
the record's own, a line each; what the dictionary has already is referred to. ``text.py`` puts
them between the words of the text, which are the same in all such records. Every other record is
deflated, which takes more time and fewer bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from arena.match import record_parts as parts
from arena.model import Player, Record
from arena.packed.text import INSTANT_US, SHORT, SHORT_BYTES

__all__ = ["shorten"]

# an instant answer's times by what they are in a record, to look them up where they are written;
# not 0, which may be -0.0
_MICROSECONDS = {us / 1000: str(us) for us in range(1, INSTANT_US + 1)}
# actions that JSON writes as they are
_PLAIN = re.compile(r"(?:[0-9]+ [!#-\[\]-~]+\n)*")


def shorten(record: Record, moves: Sequence[str], dictionary: bytes) -> bytes | None:
    """Return a record as its own values; ``None`` if it is not of instant answers alone.

    Args:
        record: any.
        moves: its actions, each as ``PLAYER ACTION``.
        dictionary: the text that may be referred to.
    """
    times = _times(record)
    acts = "".join([f"{move}\n" for move in moves])
    if not times or record.faults:
        return None
    if not _PLAIN.fullmatch(acts) or acts.count("\n") != len(moves):
        return None
    r, text, plain = record, parts.quoted, parts.encoded
    terms = _found(parts.terms(r.clock, r.on_timeout, r.ponder), dictionary)
    players = "".join([_player(player, r, dictionary) for player in r.players])
    data = (
        f"{SHORT}{len(r.players)} {len(moves)}\n"
        f"{text(r.id)}\n{plain(r.tournament)}\n{text(r.block)}\n{r.seating}\n{text(r.game)}\n"
        f"{r.rules_version}\n{text(r.setup)}\n{plain(r.opening)}\n{parts.seed(r.seed)}\n{terms}\n"
        f"{players}{acts}{times}\n{parts.scores(r.scores)}\n{parts.ranks(r.ranks)}\n{text(r.by)}\n"
        f"{text(r.arena_version)}\n{parts.place(r.sandbox, r.host)}\n{text(r.started)}\n"
        f"{r.elapsed_ms}"
    ).encode("ascii")
    return data if len(data) <= SHORT_BYTES else None


def _times(record: Record) -> str | None:
    """Write wall and CPU time of each answer in µs; ``None`` unless all were instant and usual."""
    times = []
    try:
        for ms, cpu_ms, charged_ms, late, forced, info in record.decisions:
            if cpu_ms is None or late or forced or info:
                return None
            if charged_ms != (ms if ms > cpu_ms else cpu_ms):
                return None
            times.append(f"{_MICROSECONDS[ms]} {_MICROSECONDS[cpu_ms]}")
    except KeyError:
        return None
    return " ".join(times)


def _player(player: Player, record: Record, dictionary: bytes) -> str:
    own = None if player.clock == record.clock else player.clock
    who = parts.entrant(player.bot, player.version, player.hash, player.args)
    rest = parts.rest(player.want, own, player.env, player.memory_bytes, player.pondered)
    return f"{_found(who, dictionary)}\n{player.seed}\n{parts.quoted(player.sent)}\n{rest}\n"


def _found(text: str, dictionary: bytes) -> str:
    """Refer to a text in the dictionary; return it as it is if it is not there."""
    return text if len(text) > SHORT_BYTES else _place_of(text, dictionary)


@lru_cache(maxsize=1024)
def _place_of(text: str, dictionary: bytes) -> str:
    at = dictionary.find(text.encode("ascii"))
    return text if at < 0 else f"={at} {len(text)}"
