"""One match that is not rated: a game and bots as a person names them, played here and now."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any, NamedTuple

from arena.bots.find import check_plays, enter, parse_bot
from arena.bots.granted import granted_by
from arena.bots.imports import with_imports
from arena.isolation.choose import choose_level
from arena.match.referee import Referee
from arena.play.function import answered_by, relayed, warn_of_faults
from arena.play.screen import settings_kept
from arena.sandbox import AUTO
from arena.sandbox.secrets import check_secrets
from arena.schedule.seeds import bot_seed
from arena.session.launch import COLOR
from arena.session.match_session import play_match
from arena.store import open_store
from arena.tournament.from_python import bot_entry, given_clock
from arena.tournament.two_bots import numbered
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import UsageError
from arena.values.model import (
    DAY_MS,
    Bot,
    BotEntry,
    Choose,
    Clock,
    Entrant,
    MatchJob,
    MatchResult,
)
from arena.values.origins import PERSON
from arena.values.words import count
from engines import EngineError, Game, load_game

HUMAN = "human"  # the name of the person at the terminal
MAX_VALUES = 100  # of a parameter, tried for one that fits the number of bots


class PersonElsewhere(NamedTuple):
    """A person who reads and writes the protocol at the other end of a socket, such as on a page.

    Attributes:
        socket: the descriptor of this end.
    """

    socket: int


def play(
    game: str,
    *bots: BotEntry | str | Choose | Mapping[str, Any],
    home: PathLike = ".arena",
    seed: int | None = None,
    clock: Clock | None = None,
    setup: str | None = None,
) -> MatchResult:
    """Play one match; a bot may be a function of this program.

    >>> def first(match, left_ms, limit_ms):
    ...     return match.legal[0]
    >>> arena.play("leaves", first, "random", seed=1).record
    <Record 6d74c92f468e1245 leaves: first 2 - random 5, by rules, 11 decisions>

    A function is called as ``choose`` of the kit for Python is: with the match as the bot may know
    it, and the milliseconds that it has. It runs in this process, without isolation. If it raises
    an error, it has lost the match, and the traceback is logged.

    Args:
        game: as for ``play_once``.
        bots: one a seat, in order: names as on the command line, entries, functions, or mappings as
            in a tournament file, such as ``{"name": "gpt", "ask": "gpt.py"}``.
        home: where submitted bots are found.
        seed: what the deal and the bots' seeds come from; drawn if left out.
        clock: as for ``play_once``.
        setup: as for ``play_once``.

    Raises:
        UsageError, EngineError, BotError: as for ``play_once``.
    """
    drawn = secrets.randbelow(1 << 32) if seed is None else seed
    return play_once(game, bots, home, seed=drawn, clock=clock, setup=setup)


def play_once(
    game: str,
    bots: Sequence[BotEntry | str | Choose | PersonElsewhere | Mapping[str, Any]],
    home: PathLike,
    *,
    seed: int,
    clock: Clock | None = None,
    setup: str | None = None,
    opening: Sequence[tuple[int, str]] = (),
    sandbox: str = AUTO,
    memory: str | None = None,
    watch: Callable[[Referee], None] | None = None,
    color: bool = False,
) -> MatchResult:
    """Play one match; nothing is written to the store.

    >>> arena.play_once("leaves", ["greedy", "random"], ".arena", seed=1).record
    <Record ccb77c0351b92144 leaves: greedy 7 - random 2, by rules, 11 decisions>

    Args:
        game: the game's text, such as ``leaves(tree=plus)``.
        bots: one a seat, in order, also as the command line names them; ``human`` is the person at
            the terminal; a function plays as ``play`` says; a ``PersonElsewhere`` is asked there.
        home: where submitted bots are found.
        seed: what the deal and the bots' seeds come from.
        clock: everybody's time control; the usual one if left out.
        setup: a position or deal to start from, instead of the seed's.
        opening: players and actions that are played before the first decision.
        sandbox: the level at which bots run; ``auto`` is the strongest that works here.
        memory: what a bot may use, such as ``2GiB``; 1 GiB if left out.
        watch: called after the start and after every node.
        color: whether the boards that a person sees at the terminal have colours.

    Raises:
        UsageError: the number of bots does not fit the game, or a value of a BotEntry or Clock is
            none that a file could have, or the level does not work here, or
            bots cannot import the game there.
        EngineError: there is no such game, the setup is not one of it, or an action of the opening
            is not legal.
        BotError: a bot cannot be found or built, or does not play this game.
    """
    home = path_of(home, "home")
    require(game, str, "game", 'a text like "leaves"')
    require(seed, int, "seed", "a whole number")
    if clock is not None:
        clock = given_clock(clock)
    require(setup, (str, NoneType), "setup", "a text")
    require(bots, (list, tuple), "bots", "a list")
    entries: list[BotEntry | PersonElsewhere] = []
    for number, bot in enumerate(bots):
        if isinstance(bot, str):
            entries.append(parse_bot(bot))
        elif isinstance(bot, PersonElsewhere):
            entries.append(bot)
        else:
            entries.append(bot_entry(bot, f"bots[{number}]"))
    rules = load_game(game)
    check_number(rules, len(bots), setup)
    level = choose_level(sandbox)
    granted = granted_by(memory)._replace(start_ms=(clock or Clock()).start_ms)
    check_secrets([entry for entry in entries if isinstance(entry, BotEntry)], level)
    with contextlib.ExitStack() as opened:
        lock = opened.enter_context(tempfile.TemporaryFile(buffering=0)).fileno()

        def entered(entry: BotEntry | PersonElsewhere) -> Entrant:
            if isinstance(entry, PersonElsewhere):
                return relayed(_person(clock), (*entry, *entry))
            if entry.ref == HUMAN:
                return _person_here(_person(clock), color, lock, opened)
            entrant = enter(entry, store.bots, home, level=level, granted=granted)
            return answered_by(entry.function, entrant, opened) if entry.function else entrant

        with open_store(home, create=False) as store:
            entrants = [entered(entry) for entry in entries]
        for entrant in entrants:
            check_plays(entrant.bot, str(rules))
        seated = with_imports(entrants, (str(rules),), level, home)
        job = job_for(str(rules), seated, seed, clock or Clock(), setup, level, opening)
        result = play_match(job, watch=watch)
    warn_of_faults(result.record, set())
    return result


def check_number(rules: Game, bots: int, setup: str | None) -> None:
    """Raise ``UsageError`` unless a game is for so many bots."""
    if bots != rules.num_players:
        near = _variant(rules, bots) if setup is None else None  # a setup is of one variant
        hint = "" if near is None else f'; did you mean "{near}"?'
        players = count(rules.num_players, "player")
        raise UsageError(f"{rules} is for {players}, found {count(bots, 'bot')}{hint}")


def _variant(game: Game, players: int) -> Game | None:
    """Return the game with one parameter changed that is for so many players, if there is one."""
    for parameter in game.PARAMETERS:
        for value in tuple(parameter.values or ())[:MAX_VALUES]:
            values = {**game.parameters, parameter.name: value}
            words = ",".join(f"{name}={word}" for name, word in values.items())
            try:
                other = load_game(f"{game.name}({words})")
            except EngineError:
                continue
            if other.num_players == players:
                return other
    return None


def _person(clock: Clock | None) -> Entrant:
    """Return a person as an entrant; without a clock there is a day for each decision."""
    digest = hashlib.sha256(b"arena/1|human").hexdigest()
    bot = Bot(HUMAN, 0, f"sha256:{digest}", (), "", origin=PERSON)
    return Entrant(HUMAN, bot, clock=clock or Clock(move_ms=DAY_MS))


def _person_here(person: Entrant, color: bool, lock: int, opened: contextlib.ExitStack) -> Entrant:
    """Return a person as an entrant at the terminal.

    The terminal's two descriptors are closed with ``opened``, and the terminal is left as it was.

    Args:
        person: who plays.
        color: whether the terminal shows colours.
        lock: the descriptor of the file that each of several people locks while being asked.
        opened: what ends with the match.
    """
    screen = 1 if sys.stdout.isatty() or not sys.stderr.isatty() else 2
    terminal = [os.dup(0), os.dup(screen)]
    for descriptor in terminal:
        opened.callback(os.close, descriptor)
    opened.enter_context(settings_kept(terminal[0]))
    # how keys and lines are edited there
    env = ((COLOR, str(int(color))), ("TERM", os.environ.get("TERM", "dumb")))
    return relayed(replace(person, env=env), (*terminal, lock), program="human")


def job_for(
    game: str,
    entrants: Sequence[Entrant],
    seed: int,
    clock: Clock,
    setup: str | None,
    sandbox: str,
    opening: Sequence[tuple[int, str]] = (),
) -> MatchJob:
    """Return the job of a match that belongs to no tournament, played at a level of isolation."""
    names = numbered([entrant.name for entrant in entrants])
    block = f"{game}|{'+'.join(sorted(names))}|0"
    identity = f"arena/1|play|{seed}|{block}|{'+'.join(names)}|{setup or ''}"
    identity += "".join(f"|{player} {action}" for player, action in opening)
    return MatchJob(
        id=hashlib.sha256(identity.encode()).hexdigest()[:16],
        tournament=None,
        number=0,
        block=block,
        seating=0,
        game=game,
        seed=seed,
        seats=tuple(
            replace(entrant, name=name).seat(clock, bot_seed(seed, game, names, 0, 0, place))
            for place, (entrant, name) in enumerate(zip(entrants, names, strict=True))
        ),
        setup=setup,
        opening_actions=tuple(opening) or None,
        sandbox=sandbox,
        clock=clock,
    )
