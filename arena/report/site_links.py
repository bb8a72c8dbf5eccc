"""Names of the files of a report: made from numbers, ids and plain letters alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

INDEX = "index.html"
CROSS = "crosstable.csv"
# every file that a report may have, but the one that says which it has
FILES = re.compile(
    r"index\.html|crosstable\.csv|bots/[0-9]+(-[a-z0-9]+)*\.html|matches/[0-9a-f]{8,64}\.html"
)

_LONGEST = 40  # of what is taken from a name


class MatchLinks(NamedTuple):
    """Where the page of a match of a report leads; a page alone leads nowhere.

    Attributes:
        label: what the tournament is called; empty: there is no report.
        bots: the file of each seat's bot; empty: it has none.
        previous: id of the match before it that has a page; empty: there is none.
        following: the same of the match after it.
        live: whether the live page is two folders up.
    """

    label: str = ""
    bots: tuple[str, ...] = ()
    previous: str = ""
    following: str = ""
    live: bool = False


NO_LINKS = MatchLinks()


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
