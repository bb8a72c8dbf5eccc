"""Is one bot stronger than another? A tournament of the two that ends when it is known."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypedDict, Unpack

from arena.bots.find import check_plays, enter, function_bot, parse_bot
from arena.bots.isolation import level_for, untrusted_among
from arena.progress.stop_rule import comparison_of
from arena.report.comparison_text import (
    anchored_text,
    comparison_numbers,
    comparison_sentence,
)
from arena.results.standings import anchor_of, choose
from arena.run.runner import Progress, run_tournament
from arena.schedule.compare import FORMAT, MOST_BLOCKS
from arena.stats.sprt import Sprt
from arena.stats.strength import Answer
from arena.store import open_store
from arena.tournament.change import fingerprint
from arena.tournament.from_python import bot_entry, check_given
from arena.tournament.kept import config_of_bots
from arena.tournament.names import name_of_text
from arena.tournament.supported import usual_workers
from arena.tournament.text_files import read_setups
from arena.tournament.two_bots import made_name, seat_two, usual_opening
from arena.tournament.units import parse_memory
from arena.values.arguments import PathLike, check_anchor, path_of, require
from arena.values.errors import MatchVoid, TournamentChanged, UsageError
from arena.values.model import (
    DEFAULT_MEMORY,
    Bot,
    BotEntry,
    Choose,
    Clock,
    Opening,
    Stop,
    Tournament,
)
from engines import Game, load_game

Given: TypeAlias = BotEntry | str | Choose | Mapping[str, Any]  # a bot, as a program says it


class Comparison(NamedTuple):
    """What a comparison says.

    ``tournament`` is the edition's label; ``first`` and ``other`` are the entrants' names,
    ``undecided`` the ids of matches that could not be played to their end in this run. ``out``
    says who is suspended or taken out, with the reason: then nothing is known. ``seed`` is the one
    that is shown since the last match of this run. ``anchor`` is the bot whose Elo is fixed, and
    what it is.
    """

    tournament: str
    game: str
    first: str
    other: str
    answer: Answer
    undecided: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    seed: int | None = None
    anchor: tuple[str, float] | None = None

    @property
    def verdict(self) -> str:
        """``stronger``, ``not-weaker``, ``weaker`` or ``inconclusive``."""
        return self.answer.verdict

    def _repr_html_(self) -> str:
        """Return a table for a notebook: the answer, and what it rests on."""
        from arena.values.html import html_table

        columns = ["game", "verdict", "answer", "numbers"]
        row = self.game, self.verdict, self.sentence, self.numbers
        return html_table(self.tournament, columns, [row])

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        text = comparison_sentence(self.first, self.other, self.answer)
        return "; ".join([text, *self.out])

    @property
    def numbers(self) -> str:
        """What the answer rests on: matches by result, blocks by score, and the test."""
        numbers = comparison_numbers(self.answer)
        if self.anchor is None or self.anchor[0] not in (self.first, self.other):
            return numbers
        other = self.other if self.anchor[0] == self.first else self.first
        return f"{numbers} · {anchored_text(*self.anchor, other, self.answer, other == self.first)}"


class SprtOptions(TypedDict, total=False):
    """A sequential test, by the defaults of ``Sprt`` where nothing is said.

    Attributes:
        elo0: ``first`` is no stronger than this. Below 0 it asks whether ``first`` is no weaker.
        elo1: or it is stronger by this.
        alpha: the chance of a false "stronger".
        beta: the chance of a false "not stronger".
    """

    elo0: float
    elo1: float
    alpha: float
    beta: float


def compare(
    first: Given,
    other: Given,
    game: str,
    home: PathLike,
    *,
    rounds: int | None = None,
    workers: int | None = None,
    clock: Clock | None = None,
    seed: int | None = None,
    sandbox: str = "auto",
    durability: str = "normal",
    allow_unsafe: bool = False,
    plies: int | None = None,
    opening: PathLike | None = None,
    memory: str | None = None,
    name: str | None = None,
    anchor: Mapping[str, float] | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
    **test: Unpack[SprtOptions],
) -> Comparison:
    """Find out whether a bot is stronger than another, playing as many matches as that takes.

    The same call goes on where it stopped; what was answered is not played again. Another version,
    argument, clock or test is another comparison.

    Args:
        first: the bot in question, as the command line names it; or a function, or a mapping such
            as ``{"name": "net", "function": f, "version": "step-4000"}``.
        other: who it is compared with. In games for more than two it has all other seats.
        game: the game's text, such as ``leaves(tree=plus)``.
        home: where everything is kept.
        rounds: play so many blocks, each one deal in all seatings, without looking at ``test``.
        workers: processes; left out, as many as there are cores.
        clock: everybody's time control; the usual one if left out.
        seed: what all deals and the bots' seeds come from; left out, one is drawn.
        sandbox: the level at which bots run; ``auto`` is the strongest that works here.
        durability: ``full``: also a power cut loses no match.
        allow_unsafe: run untrusted bots although nothing isolates them.
        plies: random actions that open each match; left out, 2 where all deals are alike.
        opening: a file of setups to begin from in turn, one a line.
        memory: what a bot may use, such as ``2GiB``.
        name: the tournament's; left out, one that says what is compared.
        anchor: the one of the two whose Elo is fixed, with its Elo, such as ``{"greedy": 1500}``.
        progress: called at the start and after every match.
        test: the sequential test that says when to stop.

    Raises:
        UsageError: a value does not fit, or the game is not for two or more players.
        BotError: a bot cannot be found or built, or does not play this game.
        MatchVoid: a bot that asks is unable to play for too long; what was stored stays.
        KeyboardInterrupt: somebody stopped it; what was stored stays.
    """
    home = path_of(home, "home")
    require(game, str, "game", "a text")
    rules = load_game(game)
    setups = () if opening is None else read_setups(path_of(opening, "opening"), rules)
    usual = plies is None and not setups
    tournament = Tournament(
        name=name or "",
        games=(str(rules),),
        bots=(),
        format=FORMAT.name,
        rounds=MOST_BLOCKS if rounds is None else rounds,
        seed=seed,
        clock=clock or Clock(),
        opening=usual_opening(rules) if usual else Opening(plies or 0, setups),
        memory_bytes=DEFAULT_MEMORY if memory is None else parse_memory(memory),
        workers=usual_workers("fresh") if workers is None else workers,
        sandbox=sandbox,
        durability=durability,
        stop=Stop(sprt=Sprt(**test) if rounds is None else None),
    )
    entries = [
        parse_bot(bot) if isinstance(bot, str) else bot_entry(bot, place)
        for place, bot in (("first", first), ("other", other))
    ]
    named = [replace(entry, name=name_of_text(entry.name)) for entry in entries]
    check_given(seat_two(replace(tournament, name=name or "compare"), rules, *named))
    if anchor is not None:
        tournament = replace(tournament, anchor=check_anchor(anchor))
    tournament = _resolved_tournament(tournament, rules, entries, home, allow_unsafe)
    try:
        summary = run_tournament(tournament, home, allow_unsafe=allow_unsafe, progress=progress)
    except TournamentChanged:
        raise UsageError(
            f'another tournament, or another comparison, is called "{tournament.name}"; give this '
            "comparison another name, or none"
        ) from None
    if summary.waits:
        raise MatchVoid(summary.waits)
    compared = read_comparison(home, summary.edition.label)
    assert compared is not None
    return compared._replace(undecided=tuple(summary.undecided), seed=summary.seed)


def _resolved_tournament(
    tournament: Tournament, game: Game, entries: list[BotEntry], home: Path, allow_unsafe: bool
) -> Tournament:
    """Return a comparison of two bots as they are now; without a name, its content gives one."""
    with open_store(home, create=False) as store:
        untrusted = untrusted_among(entries, store.bots)
        level = level_for(tournament.sandbox, untrusted, allow_unsafe=allow_unsafe)
        granted = tournament.granted
        bots = [enter(one, store.bots, home, granted=granted, level=level).bot for one in entries]
    for bot in bots:
        check_plays(bot, tournament.games[0])
    both = list(map(_resolved, entries, bots))
    whole = seat_two(tournament, game, *[entry for entry, _ in both])
    if whole.name:
        return whole
    seated = {line.name: both[min(seat, 1)][1] for seat, line in enumerate(whole.bots)}
    mark = fingerprint(config_of_bots(whole, seated))
    names = [entry.name for entry, _ in both]
    return replace(whole, name=made_name("compare", *names, game.name, mark=mark))


def _resolved(entry: BotEntry, bot: Bot) -> tuple[BotEntry, Bot]:
    """Return what a bot means now: its very version, under such a name, and itself."""
    if entry.version is not None:
        entry = replace(entry, version=entry.version or secrets.token_hex(8))
        return entry, function_bot(entry.name, entry.version or "")
    ref = f"{bot.name}@{bot.version}" if bot.origin == "submitted" else entry.ref
    named = ref or shlex.split(entry.name)[0]
    return replace(entry, ref=ref, name=name_of_text(" ".join([named, *entry.args]))), bot


def read_comparison(home: PathLike, tournament: str | None = None) -> Comparison | None:
    """Return what a comparison in a home says so far; ``None`` if the tournament is none.

    Args:
        home: the arena's home.
        tournament: ``NAME``, ``NAME#2``, or the one run last.

    Raises:
        UsageError: there is no such tournament.
    """
    with open_store(path_of(home, "home"), create=False) as store:
        edition = choose(store, tournament)
        test = comparison_of(store, edition, decides=False)
        if test is None:
            return None
        out = tuple([f"{row.bot} {row.reason}" for row in store.cache.out(edition.id)])
        if not out:
            settled = store.matches.settled(edition.id, undecided=True)
            test.count(settled.advance())
        answer = test.answer()
    return Comparison(
        edition.label,
        test.game,
        test.first,
        test.others[0],
        answer,
        out=out,
        anchor=anchor_of(edition),
    )
