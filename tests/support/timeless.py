"""Records without what two equal runs may differ in."""

from __future__ import annotations

import json
from pathlib import Path

from support.arena_command import output

TIMES = ("ms", "late", "pondered", "started")


def without_times(text: str) -> str:
    """Return a record's text without times, ``host`` and ``sandbox``.

    >>> without_times('{"id":"ab","started":"2026","decisions":[{"ms":12.3,"late":false}]}')
    '{"id": "ab", "decisions": [{}]}'
    """
    found = json.loads(text)
    for key in ("host", "sandbox"):
        found.pop(key, None)
    return json.dumps(_timeless(found))


def timeless(home: Path, *words: str) -> list[str]:
    """Return the texts that ``arena export WORDS`` gives of a home, each without times."""
    return [without_times(line) for line in output(home, "export", *words).splitlines()]


def _timeless(value: object) -> object:
    """Return a value without the keys of times, those of the bots' own ``info`` too."""
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = (key for key in value if key not in TIMES and not key.endswith("_ms"))
    return {key: _timeless(value[key]) for key in kept}
