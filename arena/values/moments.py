"""Times as records write them, UTC, and as a column of the store: whole ms since 1970."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


def moment_ms(text: str) -> int | None:
    """Return what a record's ``started`` means; ``None`` if it is no time with its zone.

    >>> moment_ms("1970-01-02T00:00:00.004Z")
    86400004
    """
    try:
        return (datetime.fromisoformat(text) - _EPOCH) // _MS
    except (ValueError, TypeError):  # TypeError: without a zone
        return None


def moment_text(ms: int | None) -> str:
    """Return a time as records write it; an empty text for none.

    >>> moment_text(86400004)
    '1970-01-02T00:00:00.004Z'
    """
    if ms is None:
        return ""
    return (_EPOCH + ms * _MS).isoformat(timespec="milliseconds").replace("+00:00", "Z")
