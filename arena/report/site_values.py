"""What a report shows, as values: all of it is known before the first page is made."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from arena.schedule.knockout import Tie
from arena.stats.by_decision import Reported
from arena.values.tables import CrossRow, CrossTable, Leaderboard, MatchRow

LAST = 100  # matches of a bot that its page lists


class FaultRow(NamedTuple):
    """A fault: in which match, whose, after how many decisions of it, and what was wrong."""

    match: MatchRow
    bot: str
    code: str
    decision: int
    detail: str


@dataclass(slots=True)
class BotTally:
    """What the matches of one bot say.

    Attributes:
        games: per game, how often it beat an opponent, drew with one, and lost to one.
        last: the last ones it played, in schedule order, without their records.
        reported: the numbers it reported by ``info``.
    """

    games: dict[str, list[int]] = field(default_factory=dict)
    last: deque[MatchRow] = field(default_factory=partial(deque, maxlen=LAST))
    reported: Reported = field(default_factory=Reported)


class Tally(NamedTuple):
    """What the matches of a tournament say.

    Attributes:
        matches: how many counted.
        course: of each bot, after so many matches of the schedule, its Elo by TrueSkill; from its
            first match on.
        faults: the first ones.
        faulty: how many faults there were.
        bots: what those of each bot say.
        pages: the matches that have a page, in schedule order: their bots by their ids.
        last: the last matches of the schedule; all have scores only if all may see them.
    """

    matches: int
    course: Mapping[str, Sequence[tuple[int, float]]]
    faults: Sequence[FaultRow] = ()
    faulty: int = 0
    bots: Mapping[str, BotTally] = MappingProxyType({})
    pages: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    last: Sequence[MatchRow] = ()


class BotFacts(NamedTuple):
    """What only the page of one bot shows.

    Attributes:
        name: the entrant's.
        program: what it is a version of: the bot's name.
        version: the bot's.
        tally: what its matches say.
        hash: of what runs; empty where it is not to be shown.
        args: what it is started with; nothing where that is not to be shown.
        opponents: how it did against each that it met, the best results first.
    """

    name: str
    program: str
    version: int
    tally: BotTally
    hash: str = ""
    args: tuple[str, ...] = ()
    opponents: tuple[CrossRow, ...] = ()


class NewsSeen(NamedTuple):
    """What the news said when a served report was made: a page that hears otherwise is old."""

    label: str
    state: str
    matches: int


class Site(NamedTuple):
    """A report.

    Attributes:
        label: what the tournament is called.
        state: how far it is, whether or not it is being run now.
        format: as in its file.
        games: their canonical names.
        created: when it was first run, UTC.
        last_run: when it was run last, UTC.
        tally: what the matches say.
        board: the leaderboard, with seats.
        by_game: the leaderboard of each game, if there are several.
        cross: who did how against whom, without seats.
        bracket: whether ``rounds`` is the bracket of a knockout.
        rounds: of formats in which results decide which entrants meet: names and meetings.
        bots: those who are not out, in the order of the file.
        config: what counts of the tournament's file, as JSON.
        seed: what all deals came from; empty where it may not be known.
        seed_hash: the SHA-256 of the seed.
        public: whether it is for everybody.
        left_out: whether the pages of matches would be too large together, so that there are none.
        of_bundle: whether it, or a part of it, came in a bundle.
        seen: ``None``: the pages are files, and hear no news.
    """

    label: str
    state: str
    format: str
    games: tuple[str, ...]
    created: str
    last_run: str
    tally: Tally
    board: Leaderboard
    cross: CrossTable
    bracket: bool
    rounds: tuple[tuple[str, Sequence[Tie]], ...]
    bots: tuple[BotFacts, ...]
    config: str
    seed: str
    seed_hash: str
    public: bool
    left_out: bool = False
    by_game: tuple[tuple[str, Leaderboard], ...] = ()
    of_bundle: bool = False
    seen: NewsSeen | None = None
