"""Packages that come with an extra only: a sentence where they are not installed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from arena.values.errors import UsageError


@contextmanager
def extra_packages(extra: str, who: str, packages: Collection[str]) -> Iterator[None]:
    """Import within this what needs the extra.

    Args:
        extra: its name.
        who: what needs it, the beginning of the sentence.
        packages: what it brings, with what that needs itself.

    Raises:
        UsageError: it is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in packages:
            raise
        install = f'pip install "tree-arena[{extra}]" (in a checkout ".[{extra}]")'
        raise UsageError(f"{who} needs more packages: {install}") from None
