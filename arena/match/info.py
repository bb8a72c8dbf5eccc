"""What a record keeps of the numbers that a bot said of its own decision."""

from __future__ import annotations

import json

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


def info_text(info: tuple[tuple[str, float | str], ...]) -> str:
    """Return what a record has of a bot's ``info`` with one decision; its numbers are finite.

    >>> info_text((("score", 0.1),))
    ',"info":{"score":0.1}'
    """
    return f',"info":{_encode(dict(info))}' if info else ""
