"""The line of JSON that a record is, before its keys are looked at."""

from __future__ import annotations

import json

from arena.values.errors import RecordError

FORMAT = 1
WHOLE = 1 << 53  # up to here every whole float is that integer


def loaded(text: str) -> dict[str, object]:
    """Return the object that a text is; raises ``RecordError``."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise RecordError("record: expected a record, found too many brackets") from None
    except ValueError as error:  # not JSON, or a number of thousands of digits
        raise RecordError(f"record: expected one line of JSON: {error}") from None
    if not isinstance(value, dict):
        raise RecordError(f"record: expected an object, found {shown(value)}")
    return value


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON number")


def shown(value: object) -> str:
    """Name a value for an error: in ASCII, on one line, short."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    text = json.dumps(value) if not isinstance(value, int) or abs(value) < WHOLE else "a number"
    return text if len(text) <= 60 else text[:59] + "…"
