"""Values that cross rooms: clocks, bots, entrants, tournaments, matches, records.

All are frozen, hold tuples instead of lists, and are right by construction: text was checked where
it came in. Durations are integer milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from arena.values.costs import NO_COSTS, Costs, Limits
from arena.values.origins import ASK, FUNCTION, PERSON
from arena.values.said import Pieces
from arena.values.untrusted import show

DEFAULT_MEMORY = 1 << 30
DEFAULT_BOT_SIZE = 256 << 20  # bytes of a bot's folder
DAY_MS = 24 * 3_600_000  # the longest limit, as good as none
_TRUSTED = frozenset((PERSON, FUNCTION, ASK))
_NAMED = 4  # bots that the short form of a tournament names
PATTERN = frozenset("*?[")  # what makes a bot's name a pattern


class Termination(StrEnum):
    """Why a match ended (``by=`` on the wire and in records), or why a player was dropped."""

    RULES = "rules"
    RESIGN = "resign"
    ILLEGAL = "illegal"
    TIME = "time"
    CRASH = "crash"
    STARTUP = "startup"
    PROTOCOL = "protocol"
    FLOOD = "flood"
    MEMORY = "memory"
    MAXMOVES = "maxmoves"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Clock:
    """The time control of one player; a limit that does not exist is ``None``.

    ``move`` bounds one decision, ``main`` (with ``inc`` added after each) the whole game, ``first``
    is added to the first decision, ``margin`` is tolerated but marked, ``start`` bounds ``hello``.
    """

    move_ms: int | None = 1000
    first_ms: int = 5000
    main_ms: int | None = None
    inc_ms: int = 0
    margin_ms: int = 50
    start_ms: int = 10_000

    def limits(self) -> dict[str, int | None]:
        """Return all limits by their keys in files and records, such as ``move``."""
        return {key: getattr(self, f"{key}_ms") for key in CLOCK_KEYS}

    def but(self, given: Mapping[str, int | None]) -> Clock:
        """Return this clock with some other limits, by their keys."""
        return replace(self, **{f"{key}_ms": ms for key, ms in given.items()})  # type: ignore[arg-type]


CLOCK_KEYS = tuple(limit.name.removesuffix("_ms") for limit in fields(Clock))


class Needs(NamedTuple):
    """What a bot asks for in its ``bot.yaml``, 0 if it asks for nothing; it gets what is granted.

    Attributes:
        memory_bytes: of its whole tree.
        start_ms: to answer ``hello``.
    """

    memory_bytes: int = 0
    start_ms: int = 0


class Granted(NamedTuple):
    """The most that a person lets bots have where a line has nothing of its own.

    Attributes:
        memory_bytes, start_ms: as for ``Needs``.
        bot_size: bytes of a bot's folder.
    """

    memory_bytes: int = DEFAULT_MEMORY
    start_ms: int = Clock().start_ms
    bot_size: int = DEFAULT_BOT_SIZE


NO_NEEDS, USUAL = Needs(), Granted()


class Import(NamedTuple):
    """Something that bots can import: its name on a path (``my_games``, ``nim.py``), its place."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot as it lies on disk, found, built and ready to start.

    ``hash`` (``sha256:<64 hex>``) covers the content and the start line, and is its identity.
    ``start`` is the argument vector; ``folder`` is absolute and becomes the working directory.
    ``version`` is 0 for a bot that a tournament names by ``run``. ``games`` are those it plays, as
    its ``bot.yaml`` has them; none: any. ``imports`` are what it can import of plug-in games, and
    ``shown`` the folders that it can read as a whole, where the program that starts it lies.
    ``environment`` names the virtual environment whose Python starts it, and ``packages`` is the
    hash (``sha256:<64 hex>``) of what is installed there; both are empty if there is none.
    """

    name: str
    version: int
    hash: str
    start: tuple[str, ...]
    folder: str
    origin: str = "file"  # bundled | submitted | imported | file | person | function | ask
    language: str = ""
    games: tuple[str, ...] = ()
    imports: tuple[Import, ...] = ()
    shown: tuple[str, ...] = ()
    environment: str = ""
    packages: str = ""

    @property
    def asks(self) -> bool:
        """Whether it is a program that runs with the rights of whoever started the arena."""
        return self.origin == ASK

    @property
    def relayed(self) -> bool:
        """Whether its program is ours, and carries the words of a person or of a function."""
        return self.origin in (PERSON, FUNCTION)

    @property
    def level(self) -> str:
        """Its own level of isolation as records have it; empty: that of the match."""
        return self.origin if self.origin in _TRUSTED else ""


Choose = Callable[[Any, int | None, int | None], str | tuple[str, Mapping[str, Any]]]
"""``choose(match, left_ms, limit_ms)`` of the kit for Python: returns one of ``match.legal``, a
function also with what it says by ``info``."""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """One line of a tournament's ``bots:``, not yet looked up.

    ``ref`` is ``NAME``, ``NAME@VERSION`` or a pattern of names; ``run`` an absolute path of a file
    or folder; ``version`` that of a ``function`` of the program that plays, empty if it has none;
    exactly one of the three is given. With ``asks`` that program runs with the rights of whoever
    starts the arena, and gets those of its variables that ``secrets`` names. ``at_once`` is how
    many matches of it may be played at a time; ``None``: that is not limited. ``name`` is the
    entrant's unique name. ``where`` is the place that messages name (``FILE:LINE:COLUMN: KEY``),
    empty if it stands in no file; no part of equality.
    """

    name: str
    ref: str | None = None
    run: str | None = None
    version: str | None = None
    function: Choose | None = field(default=None, compare=False, repr=False)
    asks: bool = False
    secrets: tuple[str, ...] = ()
    at_once: int | None = None
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    clock: Clock | None = None
    memory_bytes: int | None = None
    most: Limits = ()  # what it may report that its answers cost, before it is taken out
    where: str = field(default="", compare=False)

    @property
    def origin(self) -> str:
        """What its bot's ``origin`` is, if the line says it; else ``file``."""
        return ASK if self.asks else "file" if self.version is None else FUNCTION

    @property
    def is_pattern(self) -> bool:
        """Whether ``ref`` means every submitted bot whose name fits, such as ``s*``."""
        return self.ref is not None and not PATTERN.isdisjoint(self.ref)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot entered in one tournament under a name of its own.

    ``secrets`` names the variables of this process whose values it gets, and nobody else.
    """

    name: str
    bot: Bot
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    clock: Clock | None = None
    memory_bytes: int = DEFAULT_MEMORY
    secrets: tuple[str, ...] = ()
    at_once: int | None = None

    def seat(self, common: Clock, seed: int) -> Seat:
        """Return its seat in a match; ``common`` is the clock of those without one of their own."""
        return Seat(self, self.clock or common, seed)


@dataclass(frozen=True, slots=True)
class Opening:
    """How a match begins before the bots decide: random plies, or the setups of a file."""

    plies: int = 0
    setups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """When to stop early: at most one of these is given; none: only when all is played."""

    matches: int | None = None
    sigma: float | None = None
    sprt: tuple[float, float, float, float] | None = None  # elo0, elo1, alpha, beta
    info: Limits = ()  # what all together may report that their answers cost


@dataclass(frozen=True, slots=True)
class Tournament:
    """What a tournament file says; every field has the value that counts.

    One that a program makes is checked as a file is where it is handed in.

    ``games`` are canonical names. ``seed`` is ``None`` where the file has none, until one is drawn
    when the tournament starts. ``workers`` and ``durability`` are how, not what, and so no part of
    the fingerprint; nor are ``without``, ``anchor``, ``unable_for_ms``, and ``most`` of a bot.
    """

    name: str
    games: tuple[str, ...]
    bots: tuple[BotEntry, ...]
    format: str = "round-robin"
    rounds: int = 1
    seed: int | None = None
    clock: Clock = field(default_factory=Clock)
    opening: Opening = field(default_factory=Opening)
    memory_bytes: int = DEFAULT_MEMORY
    bot_size: int = DEFAULT_BOT_SIZE  # bytes of a bot's folder, at most
    workers: int = 1
    processes: str = "fresh"  # fresh | reuse
    on_timeout: str = "forfeit"  # forfeit | published
    rethink: int = 0  # illegal answers to a decision that may be taken back
    ponder: bool = False
    pin: bool = True
    sandbox: str = "auto"  # auto | bwrap | landlock | limits | none
    max_faults: int = 3
    faults: str = "startup"  # startup | any: which of them in a row suspend
    max_decisions: int | None = None
    durability: str = "normal"  # normal | full
    stop: Stop = field(default_factory=Stop)
    without: tuple[str, ...] = ()  # entrants that are taken out
    # groups of entrants of which no two meet; "group": those of the persons who handed them in
    apart: str | tuple[tuple[str, ...], ...] = ()
    anchor: tuple[str, float] | None = None  # an entrant whose Elo is fixed, and what it is
    unable_for_ms: int = 3_600_000  # how long an entrant that is unable to play is waited for
    challengers: int = 1  # of a gauntlet: the first so many bots
    blocks: int = 1  # a meeting, where ``rounds`` does not say it
    batch: int | None = None  # of a ladder: blocks planned at a time; none: two an entrant
    seeding: str | None = None  # of a knockout: the tournament whose table it is

    @property
    def granted(self) -> Granted:
        """What bots may have whose lines have nothing of their own."""
        return Granted(self.memory_bytes, self.clock.start_ms, self.bot_size)

    def __repr__(self) -> str:
        """Return a line for a person: what is played, and by whom."""
        games = ", ".join([show(game, 60) for game in self.games])
        bots = [show(entry.name, 40) for entry in self.bots[:_NAMED]]
        more = [f"{len(self.bots) - _NAMED} more"] if len(self.bots) > _NAMED else []
        head = f"{show(self.name, 60)}: {games}, {self.format}"
        return f"<Tournament {head}, {self.rounds} × {', '.join([*bots, *more])}>"


class Match(NamedTuple):
    """One match of a schedule: who sits where, on which deal.

    ``number`` is its place in schedule order; ``k`` the number of the block within its pairing;
    ``seats`` holds entrants' names, seat 0 first; ``seating`` is the index of this seating within
    the block. A named tuple, since all that a worker is sent of a match is this.
    """

    number: int
    game: str
    k: int
    seating: int
    seats: tuple[str, ...]

    @property
    def block(self) -> str:
        """``GAME|ENTRANTS SORTED, JOINED BY +|K``: the same for all seatings of one deal."""
        return f"{self.game}|{'+'.join(sorted(self.seats))}|{self.k}"


class Round(Protocol):
    """Matches that may run in any order: a sequence that computes its items when asked."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> Match: ...


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits in one seat of a match to be played: on which clock, with which seed of its own."""

    entrant: Entrant
    clock: Clock
    seed: int


@dataclass(frozen=True, slots=True)
class MatchJob:
    """Everything a worker needs to play one match.

    ``setup`` and ``opening_actions`` are given when a match is reproduced, otherwise the deal comes
    from ``seed`` and ``opening``; ``seed`` is ``None`` where a record that is reproduced has none.
    ``tournament`` is ``None`` for a match rated by nobody.
    ``lost_by`` are players who cost the match its worker, and by what; they are not started again.
    ``clock`` is the one that stands in the record, beside which players may have their own; left
    out, it is the one that most seats have.
    ``dictionary`` is what its record is packed with to be stored; see ``arena.packed.record_text``.
    ``host`` is the machine's name where it plays for a coordinator elsewhere.
    ``rethink`` says how many illegal answers to a decision a player may take back.
    """

    id: str
    tournament: str | None
    number: int
    block: str
    seating: int
    game: str
    seed: int | None
    seats: tuple[Seat, ...]
    opening: Opening = field(default_factory=Opening)
    setup: str | None = None
    opening_actions: tuple[tuple[int, str], ...] | None = None
    on_timeout: str = "forfeit"
    rethink: int = 0
    processes: str = "fresh"
    ponder: bool = False
    max_decisions: int | None = None
    sandbox: str = "none"
    lost_by: tuple[tuple[int, Termination], ...] = ()
    clock: Clock | None = None
    dictionary: tuple[int, bytes] = (0, b"")
    host: str = ""

    @property
    def common_clock(self) -> Clock:
        """The clock of the match, from which those of single players may differ."""
        if self.clock is not None:
            return self.clock
        clocks = [seat.clock for seat in self.seats]
        return max(clocks, key=clocks.count)


class Cause(StrEnum):
    """What exactly a bot did wrong, for code that has to know more than the verdict.

    A fault's detail says the same to a person; no code looks for words in it.
    """

    NOT_STARTED = "not-started"
    SILENT = "silent"
    ENDED = "ended"  # before it was ready
    TOO_EARLY = "too-early"  # an answer before it was ready
    OTHER_PROTOCOL = "other-protocol"
    BYTE_ORDER_MARK = "byte-order-mark"
    NO_VERB = "no-verb"
    UPPER_CASE = "upper-case"
    NOT_UTF8 = "not-utf-8"
    CONTROL = "control"
    PLAY = "play"  # malformed, as is the next
    INFO = "info"
    UNASKED = "unasked"
    UNFINISHED = "unfinished"  # a line without its line feed
    UNREAD = "unread"
    CLOSED = "closed"  # its output
    LEFT = "left"  # with status 0
    ERROR = "error"  # it said so itself
    OUTPUT = "output"
    STDERR = "stderr"
    PROCESSES = "processes"
    HELD = "held"  # the lock of its own pipe


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bot did wrong: ``decision`` counts its own decisions from 1 (0: before the first).

    ``cause`` is for code, where there is more to know than ``code`` says; no record keeps it.
    """

    player: int
    code: Termination
    decision: int
    detail: str
    stderr: str = ""
    cause: Cause | None = field(default=None, compare=False)


class Decision(NamedTuple):
    """How one answer was made: wall, CPU and charged time, and the bot's own numbers.

    ``ms`` is the wall time in which the arena listened. ``cpu_ms`` is that of all its processes,
    ``None`` where nobody looked. ``late``: charged more than the limit. ``tries``: how many illegal
    answers came before.

    A named tuple, since one is made for every decision and a frozen dataclass takes 4 × as long.
    """

    ms: float = 0.0
    cpu_ms: float | None = None
    charged_ms: float = 0.0
    late: bool = False
    forced: bool = False
    info: tuple[tuple[str, float | str], ...] = ()
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Player:
    """One seat as the record keeps it.

    ``want`` says which lines ``sent`` was taken over; ``pondered``, that the bot used CPU time
    while others decided, where that was not allowed; ``info_dropped``, how many values of its
    ``info`` the match had no room for; ``sandbox``, its level where it is not the match's;
    ``costs``, what it said that its answers cost.
    """

    bot: str
    version: int
    hash: str
    args: tuple[str, ...]
    seed: int
    sent: str
    want: tuple[str, ...] = ("obs",)
    clock: Clock | None = None
    env: tuple[tuple[str, str], ...] = ()
    memory_bytes: int = DEFAULT_MEMORY
    pondered: bool = False
    info_dropped: int = 0
    sandbox: str = ""  # person | function | ask; empty: that of the record
    packages: str = ""  # of the environment that started it, as of a ``Bot``
    costs: Costs = NO_COSTS


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """What a match leaves behind; see docs/reference/record.md for its text.

    ``actions`` are ``(player, action)``, or ``(player, None)`` where the player was dropped;
    ``decisions[i]`` belongs to ``actions[i]``. ``scores`` is ``None`` unless the rules ended the
    game. ``seed`` is ``None`` in what is shown of a tournament that is unfinished.
    """

    id: str
    tournament: str | None
    block: str
    seating: int
    game: str
    rules_version: int
    setup: str
    opening: tuple[tuple[int, str], ...]
    seed: int | None
    clock: Clock
    players: tuple[Player, ...]
    actions: tuple[tuple[int, str | None], ...]
    decisions: tuple[Decision, ...]
    scores: tuple[float, ...] | None
    ranks: tuple[int, ...]
    by: Termination
    faults: tuple[Fault, ...]
    arena_version: str
    sandbox: str
    started: str
    elapsed_ms: int
    on_timeout: str = "forfeit"  # forfeit | published
    ponder: bool = False
    host: str = ""  # of a cluster, by its name; empty: the machine that ran the tournament

    @property
    def asks(self) -> tuple[str, ...]:
        """The players who asked: their programs had the rights of whoever ran the match."""
        return tuple([player.bot for player in self.players if player.sandbox == ASK])

    def dropped_by(self, player: int) -> Termination:
        """Return why a player who was dropped takes no further part: a fault, or it resigned."""
        codes = (fault.code for fault in self.faults if fault.player == player)
        return next(codes, Termination.RESIGN)

    def __repr__(self) -> str:
        """Return a line for a person: who played, how it ended, whose fault it was."""
        names = [show(player.bot, 40) for player in self.players]
        results = [f"#{rank}" for rank in self.ranks]
        if self.scores is not None:
            results = [f"{score:.10g}" for score in self.scores]
        seats = " - ".join(map(" ".join, zip(names, results, strict=True)))
        wrong = ", ".join([names[fault.player] for fault in self.faults])
        by = f"{self.by} ({wrong})" if wrong else self.by
        answers = sum(action is not None for _, action in self.actions)
        head = f"{show(self.id, 40)} {show(self.game, 60)}"
        return f"<Record {head}: {seats}, by {by}, {answers} decisions>"

    def _repr_html_(self) -> str:
        """Return a table for a notebook: who played, and how it ended."""
        from arena.values.html import html_table

        wrong = {fault.player: fault.code for fault in self.faults}
        scores = self.scores or (None,) * len(self.players)
        rows = [
            (seat, player.bot, player.version, self.ranks[seat], scores[seat], wrong.get(seat))
            for seat, player in enumerate(self.players)
        ]
        columns = ["seat", "bot", "version", "rank", "score", "fault"]
        return html_table(f"{self.game}, by {self.by}, match {self.id}", columns, rows)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A worker's answer: the record, and what each bot said beside it, seat 0 first.

    Attributes:
        number: of the match.
        record: what was played.
        said: what bots wrote to stderr and by ``log``.
        wrote: what they wrote to stdout, except usual answers.
    """

    number: int
    record: Record
    said: tuple[Pieces, ...] = ()
    wrote: tuple[Pieces, ...] = ()

    def __repr__(self) -> str:
        """Return a line for a person: the record's."""
        return f"<MatchResult {self.record!r}>"

    def _repr_html_(self) -> str:
        """Return the record's table for a notebook."""
        return self.record._repr_html_()
