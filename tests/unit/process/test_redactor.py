"""Values of secrets taken out of what a bot writes, however it is cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.process.redactor import Redactor

KEY, LONG = "sk-0123456789", "sk-0123456789-long"
VALUES = {"KEY": KEY, "LONG": LONG, "UMLAUT": "schlüssel"}


@given(st.lists(st.sampled_from([KEY, LONG, "schlüssel", "sk-", "sk-01", "x", "\n"])), st.data())
def test_no_cut_lets_a_value_through(parts: list[str], data: st.DataObject) -> None:
    """What comes of any pieces has no value in it, and is what comes of the whole."""
    text = "".join(parts).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    redactor = Redactor(VALUES)
    shown = b"".join(
        redactor.in_stream(text[start:end])
        for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)
    )
    shown += redactor.in_stream(b"", ended=True)
    assert all(value.encode() not in shown for value in VALUES.values())
    assert shown == Redactor(VALUES).in_part(text)


def test_names_stand_for_values() -> None:
    """The longest value counts where several begin, and other text stays as it is."""
    line = Redactor(VALUES).in_line(f"a {KEY} b {LONG} c sk-012345678".encode())
    assert line == b"a [KEY] b [LONG] c sk-012345678"


def test_a_beginning_at_the_end_goes_too() -> None:
    """What a cut line ends with is a value if eight characters say so."""
    redactor = Redactor({"KEY": KEY})
    assert redactor.in_part(b"a sk-01234") == b"a [KEY]"
    assert redactor.in_part(b"a sk-0123") == b"a sk-0123"


def test_a_value_that_another_begins_with_is_waited_for() -> None:
    """A longer value is taken out whole where the shorter one came first."""
    redactor = Redactor(VALUES)
    shown = [redactor.in_stream(part) for part in (KEY.encode(), b"-lon", b"g\n")]
    assert shown == [b"", b"", b"[LONG]\n"]
    assert redactor.in_stream(KEY.encode()) + redactor.in_stream(b"", ended=True) == b"[KEY]"
