"""Whether a game is fair: matches of bots against themselves and their neighbours, measured.

For every game and bot, mirror matches are a tournament; so are, for every game and two bots that
follow one another, mixed matches. They are kept in a home of their own, the folder ``balance`` of
the arena's home, where they are in nobody's leaderboard; the same call goes on with what is there.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from arena.bots.find import enter, parse_bot
from arena.bots.snapshots import kept_folder
from arena.packed.match import moves_hash_of
from arena.record.record import parse_record
from arena.run.runner import Progress, run_tournament
from arena.schedule.seeds import study_seed
from arena.stats.fairness import Fairness, MirrorRow, MixedRow, balance, skill
from arena.stats.shape_of_games import NOBODY, PlayedMatch
from arena.store import open_store
from arena.tournament.from_python import bot_entry
from arena.tournament.names import name_of_text
from arena.tournament.supported import check_sandbox
from arena.tournament.two_bots import made_name, seat_two, usual_opening
from arena.values.arguments import PathLike, path_of, require, require_list
from arena.values.errors import MatchVoid, TournamentChanged, UsageError
from arena.values.model import BotEntry, Clock, Opening, Record, Tournament
from engines import Game, load_game

BOTS = ("random", "greedy", "mcts --simulations 50")
FOLDER = "balance"
LOOKS = 6  # at a game that is played until it is settled; each at twice as many rounds
HOPELESS = 4  # times as many rounds as are played at most are too many to go on
CLOCK = Clock(move_ms=10_000)  # generous: a busy machine must not decide

OnProgress = Callable[[Progress], None]


class BalanceReport(NamedTuple):
    """All that was measured; ``plies`` are those drawn at random, game by game.

    ``rounds`` are those of the first of so many ``looks``, and ``kept`` is the home in which the
    matches are.
    """

    seed: int
    rounds: int
    looks: int
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
    bots: Sequence[BotEntry | str | Mapping[str, Any]] = BOTS,
    rounds: int = 50,
    until_settled: bool = False,
    ladder: bool = False,
    seed: int = 1,
    plies: int | None = None,
    workers: int = 1,
    sandbox: str = "auto",
    allow_unsafe: bool = False,
    progress: OnProgress = lambda progress: None,
) -> BalanceReport:
    """Play matches of bots against themselves, and against the next one, and measure the games.

    Args:
        games: their texts, such as ``leaves(tree=u)``.
        home: the arena's home, where submitted bots are found; the matches are kept in its
            folder ``balance``.
        bots: also as the command line names them, the weakest first.
        rounds: blocks a game and line-up: deals, each played in all seatings.
        until_settled: where a bot against itself leaves it open whether the game is fair, play
            twice as many rounds, and so on, up to 32 times as many. All intervals are wider then,
            as there are six looks; nobody but these looks decides when to stop.
        ladder: let two more bots play: the last one that has ``--simulations N`` with twice and
            with four times as many.
        seed: what deals and bots' seeds come from.
        plies: random actions that open each game; ``None``: 2 where all deals are alike, else 0.
        workers: as for ``compare``.
        sandbox: likewise.
        allow_unsafe: likewise.
        progress: called after every match; ``settled`` and ``total`` count those of all.

    Raises:
        UsageError: there is no game or bot, or one comes twice; or as for ``run_tournament``.
        EngineError: there is no such game.
        BotError: a bot cannot be found or built, or does not play one of the games.
        MatchVoid: a bot that asks is unable to play for too long; what was stored stays.
    """
    home = path_of(home, "home")
    for name, value, least in (("rounds", rounds, 1), ("workers", workers, 1), ("seed", seed, 0)):
        require(value, int, name, "a whole number")
        if value < least:
            raise UsageError(f"{name}: expected {least} or more, found {value}")
    require_list(bots, (BotEntry, str, Mapping), "bots", 'a BotEntry or a text like "greedy"')
    given: list[BotEntry | str] = [
        bot if isinstance(bot, str) else bot_entry(bot, f"bots[{place}]")
        for place, bot in enumerate(bots)
    ]
    line_ups = _line_ups(games, [*given, *(_ladder(given) if ladder else ())], home, plies)
    common = Tournament(
        "",
        (),
        (),
        rounds=rounds,
        seed=study_seed("balance", seed),
        clock=CLOCK,
        workers=workers,
        sandbox=check_sandbox(sandbox),
    )
    looks = LOOKS if until_settled else 1
    left = rounds * sum(line_up.game.num_players for line_up in line_ups)
    done, rows = 0, []
    for line_up in line_ups:
        left -= rounds * line_up.game.num_players

        def over_all(now: Progress, before: int = done, after: int = left) -> None:
            total = before + now.total + after
            progress(replace(now, settled=before + now.settled, total=total))

        rows.append(_measure(line_up, common, home / FOLDER, looks, allow_unsafe, over_all))
        done += rows[-1].rounds * line_up.game.num_players
    return BalanceReport(
        seed,
        rounds,
        looks,
        {str(line_up.game): line_up.plies for line_up in line_ups},
        tuple(row for row in rows if isinstance(row, MirrorRow)),
        tuple(row for row in rows if isinstance(row, MixedRow)),
        str(home / FOLDER),
    )


class _NamedBot(NamedTuple):
    """A bot as it was named, and the line of a tournament that means it."""

    text: str
    entry: BotEntry
    bundled: bool


class _LineUp(NamedTuple):
    """A game and who plays it: one bot in one seat, one (maybe the same) in all others."""

    game: Game
    lone: _NamedBot
    rest: _NamedBot
    plies: int

    def tournament(self, common: Tournament) -> Tournament:
        """Return the tournament in which only these meet."""
        what = f"{self.game}|{self.lone.text}|{self.rest.text}|{self.plies}|{common.seed}"
        mark = hashlib.sha256(what.encode()).hexdigest()
        # several times as fast: ours forget everything at ``game``, and no bot may meet a hidden
        # deal twice
        open_to_all = self.game.type.information == "perfect"
        kept = open_to_all and self.lone.bundled and self.rest.bundled
        return replace(
            seat_two(common, self.game, self.lone.entry, self.rest.entry),
            name=made_name(self.game.name, self.lone.text, mark=mark),
            opening=Opening(plies=self.plies),
            processes="reuse" if kept else "fresh",
        )


def _line_ups(
    games: Sequence[str], bots: Sequence[BotEntry | str], home: Path, plies: int | None
) -> list[_LineUp]:
    """Return who plays each game: every bot in all seats, and each with the one before it."""
    require_list(games, str, "games", 'a text like "leaves"')
    rules = [load_game(text) for text in _once(games, "game")]
    _once([str(game) for game in rules], "game")
    _once([bot if isinstance(bot, str) else bot.name for bot in bots], "bot")
    named = [_entry(bot, home) for bot in bots]
    mixed = [(bot, weaker) for weaker, bot in itertools.pairwise(named)]
    return [
        _LineUp(game, lone, rest, usual_opening(game).plies if plies is None else plies)
        for game in rules
        for lone, rest in (*zip(named, named, strict=True), *mixed)
        if game.num_players > 1 or lone is rest
    ]


def _once(texts: Sequence[str], what: str) -> Sequence[str]:
    """Return texts as they are; raises ``UsageError`` if there is none, or one comes twice."""
    if not texts:
        raise UsageError(f"expected at least one {what}")
    twice = next((text for place, text in enumerate(texts) if text in texts[:place]), None)
    if twice is not None:
        raise UsageError(f'the {what} "{twice}" is named twice')
    return texts


def _ladder(bots: Sequence[BotEntry | str]) -> list[str]:
    """Return the last bot that has ``--simulations N`` with twice and four times as many."""
    texts = [bot if isinstance(bot, str) else bot.name * (not bot.asks) for bot in bots]
    for text in reversed(texts):
        if twice := _doubled(text):
            return [twice, _doubled(twice)]
    raise UsageError("ladder: expected a bot with --simulations N, such as mcts --simulations 50")


def _doubled(bot: str) -> str:
    """Return a bot with twice as many simulations; empty: it has none."""
    twice, found = re.subn(
        r"(--simulations[ =])(\d+)", lambda each: f"{each[1]}{2 * int(each[2])}", bot
    )
    return twice if found else ""


def _entry(bot: BotEntry | str, home: Path) -> _NamedBot:
    """Return a bot as it can be named in another home: a submitted one by its snapshot."""
    entry = parse_bot(bot) if isinstance(bot, str) else bot
    text, entry = entry.name, replace(entry, name=name_of_text(entry.name))
    bundled = False
    if entry.ref is not None:
        with open_store(home, create=False) as store:
            found = enter(entry, store.bots, home, level=None).bot
        bundled = found.origin == "bundled"
        if not bundled:
            folder = kept_folder(home.absolute(), found.hash)
            entry = replace(entry, ref=None, run=str(folder))
    return _NamedBot(text, entry, bundled)


def _measure(
    line_up: _LineUp,
    common: Tournament,
    home: Path,
    looks: int,
    allow_unsafe: bool,
    progress: OnProgress,
) -> MirrorRow | MixedRow:
    """Play what is missing of a line-up, look by look, and measure what there is."""
    seen: dict[str, PlayedMatch] = {}
    mirror = line_up.rest is line_up.lone
    kept = _LineUpRecords([], 0, 0)
    for look in range(looks if mirror else 1):
        rounds = common.rounds * 2**look
        if kept.rounds < rounds:
            kept = _play(line_up, replace(common, rounds=rounds), home, allow_unsafe, progress)
        row = _row(line_up, kept, rounds, looks, seen)
        found = row.balance if isinstance(row, MirrorRow) else None
        if found is None or found.verdict is not Fairness.UNSETTLED:
            break
        if rounds + found.more > HOPELESS * common.rounds * 2 ** (looks - 1):
            break  # the last look would hardly see it
    return row


class _LineUpRecords(NamedTuple):
    """The records of a line-up in schedule order, and how many of so many rounds are undecided."""

    records: list[Record]
    undecided: int
    rounds: int


def _row(
    line_up: _LineUp, kept: _LineUpRecords, rounds: int, looks: int, seen: dict[str, PlayedMatch]
) -> MirrorRow | MixedRow:
    """Measure the first rounds of what is kept; ``seen`` are the matches looked at before."""
    players = line_up.game.num_players
    records = [record for record in kept.records if _block(record) < rounds]
    undecided = min(kept.undecided, rounds * players - len(records))
    good = [record for record in records if not record.faults]
    # those of a suspended bot are not even among the records
    faulty = rounds * players - len(good) - undecided
    whole = Counter(map(_block, good))
    complete = [record for record in good if whole[_block(record)] == players]
    played = [
        seen.get(record.id) or seen.setdefault(record.id, _match(record)) for record in complete
    ]
    round_ms = sum(record.elapsed_ms for record in records) / rounds
    rest = (rounds, round_ms, faulty, undecided, len(good) - len(complete))
    game, bot, opponent = str(line_up.game), line_up.lone, line_up.rest
    if opponent is bot:
        return MirrorRow(game, bot.text, balance(played, looks), *rest)
    names = [[seat.bot for seat in record.players] for record in complete]
    seats = [sitting.index(bot.entry.name) for sitting in names]
    found = skill(list(zip(seats, played, strict=True)))
    doubled = bot.text == _doubled(opponent.text)
    return MixedRow(game, bot.text, opponent.text, found, *rest, doubled)


def _play(
    line_up: _LineUp, common: Tournament, home: Path, allow_unsafe: bool, progress: OnProgress
) -> _LineUpRecords:
    """Play what is missing, and return all there is.

    A tournament that was begun with fewer rounds goes on, and one with more rounds goes on to its
    own end. One that was played with other programs is played again as another edition.
    """
    tournament = line_up.tournament(common)
    how: dict[str, Any] = {"extend": True, "allow_unsafe": allow_unsafe, "progress": progress}
    with open_store(home, create=True) as store:
        latest = store.tournaments.latest(tournament.name)
    begun = common.rounds
    if latest is not None:
        begun = max(begun, int(latest.config["rounds"]))
    try:
        summary = run_tournament(replace(tournament, rounds=begun), home, **how)
    except TournamentChanged:
        begun = common.rounds
        summary = run_tournament(tournament, home, new=True, **how)
    if summary.waits:
        raise MatchVoid(summary.waits)
    with open_store(home, create=False) as store:
        records = [parse_record(text) for text in store.matches.texts(summary.edition.id)]
    return _LineUpRecords(records, len(summary.undecided), begun)


def _block(record: Record) -> int:
    return int(record.block.rpartition("|")[2])


def _match(record: Record) -> PlayedMatch:
    """Play a match through the rules, and return what counts of it here."""
    state = load_game(record.game).new_initial_state(record.setup)
    actions = (*record.opening, *record.actions)
    choices, leaders = [], []
    kinds: Counter[str] = Counter()
    for player, action in actions:
        if action is None:  # resigned
            choices.append(0)
            state = state.drop_player(player)
        else:
            choices.append(state.count_legal(player))
            kinds[kind_of(action)] += 1
            state = state.apply_action(player, action)
        leaders.append(_alone(state.scores()))
    mover, first = actions[0] if actions else (0, None)
    return PlayedMatch(
        block=_block(record),
        seats=tuple(" ".join((seat.hash, *seat.args)) for seat in record.players),
        ranks=record.ranks,
        moves_hash=moves_hash_of(record),
        choices=tuple(choices),
        kinds=kinds,
        scores=record.scores,
        leaders=tuple(leaders) if len(record.ranks) > 1 else (),
        by=str(record.by),
        first=first or "",
        mover=mover,
    )


def _alone(scores: tuple[float, ...]) -> int:
    """Return the only player with the best score."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else NOBODY


def kind_of(action: str) -> str:
    """Return the word an action begins with; ``#`` for one that begins otherwise.

    >>> kind_of("move:w6:3"), kind_of("E4-2"), kind_of("24@-1:1")
    ('move', 'E', '#')
    """
    word = re.match(r"[A-Za-z_]+", action)
    return word.group() if word else "#"
