"""What leaderboards, cross tables and lists of matches say, and what they are made from, as values.

They have a module of their own, since a leaderboard needs nothing of what it takes to play, and
importing ``arena.values.model`` takes 15 ms."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from arena.values.costs import NO_COSTS, Costs, all_of
from arena.values.untrusted import show

if TYPE_CHECKING:
    import pandas


class EditionState(StrEnum):
    """How far an edition of a tournament is."""

    RUNNING = "running"
    FINISHED = "finished"
    DECIDED = "decided"  # finished early, as its stop rule says
    ENDED = "ended"  # a person ended it before all was played
    RESTING = "resting"  # a ladder without a further match by now; newer versions may bring some
    UNFINISHED = "unfinished"  # the same command goes on with it
    REMOVING = "removing"  # a part of it was removed; the same command goes on with that


_NAMED = 3  # bots that the short form of a leaderboard names

Position = tuple[int, int]  # of a match: its tournament, and its number in the schedule


class Origin(NamedTuple):
    """Where matches came from that were not played in this home.

    Attributes:
        bundle: the SHA-256 of the bundle's manifest.
        file: what its file was called.
        at: when it was taken in, UTC.
    """

    bundle: str
    file: str
    at: str


class MatchRow(NamedTuple):
    """A match that was played: all that tables, lists and exports are made from.

    A named tuple, since every match comes out of a worker as one, and a frozen dataclass takes
    several times as long to be sent.

    Attributes:
        position: where it stands in the order of all matches.
        entrants: their names by seat; in tables of all tournaments, what tells them apart.
        ranks: per seat; of somebody who played alone 1 if the score is above 0 (solved), else 2.
        faults: each as ``(seat, code)``.
        answers: per seat, how many decisions were answered.
        charged_us: per seat, the time charged for them.
        costs: per seat, what they cost; nobody's, if nobody's cost anything.
        block: the name of its block.
        moves_hash: equal for two matches with the same deal and the same actions, no matter which
            bots played them.
        game: its canonical name.
        by: how it ended.
        started_ms: since 1970; ``None``: not known.
        id: its id; empty where it was not asked for, like the text.
        text: its record.
        seating: which of its block it is.
        arrived: grows with each match that is stored.
        seats: ``Entry.id`` by seat.
        counted: false past an early stop, and where an entrant is out.
        damage: what is wrong with it, if anything is; then there is nothing but position and id.
        tournament: what it is called; this and what follows is there in lists.
        scores: ``None`` unless the rules ended the match, or where they were not asked for.
        pondered: then also the seats that computed while others decided, though that was not
            allowed.
        repeats: if it was asked for, the id of the first match with the same seats, deal and
            actions.
        imported: where it came from; ``None`` if it was played here.
        data: its record, packed; this and what follows is there until it is stored.
        dictionary: the number of what it is packed with.
        hash: of the record's row.
        said: what bots said beside the record, packed.
        wrote: likewise.
    """

    position: Position
    entrants: tuple[str, ...]
    ranks: tuple[int, ...]
    faults: tuple[tuple[int, str], ...] = ()
    answers: tuple[int, ...] = ()
    charged_us: tuple[int, ...] = ()
    costs: tuple[Costs, ...] = ()
    block: str = ""
    moves_hash: int = 0
    game: str = ""
    by: str = ""
    started_ms: int | None = None
    id: str = ""
    text: str = ""
    seating: int = 0
    arrived: int = 0
    seats: tuple[int, ...] = ()
    counted: bool = True
    damage: str = ""
    tournament: str = ""
    scores: tuple[float, ...] | None = None
    pondered: tuple[int, ...] = ()
    repeats: str = ""
    imported: Origin | None = None
    data: bytes = b""
    dictionary: int = 0
    hash: bytes = b""
    said: bytes = b""
    wrote: bytes = b""

    @property
    def edition(self) -> int:
        """``Edition.id`` of its tournament."""
        return self.position[0]

    @property
    def number(self) -> int:
        """Its number in the schedule."""
        return self.position[1]

    @property
    def decisions(self) -> int:
        """How many were answered, by all seats together."""
        return sum(self.answers)

    @property
    def started(self) -> str:
        """When it began, UTC; empty where it is not known."""
        from arena.values.moments import moment_text  # which imports what tables do without

        return moment_text(self.started_ms)


class Rating(NamedTuple):
    """A TrueSkill rating."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def score(self) -> float:
        """What boards sort by where they sort by TrueSkill: ``mu - 3 * sigma``."""
        return self.mu - 3.0 * self.sigma


class SeatRow(NamedTuple):
    """How one bot did from one seat; with more than two players, against each of the others."""

    seat: int
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> tuple[float, int]:
        """The points, of so many results; a win is 1, a draw a half."""
        return self.wins + self.draws / 2, self.wins + self.draws + self.losses


class UnableRow(NamedTuple):
    """How many matches an entrant was unable to play at first, and was ``interrupted`` in.

    A match is interrupted if the entrant had answered a decision of it.
    """

    matches: int = 0
    interrupted: int = 0


class LeaderboardRow(NamedTuple):
    """Where one entrant stands; equal scores share a ``rank``.

    A win is the only first rank of a match, a draw a shared one, anything else a loss. Bots that
    share ranks have the mean of those ranks in ``mean_rank``; ``mean_ms`` is the time charged per
    decision; both are ``None`` before the first. ``used_ms`` is all the time charged. ``faults``
    counts by code. ``rating`` names how ``score`` came about: ``order-free`` (Elo), ``trueskill``
    (``mu - 3 * sigma``) or ``mean-score`` (there is none). ``points`` are those of a Swiss
    tournament, ``reached`` is the last round of a knockout that the bot was in, or ``winner``; rows
    then stand by that, and by score after.

    With ``order-free``, ``low`` and ``high`` are the ends of the 95 % interval of ``score``, each
    ``None`` where nothing bounds it, such as above a bot that won everything; ``los`` is the
    likelihood that the bot is stronger than that of the next row, ``None`` in the last one.
    ``seats``, ``late`` (answers within the margin after the limit) and ``tries`` (illegal answers
    that were taken back) are there if asked for.
    In a table of a game for one player ``mean_score`` is what it is sorted by, and there is no
    ``score``. ``replaced_by`` names the newer version that plays in place of the bot in a ladder.
    ``bundle`` is the file that the bot came in, if its name means another program in this home.
    ``sandbox`` is ``ask`` for one that had the rights of whoever ran the tournament.
    ``unable`` counts what it could not play at first. ``costs`` are those that it reported by
    ``info``.
    """

    rank: int
    bot: str
    version: int
    score: float | None
    rating: str
    mu: float
    sigma: float
    games: int
    wins: int
    draws: int
    losses: int
    mean_rank: float | None
    mean_ms: float | None
    faults: Mapping[str, int]
    points: float | None = None
    reached: str = ""
    low: float | None = None
    high: float | None = None
    los: float | None = None
    used_ms: float = 0.0
    seats: tuple[SeatRow, ...] = ()
    late: int | None = None
    tries: int | None = None
    replaced_by: str = ""
    bundle: str = ""
    sandbox: str = ""
    mean_score: float | None = None
    unable: UnableRow = UnableRow()
    costs: Costs = NO_COSTS

    @property
    def standing(self) -> str:
        """The score by which the table is sorted, for people; empty if there is none."""
        if self.score is None:
            return "" if self.mean_score is None else f"{self.mean_score:.2f}"
        return f"{self.score:.{2 if self.rating == 'trueskill' else 0}f}"

    @property
    def interval(self) -> str:
        """The 95 % interval in words: ``1416 to 1688``, ``1935 or more``; empty where none is.

        That of the anchor, whose Elo is fixed, is ``anchor``; its ``low`` and ``high`` are its
        ``score``.
        """
        if self.rating != "order-free" or self.score is None:
            return ""
        if self.low == self.high == self.score:
            return "anchor"
        if self.low is None:
            return "not known" if self.high is None else f"{self.high:.0f} or less"
        return (
            f"{self.low:.0f} or more" if self.high is None else f"{self.low:.0f} to {self.high:.0f}"
        )


class OutRow(NamedTuple):
    """An entrant that is out: none of its matches count, for the ``reason``.

    ``replaced_by`` is the version that plays in its place; 0 if none does.
    """

    bot: str
    version: int
    reason: str
    replaced_by: int = 0

    @property
    def sentence(self) -> str:
        """What a person reads of it."""
        if self.replaced_by:
            return f"{self.bot} {self.version} {self.reason}; its matches do not count."
        return f"{self.bot} {self.reason}; none of its matches count."


class Anchor(NamedTuple):
    """The bot whose Elo is fixed, and what it is; ``refused`` says why that does not hold here."""

    bot: str
    elo: float
    refused: str = ""


class Leaderboard(NamedTuple):
    """The leaderboard of a tournament (``None``: of all of a home), best first; and who is out.

    ``weightless`` matches add nothing to it, as they repeat others. ``same_deal`` matches are of
    bots with chance that have played one deal only. ``unfinished``: its tournament is not over;
    ``ended``: a person ended it before all was played.
    ``undecided`` are the entrants of matches that were given up, each with how many of these, the
    most first.
    ``no_zero``: points went both ways between no two bots, and so 1500 is the mean of all.
    ``anchor`` is there if there is to be one. ``deals`` is how many all have played, if they all
    played alone. ``skipped`` results are not known, and left out.
    """

    tournament: str | None
    rows: tuple[LeaderboardRow, ...]
    out: tuple[OutRow, ...] = ()
    weightless: int = 0
    same_deal: int = 0
    unfinished: bool = False
    ended: bool = False
    undecided: tuple[tuple[str, int], ...] = ()
    no_zero: bool = False
    anchor: Anchor | None = None
    deals: int | None = None
    skipped: int = 0

    @property
    def costs(self) -> Costs:
        """What all of them reported."""
        return all_of([row.costs for row in self.rows])

    def __repr__(self) -> str:
        """Return a line for a person: the tournament, and who leads."""
        of = "of all tournaments" if self.tournament is None else show(self.tournament, 60)
        first = [f"{row.rank}. {show(row.bot, 40)} {row.standing}" for row in self.rows[:_NAMED]]
        more = [f"{len(self.rows) - _NAMED} more"] if len(self.rows) > _NAMED else []
        return f"<Leaderboard {of}: {', '.join([*first, *more]) or 'nobody'}>"

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        from arena.values.html import html_table  # which only notebooks need

        columns = ["rank", "bot", "version", "score", "95 %", "games"]
        columns += ["wins", "draws", "losses", "faults"]
        rows: list[tuple[object, ...]] = [
            (
                row.rank, row.bot, row.version, row.standing, row.interval, row.games,
                row.wins, row.draws, row.losses, sum(row.faults.values()),
            )
            for row in self.rows
        ]  # fmt: skip
        rows += [("", out.bot, out.version, f"out: {out.reason}") for out in self.out]
        return html_table(self.tournament or "all tournaments", columns, rows)

    def to_pandas(self) -> pandas.DataFrame:
        """Return a row an entrant as a data frame, with the fields of ``LeaderboardRow``.

        ``faults`` are all together, and each cost has a column. It needs pandas, which the arena
        does not bring.
        """
        import pandas

        rows = []
        for row in self.rows:
            unable, interrupted = row.unable
            more = {"interval": row.interval, "unable": unable, "interrupted": interrupted}
            more |= {"faults": sum(row.faults.values()), **row.costs._asdict()}
            rows.append({**row._asdict(), **more})
        columns = [*LeaderboardRow._fields, "interval", "interrupted", *Costs._fields]
        return pandas.DataFrame(rows, columns=columns).drop(columns=["seats", "costs"])


class CrossRow(NamedTuple):
    """How one bot did against another, from one seat of its own or from all (``None``)."""

    bot: str
    opponent: str
    seat: int | None
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """How often the two met."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is 1, a draw a half."""
        return self.wins + self.draws / 2


class Unexpected(NamedTuple):
    """A pair whose result is too unlikely to be chance: ``bot`` scored more than was ``expected``.

    ``points`` (a win is 1, a draw a half) and ``games`` are those of matches with weight.
    """

    bot: str
    opponent: str
    points: float
    games: int
    expected: float


class CrossTable(NamedTuple):
    """All bots against all others; ``bots`` in the order of the leaderboard.

    ``rows`` holds the pairs that met: for each, in that order, all seats together and then seat by
    seat. ``unexpected`` are those whose results are too unlikely, the most unlikely first.
    ``bundles`` has bots whose names mean other programs in this home, with the file they came in.
    """

    tournament: str | None
    bots: tuple[str, ...]
    rows: tuple[CrossRow, ...]
    unexpected: tuple[Unexpected, ...] = ()
    bundles: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        """Return a line for a person: the tournament, and who met."""
        of = "of all tournaments" if self.tournament is None else show(self.tournament, 60)
        bots = [show(bot, 40) for bot in self.bots[:_NAMED]]
        more = [f"{len(self.bots) - _NAMED} more"] if len(self.bots) > _NAMED else []
        return f"<CrossTable {of}: {', '.join([*bots, *more]) or 'nobody'}>"

    def _repr_html_(self) -> str:
        """Return the table for a notebook: points of games, each bot a row."""
        from arena.values.html import html_table

        met = {(row.bot, row.opponent): row for row in self.rows if row.seat is None}
        cells = [
            (bot, *(f"{one.points:g}/{one.games}" if one else None for one in ones))
            for bot in self.bots
            for ones in [[met.get((bot, other)) for other in self.bots]]
        ]
        return html_table(self.tournament or "all tournaments", ["", *self.bots], cells)
