"""Names of the files of a report: made from numbers, ids and plain letters alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["FILES", "INDEX", "bot_files", "match_file"]

INDEX = "index.html"
# every file that a report may have, but the one that says which it has
FILES = re.compile(r"index\.html|bots/[0-9]+(-[a-z0-9]+)*\.html|matches/[0-9a-f]{8,64}\.html")

_LONGEST = 40  # of what is taken from a name


def bot_files(names: Iterable[str]) -> dict[str, str]:
    """Return the file of each bot's page: its number, and what of its name is plain.

    >>> bot_files(["Oak", "oak", "../étc"])
    {'Oak': 'bots/1-oak.html', 'oak': 'bots/2-oak.html', '../étc': 'bots/3-tc.html'}
    """
    found = {}
    for number, name in enumerate(names, start=1):
        words = re.findall(r"[a-z0-9]+", name[:_LONGEST].lower())
        found[name] = f"bots/{'-'.join([str(number), *words])}.html"
    return found


def match_file(match: str) -> str:
    """Return the file of a match's page.

    Raises:
        ValueError: this is no id of a match.
    """
    if not re.fullmatch(r"[0-9a-f]{8,64}", match):
        raise ValueError(f"{match!a} is no id of a match")
    return f"matches/{match}.html"
