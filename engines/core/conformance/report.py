"""How conformance reports a failure: the promise, what was expected and found, and where."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import SupportsFloat

from engines.core.conformance.bad_texts import is_line, is_token
from engines.core.interface import Game, State

MAX_ACTION = 200  # characters of an action
LISTED = 3000  # where more actions are legal, the list is left alone

SHOWN = 120  # characters of what was expected and of what was found
_CORE = Path(__file__).parents[1]


class BrokenPromise(AssertionError):
    """A game does not keep a promise; ``str(error)`` is a sentence that says which.

    Attributes:
        expected: what the game should have given.
        found: what it gave instead.
    """

    def __init__(self, sentence: str, expected: str, found: str) -> None:
        super().__init__(sentence)
        self.expected = expected
        self.found = found


def claim(kept: bool, sentence: str, expected: str, found: object) -> None:
    """Raise ``BrokenPromise`` unless a promise is kept."""
    # an assert statement would be silent under python -O
    if not kept:
        raise BrokenPromise(sentence, expected, _cut(0, one_line(found)))


def line(text: str, what: str) -> None:
    """Claim that a text is one line."""
    sentence = f"{what} is one line of single-spaced ASCII, not {short(text)}"
    claim(is_line(text), sentence, "one line of single-spaced ASCII", text)


def token(text: str, what: str) -> None:
    """Claim that a text is one token."""
    claim(is_token(text), f"{what} is one ASCII token, not {short(text)}", "one ASCII token", text)


def ends(text: str, end: str, sentence: str) -> None:
    """Claim that a text ends in another one."""
    claim(text.endswith(end), sentence, f'a text that ends in "{end}"', text[-SHOWN:])


def equal(found: object, expected: object, sentence: str) -> None:
    """Claim that two values are equal; the error shows them from where they first differ."""
    if found != expected:
        raise BrokenPromise(sentence, *_differing(one_line(expected), one_line(found)))


def often(
    drawn: Sequence[object], shares: Iterable[tuple[object, SupportsFloat]], what: str
) -> None:
    """Claim that each of some things was drawn about as often as its share says."""
    for thing, share in shares:
        count, most, mean = drawn.count(thing), len(drawn), len(drawn) * float(share)
        # six standard deviations, and what rare events add to that: never by chance
        fair = abs(count - mean) <= 6 * math.sqrt(mean * (1 - float(share))) + 6
        sentence = f"{count} of {most} {what} {thing}, not {mean:.1f}"
        claim(fair, sentence, f"about {mean:.1f} of {most}", count)


def report(game: Game, error: Exception) -> Iterator[str]:
    """Yield the lines that report a failed check: the sentence, where, what was expected."""
    notes = getattr(error, "__notes__", [])
    if isinstance(error, BrokenPromise):
        yield f"{game} breaks a promise: {_printable(str(error))}"
        expected, found = error.expected, error.found
    else:
        raised = traceback.format_exception_only(error)[0].strip()
        yield f"{game} breaks a promise: it raises {type(error).__name__}"
        expected = "no error here"
        found = f"{_printable(raised)}, {_place(error)}"
    positions = [note.removeprefix("at ") for note in notes if note.startswith("at ")]
    begins = [note for note in notes if note.startswith("with seed ")]
    if positions:
        yield f"  position: {positions[0]}"
    if begins:
        yield f"  game:     {begins[0]}"
    yield f"  expected: {expected}"
    yield f"  found:    {found}"


def _place(error: Exception) -> str:
    """Name the last line of code outside of this package's core that an error passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if _CORE not in Path(frame.filename).parents] or frames
    return f"{outside[-1].filename}:{outside[-1].lineno}, in {outside[-1].name}"


def one_line(value: object) -> str:
    """Write a value on one line of printable characters."""
    return _printable(value) if isinstance(value, str) else ascii(value)


def _printable(text: str) -> str:
    """Write a text on one line: what a terminal might not print is escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _differing(one: str, two: str) -> tuple[str, str]:
    """Shorten two texts to where they first differ."""
    if max(len(one), len(two)) <= SHOWN:
        return one, two
    pairs = enumerate(zip(one, two, strict=False))
    first = next((i for i, (a, b) in pairs if a != b), min(len(one), len(two)))
    start = max(0, first - SHOWN // 3)
    return _cut(start, one), _cut(start, two)


def _cut(start: int, text: str) -> str:
    before, after = "..." * (start > 0), "..." * (len(text) > start + SHOWN)
    return before + text[start : start + SHOWN] + after


@contextmanager
def note_on_error(note: str) -> Iterator[None]:
    """Add a note to any error of a block, such as where it was raised."""
    try:
        yield
    except Exception as error:
        error.add_note(note)
        raise


def raises(kind: type[Exception], call: Callable[..., object], *args: object) -> bool:
    """Return whether the call raises exactly this kind; other errors pass through."""
    try:
        call(*args)
    except kind as error:
        claim(str(error) != "", "an error says what was wrong", "a sentence", "no text")
        return True
    return False


def listed(state: State, player: int) -> tuple[str, ...] | None:
    """Return a player's legal actions; ``None`` if there are too many to list."""
    return state.legal_actions(player) if state.count_legal(player) <= LISTED else None


def short(text: str) -> str:
    """Quote an action for a sentence."""
    return ascii(text if len(text) <= MAX_ACTION else text[:40] + "..." + text[-40:])
