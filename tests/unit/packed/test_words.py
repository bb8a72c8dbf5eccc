"""What bots said becomes few bytes and is read back; what is no such bytes is refused."""

from __future__ import annotations

import json
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.packed.said import _USUAL, MAX_UNPACKED, pack_words, unpack_words
from arena.values.said import Piece, Pieces, SaidWhere

PIECES = st.lists(
    st.builds(Piece, st.integers(0, 300), st.sampled_from(SaidWhere), st.binary(max_size=40))
).map(tuple)


@given(st.lists(PIECES, min_size=1, max_size=4))
def test_it_is_read_back(seats: list[Pieces]) -> None:
    """Any bytes of any sources come back, seat by seat."""
    assert unpack_words(pack_words(seats), len(seats)) == tuple(seats)


def packed(text: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS, zdict=_USUAL)
    return packer.compress(text) + packer.flush()


@pytest.mark.parametrize(
    "damaged",
    [
        b"\x00",
        b"no bytes of ours",
        packed(b"no JSON\n"),
        packed(b'[[5,0,"stderr",1]]\nx'),
        packed(b'[[0,0,"nowhere",1]]\nx'),
        packed(b"[7]\n"),
        packed(b"[" * 100_000),
        packed(b"{}\nx"),
        packed(b'[[-1,0,"log",1]]\nx'),
        packed(b'[[true,0,"log",1]]\nx'),
        packed(b'[[0,"\\u001b]0;x",  "log",1]]\nx'),
        packed(b'[[0,[1],"log",1]]\nx'),
        packed(b'[[0,-1,"log",1]]\nx'),
        packed(b'[[0,1.5,"log",1]]\nx'),
        packed(b"[[0,1" + b"0" * 50 + b',"log",1]]\nx'),
        packed(b'[[0,0,["log"],1]]\nx'),
        packed(b'[[0,0,"log",2]]\nx'),
        packed(b'[[0,0,"log",1]]\nxy'),
        packed(b'[[0,0,"log",2],[0,0,"log",-1]]\nx'),
        packed(b'[[0,0,"log",null]]\nx'),
        packed(b'[[0,0,"log",131173]]\n' + b"\n" * 131_173),
        packed(b'[[0,0,"log",65536],[0,1,"log",65637]]\n' + b"\n" * 131_173),
        pack_words([(Piece(0, SaidWhere.LOG, b"x" * 100),)])[:-2],
        pack_words([(Piece(0, SaidWhere.LOG, b"x"),)]) + b"more",
    ],
)
def test_other_bytes_are_refused(damaged: bytes) -> None:
    """Whatever is wrong with them, it is one error."""
    with pytest.raises(ValueError, match="no words of bots"):
        unpack_words(damaged, 2)


def test_each_seat_has_room_for_all_that_is_kept() -> None:
    """The first and the last 64 KiB of each seat are read back, with the remark between them."""
    half = bytes(65_536)
    remark = b"\n[\xe2\x80\xa6 18446744073709551615 bytes left out \xe2\x80\xa6]\n"
    parts = (
        (SaidWhere.STDERR, half),
        (SaidWhere.REFEREE, remark),
        (SaidWhere.LOG, half),
    )
    said = tuple(Piece(number, *part) for number, part in enumerate(parts))
    assert unpack_words(pack_words([said, said]), 2) == (said, said)


def test_lengths_that_go_back_are_refused_at_once() -> None:
    """Few bytes cannot stand for many pieces that are long: nothing is copied twice."""
    length = 130_000
    index = [[0, 1, "stderr", length], [0, 1, "stderr", -length]] * 500
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="no words of bots"):
            unpack_words(packed(json.dumps(index).encode() + b"\n" + bytes(length)), 1)
        assert tracemalloc.get_traced_memory()[1] < 20 * length
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_a_bomb_is_refused() -> None:
    """Few bytes that become very many are not unpacked to the end."""
    bomb = packed(bytes(4 * MAX_UNPACKED))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="no words of bots"):
            unpack_words(bomb, 2)
        assert tracemalloc.get_traced_memory()[1] < 3 * MAX_UNPACKED
    finally:
        tracemalloc.stop()
