"""A worker hangs that is silent while somebody looks, and only then."""

from __future__ import annotations

from arena.workers.gather import LOOK_SECONDS
from arena.workers.local import SLACK_SECONDS
from arena.workers.watched import Silence


def test_silence_is_added_up() -> None:
    """With a look a second, a worker is silent for as long as its sign stays the same."""
    silence = Silence()
    for second in range(40):
        silence.look(100.0 + second, sign=99.5)
    assert silence.seconds == 39
    assert silence.seconds > SLACK_SECONDS


def test_a_sign_of_life_ends_it() -> None:
    """Any other sign than the one before begins the count again."""
    silence = Silence()
    for second in range(20):
        silence.look(100.0 + second, sign=99.5)
    silence.look(120.0, sign=119.0)
    assert silence.seconds == 0
    silence.look(121.0, sign=119.0)
    assert silence.seconds == 1


def test_only_looks_count() -> None:
    """However long nobody has looked, an hour is no more than two looks."""
    silence = Silence()
    silence.look(100.0, sign=99.5)
    silence.look(3700.0, sign=99.5)
    assert silence.seconds == 2 * LOOK_SECONDS
    silence.look(7300.0, sign=99.5)
    assert silence.seconds == 4 * LOOK_SECONDS
