"""Whether a game is fair: matches of bots against themselves and their neighbours, measured.

For every game and bot, mirror matches are a tournament; so are, for every game and two bots that
follow one another, mixed matches. They are kept in a home of their own, the folder ``balance`` of
the arena's home, where they are in nobody's leaderboard; the same call goes on with what is there.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from arena.arguments import PathLike, path_of, require, require_list
from arena.bots.find import find_bot, parse_bot
from arena.bots.snapshots import snapshot_folder
from arena.errors import TournamentChanged, UsageError
from arena.match.record import parse_record
from arena.model import BotEntry, Clock, Opening, Record, Tournament
from arena.runner import Summary, run_tournament
from arena.stats.balance import Balance, PlayedMatch, Skill, balance, skill
from arena.store import open_store
from engines import Game, load_game

__all__ = ["BOTS", "FOLDER", "BalanceReport", "MirrorRow", "MixedRow", "measure_balance"]

BOTS = ("random", "greedy", "mcts --simulations 50")
FOLDER = "balance"
PLIES = 2  # random ones that open a game whose deals are all alike
DEALS = 8  # looked at, for whether they are
NAME_LENGTH = 24  # of a bot, in the name of a tournament
CLOCK = Clock(move_ms=10_000)  # generous: a busy machine must not decide

Tell = Callable[[int, int, str], None]


class MirrorRow(NamedTuple):
    """What one bot against itself showed of one game.

    ``faulty`` matches, in which a bot failed, and ``undecided`` ones, which the arena could not
    play, are left out of ``balance``, which is ``None`` where nothing is left.
    """

    game: str
    bot: str
    balance: Balance | None
    faulty: int
    undecided: int


class MixedRow(NamedTuple):
    """What ``bot`` in one seat against ``opponent`` in all others showed; see ``MirrorRow``."""

    game: str
    bot: str
    opponent: str
    skill: Skill | None
    faulty: int
    undecided: int


class BalanceReport(NamedTuple):
    """All that was measured; ``plies`` are those drawn at random, game by game.

    ``kept`` is the home in which the matches are.
    """

    seed: int
    rounds: int
    plies: dict[str, int]
    mirrors: tuple[MirrorRow, ...]
    mixed: tuple[MixedRow, ...]
    kept: str

    @property
    def undecided(self) -> int:
        """How many matches the arena could not play."""
        mirrors, mixed = self.mirrors, self.mixed
        return sum(row.undecided for row in mirrors) + sum(row.undecided for row in mixed)


def measure_balance(
    games: Sequence[str],
    home: PathLike,
    *,
    bots: Sequence[str] = BOTS,
    rounds: int = 50,
    seed: int = 1,
    plies: int | None = None,
    workers: int = 1,
    sandbox: str = "auto",
    allow_unsafe: bool = False,
    tell: Tell = lambda done, total, what: None,
) -> BalanceReport:
    """Play matches of bots against themselves, and against the next one, and measure the games.

    Args:
        games: their texts, such as ``leaves(tree=u)``.
        home: the arena's home, where submitted bots are found; the matches are kept in its
            folder ``balance``.
        bots: as the command line names them, the weakest first.
        rounds: blocks a game and line-up: deals, each played in all seatings.
        seed: what deals and bots' seeds come from.
        plies: random actions that open each game; ``None``: 2 where all deals are alike, else 0.
        workers: how many matches are played at a time.
        sandbox: the level at which bots run.
        allow_unsafe: run untrusted bots although nothing isolates them.
        tell: called after every match with how many there were, of how many, and of what.

    Raises:
        UsageError: there is no game or bot, or one comes twice; or as for ``run_tournament``.
        EngineError: there is no such game.
        BotError: a bot cannot be found or built, or does not play one of the games.
        StoreError: as for ``run_tournament``.
    """
    home = path_of(home, "home")
    require_list(games, str, "games", 'a text like "leaves"')
    require_list(bots, str, "bots", 'a text like "greedy"')
    for value, name in ((rounds, "rounds"), (workers, "workers")):
        require(value, int, name, "a whole number")
        if value < 1:
            raise UsageError(f"{name}: expected 1 or more, found {value}")
    require(seed, int, "seed", "a whole number")
    rules = [load_game(text) for text in _once(games, "game")]
    _once([str(game) for game in rules], "game")
    entries = [_entry(text, home) for text in _once(bots, "bot")]
    line_ups = [
        _LineUp(game, lone, rest, _plies(game) if plies is None else plies)
        for game in rules
        for lone, rest in _meetings(game, entries)
    ]
    common = Tournament(
        name="",
        games=(),
        bots=(),
        rounds=rounds,
        seed=_seed(seed),
        clock=CLOCK,
        workers=workers,
        sandbox=sandbox,
    )
    total = rounds * sum(line_up.game.num_players for line_up in line_ups)
    done = 0
    mirrors, mixed = [], []
    for line_up in line_ups:
        shown = f"{line_up.game} {line_up.label}"
        start = done

        def progress(settled: int, shown: str = shown, start: int = start) -> None:
            tell(start + settled, total, shown)

        records, undecided = _play(line_up, common, home / FOLDER, allow_unsafe, progress)
        planned = rounds * line_up.game.num_players
        done += planned
        good = [record for record in records if not record.faults]
        # those of a suspended bot are not even among the records
        counts = (planned - len(good) - undecided, undecided)
        played = _matches(good)
        game, bot, opponent = str(line_up.game), line_up.lone, line_up.rest
        if opponent is bot:
            mirrors.append(MirrorRow(game, bot.text, balance(played), *counts))
        else:
            name = line_up.names[0]
            seats = [_seat_of(name, record) for record in good]
            found = skill(list(zip(seats, played, strict=True)))
            mixed.append(MixedRow(game, bot.text, opponent.text, found, *counts))
    by_game = {str(line_up.game): line_up.plies for line_up in line_ups}
    kept = str(home / FOLDER)
    return BalanceReport(seed, rounds, by_game, tuple(mirrors), tuple(mixed), kept)


class _Named(NamedTuple):
    """A bot as it was named, and the line of a tournament that means it."""

    text: str
    entry: BotEntry
    bundled: bool


class _LineUp(NamedTuple):
    """A game and who plays it: one bot in one seat, one (maybe the same) in all others."""

    game: Game
    lone: _Named
    rest: _Named
    plies: int

    @property
    def label(self) -> str:
        """The bots, for people."""
        mirror = self.rest is self.lone
        return self.lone.text if mirror else f"{self.lone.text} - {self.rest.text}"

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' names, all different, that of the bot that sits alone first."""
        names = [_short(self.lone.text)]
        for _ in range(self.game.num_players - 1):
            name = base = _short(self.rest.text)
            number = 1
            while name in names:
                number += 1
                name = f"{base}#{number}"
            names.append(name)
        return tuple(names)

    def tournament(self, common: Tournament) -> Tournament:
        """Return the tournament in which these meet and nobody else."""
        players = [self.lone, *[self.rest] * (self.game.num_players - 1)]
        what = f"{self.game}|{self.lone.text}|{self.rest.text}|{self.plies}|{common.seed}"
        mark = hashlib.sha256(what.encode()).hexdigest()[:10]
        return replace(
            common,
            name=f"{self.game.name[:NAME_LENGTH]}-{_short(self.lone.text)}-{mark}",
            games=(str(self.game),),
            bots=tuple(
                replace(player.entry, name=name)
                for player, name in zip(players, self.names, strict=True)
            ),
            opening=Opening(plies=self.plies),
            processes="reuse" if self._may_be_kept() else "fresh",
        )

    def _may_be_kept(self) -> bool:
        """Return whether processes may play match after match, which is several times as fast.

        Ours forget everything at ``game``; where a deal is hidden, no bot may meet it twice.
        """
        return self.lone.bundled and self.rest.bundled and self.game.type.information == "perfect"


def _once(texts: Sequence[str], what: str) -> Sequence[str]:
    """Return texts as they are; raises ``UsageError`` if there is none, or one comes twice."""
    if not texts:
        raise UsageError(f"expected at least one {what}")
    twice = next((text for place, text in enumerate(texts) if text in texts[:place]), None)
    if twice is not None:
        raise UsageError(f'the {what} "{twice}" is named twice')
    return texts


def _meetings(game: Game, bots: Sequence[_Named]) -> Iterator[tuple[_Named, _Named]]:
    """Yield who plays a game: every bot in all seats, and each with the one before it."""
    yield from ((bot, bot) for bot in bots)
    if game.num_players > 1:
        yield from ((bot, weaker) for weaker, bot in itertools.pairwise(bots))


def _entry(text: str, home: Path) -> _Named:
    """Return a bot as it can be named in another home: a submitted one by its snapshot."""
    entry = parse_bot(text, Path.cwd())
    bundled = False
    if entry.ref is not None:
        with open_store(home, create=False) as store:
            bot = find_bot(entry.ref, store.bots, home)
        bundled = bot.origin == "bundled"
        if not bundled:
            folder = snapshot_folder(home, bot.hash, name=bot.name, version=bot.version)
            entry = replace(entry, ref=None, run=str(folder.absolute()))
    return _Named(text, entry, bundled)


def _plies(game: Game) -> int:
    """Return how many random plies a game needs, so that not every match begins alike."""
    return PLIES if len({game.setup(seed) for seed in range(DEALS)}) == 1 else 0


def _seed(seed: int) -> int:
    """Return a tournament's seed for one that a person wrote, too large for a bot to try all."""
    return int.from_bytes(hashlib.sha256(f"arena/1|balance|{seed}".encode()).digest()[:16], "big")


def _short(text: str) -> str:
    """Return a bot's text as a name that may stand anywhere."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[-NAME_LENGTH:].strip("-") or "bot"


def _play(
    line_up: _LineUp,
    common: Tournament,
    home: Path,
    allow_unsafe: bool,
    tell: Callable[[int], None],
) -> tuple[list[Record], int]:
    """Play what is missing; return the records in schedule order, and how many there are not.

    A tournament that was played with fewer rounds goes on; one that was played with other
    programs, or with more rounds, is played again as another edition.
    """
    tournament = line_up.tournament(common)

    def run(new: bool) -> Summary:
        return run_tournament(
            tournament,
            home,
            extend=True,
            new=new,
            allow_unsafe=allow_unsafe,
            tell=lambda progress: tell(progress.settled),
        )

    try:
        summary = run(new=False)
    except TournamentChanged:
        summary = run(new=True)
    with open_store(home, create=False) as store:
        texts = store.matches.texts(summary.edition.id)
        return [parse_record(text) for text in texts], len(summary.undecided)


def _matches(records: Sequence[Record]) -> list[PlayedMatch]:
    """Replay records through the rules and return what balance needs to know of them."""
    return [_match(record) for record in records]


def _match(record: Record) -> PlayedMatch:
    state = load_game(record.game).new_initial_state(record.setup)
    actions = (*record.opening, *record.actions)
    choices = 0
    kinds: dict[str, int] = {}
    for player, action in actions:
        if action is None:  # resigned
            state = state.drop_player(player)
            continue
        choices += state.count_legal(player)
        kinds[kind_of(action)] = kinds.get(kind_of(action), 0) + 1
        state = state.apply_action(player, action)
    return PlayedMatch(
        block=int(record.block.rpartition("|")[2]),
        seats=tuple(" ".join((seat.hash, *seat.args)) for seat in record.players),
        ranks=record.ranks,
        setup=record.setup,
        actions=actions,
        choices=choices,
        kinds=kinds,
    )


def kind_of(action: str) -> str:
    """Return the word an action begins with; ``#`` for one that begins otherwise.

    >>> kind_of("move:w6:3"), kind_of("E4-2"), kind_of("24@-1:1")
    ('move', 'E', '#')
    """
    word = re.match(r"[A-Za-z_]+", action)
    return word.group() if word else "#"


def _seat_of(name: str, record: Record) -> int:
    """Return where the entrant of a name sat."""
    return [seat.bot for seat in record.players].index(name)
