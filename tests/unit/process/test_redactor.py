"""Values of secrets taken out of what a bot writes, however it is cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.process.redactor import Redactor

KEY, LONG = "sk-0123456789", "sk-0123456789-long"
VALUES = {"KEY": KEY, "LONG": LONG, "UMLAUT": "schlüssel"}


@given(st.lists(st.sampled_from([KEY, LONG, "schlüssel", "sk-", "sk-01", "x", "\n"])), st.data())
def test_secret_cut_anywhere_is_redacted(parts: list[str], data: st.DataObject) -> None:
    """However its text is cut into pieces, no secret is shown, and the result is the same."""
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


def test_secret_is_replaced_by_its_name() -> None:
    """A secret is replaced by its name, the longest where several match; other text stays."""
    line = Redactor(VALUES).in_line(f"a {KEY} b {LONG} c sk-012345678".encode())
    assert line == b"a [KEY] b [LONG] c sk-012345678"


def test_first_8_characters_of_secret_at_end_are_redacted() -> None:
    """A text that ends with 8 or more characters of a secret shows none of them; 7 stay."""
    redactor = Redactor({"KEY": KEY})
    assert redactor.in_part(b"a sk-01234") == b"a [KEY]"
    assert redactor.in_part(b"a sk-0123") == b"a sk-0123"


def test_longer_secret_is_waited_for() -> None:
    """A secret that begins a longer one is held back until it is clear which of them it is."""
    redactor = Redactor(VALUES)
    shown = [redactor.in_stream(part) for part in (KEY.encode(), b"-lon", b"g\n")]
    assert shown == [b"", b"", b"[LONG]\n"]
    assert redactor.in_stream(KEY.encode()) + redactor.in_stream(b"", ended=True) == b"[KEY]"
