"""Chance during play: draws that come again, that nobody can foresee, and their text."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engines import BadSetup
from engines.core.chance import Stream


def test_a_draw_depends_on_the_secret_and_the_count_alone() -> None:
    """The same position gives the same draw, the next one another."""
    first, after = Stream.of(7).draw(6)
    assert Stream.read("7:0").draw(6) == (first, after)
    assert after.drawn == 1
    assert [n for n, _ in (Stream(seed).draw(1000) for seed in range(5))] != [first] * 5


def test_die_faces_are_equally_frequent() -> None:
    """Each of six faces comes equally often, within five standard deviations."""
    stream, faces = Stream.of(1), Counter[int]()
    for _ in range(6000):
        face, stream = stream.draw(6)
        faces[face] += 1
    assert sorted(faces) == [0, 1, 2, 3, 4, 5]
    assert all(abs(count - 1000) < 5 * (6000 * 5 / 36) ** 0.5 for count in faces.values())


@pytest.mark.parametrize("n", [1, 2, 7, 1 << 200])
def test_draw_is_below_its_bound(n: int) -> None:
    """A draw is at least 0 and less than its bound."""
    stream = Stream.of(3)
    for _ in range(50):
        value, stream = stream.draw(n)
        assert 0 <= value < n


@pytest.mark.parametrize("seed", [0, 1, 255, 2**64 - 1])
def test_text_round_trip(seed: int) -> None:
    """A stream is a field of a setup, and a player sees the count alone."""
    stream = Stream(seed, 12)
    assert Stream.read(stream.text()) == stream
    assert stream.text(hidden=True) == "?:12"
    assert Stream.read(f"{Stream.other(random.Random(seed))}:12").drawn == 12


@pytest.mark.parametrize(
    "text", ["", ":", "7", "7:", ":7", "?:0", "07:0", "7F:0", "7:00", "7:-1", "g:0", f"{10**17}:0"]
)
def test_other_spelling_of_stream_is_refused(text: str) -> None:
    """A stream has one spelling; every other text is refused."""
    with pytest.raises(BadSetup, match="SEED:COUNT"):
        Stream.read(text)
