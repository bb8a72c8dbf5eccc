"""What bots said in a match as bytes of the store, and back."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from arena.values.said import KEPT, NOTHING_SAID, Piece, Pieces, SaidWhere

# no match has more: of each seat at most 128 KiB are kept
MAX_UNPACKED = 32 << 20
MOST = 2 * KEPT + 100  # bytes of a seat: what is kept, and the remark on what is left out
LAST_DECISION = 10**9  # no D is so large
MEMORY = 5  # 4 µs for a match of greetings, and 64 with zlib's usual memory, which it clears first
# what most matches say is short and alike: with this their bytes are a third of what they were
_USUAL = (
    b'[[0,1,"stderr",[1,1,"log",[0,2,"answer",[0,0,"stdout",33],[1,0,"stdout",[0,1,"unnumbered",0],'
    b"ready abp=1 want=legal name=random version=1\nready want=obs,legal name=greedy\n"
)


def pack_words(seats: Sequence[Pieces]) -> bytes:
    """Write pieces, seat 0 first, as few bytes; none if there is no piece.

    It is one line of JSON, `[[SEAT,DECISION,SOURCE,LENGTH],…]`, and then the bytes of all pieces in
    that order, compressed together (raw deflate with a preset dictionary).
    """
    if not any(seats):
        return b""
    pieces = [(seat, piece) for seat, said in enumerate(seats) for piece in said]
    index = [[seat, one.decision, one.source, len(one.data)] for seat, one in pieces]
    head = json.dumps(index, separators=(",", ":")).encode()
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, memLevel=MEMORY, zdict=_USUAL)
    text = b"".join([head, b"\n", *[one.data for _, one in pieces]])
    return packer.compress(text) + packer.flush()


def unpack_words(packed: bytes, seats: int) -> tuple[Pieces, ...]:
    """Read what ``pack_words`` wrote of so many seats.

    Raises:
        ValueError: it is nothing of that kind, or more than any match has.
    """
    if not packed:
        return (NOTHING_SAID,) * seats
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS, zdict=_USUAL)
    try:
        text = unpacker.decompress(packed, MAX_UNPACKED)
    except zlib.error as error:
        raise ValueError(f"no words of bots: {error}") from None
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("no words of bots: they do not end where they should")
    head, _, data = text.partition(b"\n")
    try:
        return _pieces(json.loads(head), data, seats)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"no words of bots: {error}") from None


def _pieces(index: list[tuple[int, int, str, int]], data: bytes, seats: int) -> tuple[Pieces, ...]:
    """Cut bytes into pieces; the index is untrusted, as a home may come from elsewhere."""
    found: list[list[Piece]] = [[] for _ in range(seats)]
    rooms = [MOST] * seats
    at = 0
    for seat, decision, source, size in index:
        _check(seat, seats)
        _check(decision, LAST_DECISION)
        _check(size, rooms[seat] + 1)
        rooms[seat] -= size
        found[seat].append(Piece(decision, SaidWhere(source), data[at : at + size]))
        at += size
    if at != len(data):
        raise ValueError(f"pieces of {at} bytes altogether, but {len(data)} bytes")
    return tuple(map(tuple, found))


def _check(number: object, end: int) -> None:
    if type(number) is not int or not 0 <= number < end:  # a bool is an int, too
        raise ValueError(f"expected a whole number from 0 to {end - 1}")
