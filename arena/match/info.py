"""What a record keeps of the numbers that a bot said of its own decision."""

from __future__ import annotations

import json
import math

_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode


def info_text(info: tuple[tuple[str, float | str], ...]) -> str:
    """Return what a record has of a bot's ``info`` with one decision.

    >>> info_text((("score", 0.1),))
    ',"info":{"score":0.1}'
    """
    return f',"info":{_encode(_finite(info))}' if info else ""


def _finite(info: tuple[tuple[str, float | str], ...]) -> dict[str, float | str]:
    # a number that JSON cannot say is kept as a word
    return {
        key: str(value) if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in info
    }
