"""Matches found again: by id in the home or as a record file, verified, played again.

A match is named by its id, by a unique beginning of it, or by the path of a file with its record.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arena.bots.built import built_differently
from arena.bots.find import recall
from arena.bots.imports import imports_for
from arena.bots.isolation import refuse_foreign
from arena.isolation.choose import choose_level
from arena.play.once import HUMAN
from arena.record.job_check import asked
from arena.record.leaks import leaks
from arena.record.record import parse_record
from arena.record.recorded import job_of_record
from arena.record.replay import first_difference, replay_states, rules_difference, verify
from arena.review.inspection import StoredMatches
from arena.sandbox import AUTO, find_level
from arena.sandbox.secrets import check_secrets
from arena.session.match_session import play_match
from arena.store import Edition, Store, open_home, open_store
from arena.store.record_files import read_record_file
from arena.values.arguments import PathLike, path_of, require_list
from arena.values.errors import RecordError, StoreError, UsageError
from arena.values.model import BotEntry, MatchJob, MatchResult, Player, Record, Termination
from arena.values.origins import ASK, FUNCTION
from arena.values.tables import MatchRow
from arena.values.untrusted import show
from engines import EngineError, State

NAMED = 10  # variables that a message names
_ID = re.compile("[0-9a-f]{1,16}")  # or its beginning


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A match played again: the new one, and the first difference, ``None`` if it is identical.

    ``new`` is ``None`` where the rules are no longer those of then, so that nothing was played.
    ``built_differently`` has the names of bots whose builds do not make what the first one made,
    ``other_packages`` those of bots whose environments have other packages now.
    """

    old: Record
    new: MatchResult | None
    difference: str | None
    built_differently: tuple[str, ...] = ()
    other_packages: tuple[str, ...] = ()


def find_record(match: PathLike, home: PathLike, *, shown: bool = False) -> Record:
    """Return the record that a person means by an id, the beginning of one, or a file.

    >>> arena.find_record("1ac9", ".arena")
    <Record 1ac9a3625f0be6c1 leaves: greedy 9 - random-sh 1, by rules, 9 decisions>

    Args:
        match: the id, its beginning, or the path of the file.
        home: the arena's home.
        shown: leave out the deal's seed while the match's tournament is unfinished, as in all that
            is shown to people.

    Raises:
        RecordError: there is none, or several; or the file is no record.
    """
    path, home = path_of(match, "match"), path_of(home, "home")
    if is_file(match):
        return read_record_file(path)
    assert isinstance(match, str)
    with open_home(home) as store:
        record = parse_record(store.matches.text(match))
        if shown and record.tournament in store.tournaments.unfinished():
            return replace(record, seed=None)
        return record


def check_rules(record: Record, cannot_be: str) -> None:
    """Raise ``RecordError`` if the rules are other ones now; ``cannot_be`` says what for."""
    other = rules_difference(record)
    if other is not None:
        raise RecordError(f"match {show(record.id)} cannot be {cannot_be}: {other}")


def positions(record: Record) -> list[State]:
    """Return the positions of a match from its setup on, one more than there are actions.

    Raises:
        RecordError: the rules do not accept the record.
    """
    try:
        return replay_states(record)
    except (EngineError, ValueError) as error:
        raise RecordError(f"match {show(record.id)}: the rules do not accept it: {error}") from None


def verify_all(
    matches: Sequence[PathLike], home: PathLike, *, audit: bool = False
) -> Iterator[tuple[str, list[str]]]:
    """Yield the id of each match, with what is wrong with it (nothing: it is all right).

    What is stored is checked by the rules, and compared with its tournament: seeds, deal, and what
    tables are made from. A record file is checked by the rules alone.

    >>> [wrong for _, wrong in arena.verify_all(["1ac9"], ".arena")]
    [[]]

    Args:
        matches: ids, files, or the names of tournaments, ``NAME`` or ``NAME#2``; none: every match
            of the home, and before them the store itself, by its name, if SQLite finds damage.
        home: the arena's home.
        audit: also look for questions that depend on what the player may not know.

    Raises:
        UsageError: there is no such tournament.
        RecordError: there is no such match, or a file is no record.
        StoreError: the store cannot be read, or matches are missing in it.
    """
    require_list(matches, (str, os.PathLike), "matches", "an id or a path")
    home = path_of(home, "home")
    for match in matches:
        if is_file(match):
            yield _by_the_rules(read_record_file(path_of(match, "matches")), audit)
            continue
        assert isinstance(match, str)
        with open_home(home) as store:
            yield from _verify_rows(store, home, *_named(store, match), audit)
    if not matches:
        with open_home(home) as store:
            if damage := store.check():
                yield store.path.name, [damage]
            try:
                for edition in store.tournaments.all():
                    yield from _verify_rows(store, home, edition, _rows(store, edition), audit)
            except StoreError:
                if not damage:  # which is why it cannot be read
                    raise


def _named(store: Store, text: str) -> tuple[Edition, Iterable[MatchRow]]:
    """Return a tournament with its matches, or a match, if it is the id of one.

    Raises:
        UsageError: it is neither; or there is no such edition.
    """
    try:
        edition = store.tournaments.find(text)
    except UsageError as error:
        if not _ID.fullmatch(text):
            expected = "expected the id of a match, a file or a tournament"
            raise UsageError(f"{error}; {expected}") from None
        row = store.matches.inspect(text)
        return store.tournaments.get(row.edition), [row]
    return edition, _rows(store, edition)


def _rows(store: Store, edition: Edition) -> Iterator[MatchRow]:
    return store.matches.read(edition.id, texts=True, damaged=True)


def _verify_rows(
    store: Store, home: Path, edition: Edition, rows: Iterable[MatchRow], audit: bool
) -> Iterator[tuple[str, list[str]]]:
    stored = StoredMatches(store, home, edition)
    for row in rows:
        if row.damage:
            yield row.id, [row.damage]
            continue
        try:
            record = parse_record(row.text)
        except RecordError as error:  # damaged before it had a hash
            yield row.id, [str(error)]
            continue
        wrong = list(stored.differences(row, record))
        try:
            store.said(row, len(record.players))
        except StoreError as error:
            wrong.append(str(error))
        wrong += _by_the_rules(record, audit)[1]
        if wrong and record.host:
            wrong.append(f"the host {show(record.host)} played it")
        yield record.id, wrong


def _by_the_rules(record: Record, audit: bool) -> tuple[str, list[str]]:
    wrong = verify(record)
    return record.id, leaks(record) if audit and not wrong else wrong


def reproduce(
    match: PathLike, home: PathLike, sandbox: str = AUTO, *, trust: bool = False
) -> Reproduction:
    """Play a match again with the same bots, arguments, seeds, clock, setup and opening.

    >>> arena.reproduce("1ac9", ".arena").difference is None
    True

    Args:
        match: an id, the beginning of one, or a file.
        home: the arena's home.
        sandbox: the level at which the bots are isolated; a record is nobody's consent to less.
        trust: run a program that asked with your own rights again.

    Raises:
        UsageError: the level does not work on this machine; or none was named, nothing isolates
            here, and the record sets environment variables; or a bot asked, without ``trust``, or
            not as one of a tournament in this home does.
        EngineError: its game is not here.
        RecordError: there is no such match.
        BotError: a bot's program is not here any more.
    """
    home = path_of(home, "home")
    record = find_record(match, home)
    with open_store(home, create=False) as store:
        foreign = store.carried.programs()
    programs = [(player.bot, player.hash) for player in record.players if player.hash in foreign]
    refuse_foreign(programs, sandbox, "the match")
    return reproduce_record(record, home, sandbox, trust=trust)


def reproduce_record(
    record: Record, home: Path, sandbox: str = AUTO, *, trust: bool = False
) -> Reproduction:
    """Play the match of a record again; arguments and errors as for ``reproduce``."""
    other = rules_difference(record)
    if other is not None:
        return Reproduction(record, None, other)
    if record.asks and not trust:
        raise UsageError(
            f"match {show(record.id)}: to play it again, {', '.join(map(show, record.asks))} needs "
            "your own rights (ask); if you trust the program, add --trust"
        )
    level = choose_level(sandbox)
    if sandbox == AUTO and not find_level(level).isolates and (named := variables(record.players)):
        raise UsageError(
            f"match {show(record.id)} sets environment variables ({named}), and this machine "
            "cannot isolate bots: if you trust the record, name a level: --sandbox limits"
        )
    job = _job(record, home, level)
    result = play_match(job)
    difference = first_difference(record, result.record)
    if difference is not None and level != record.sandbox:
        difference += (
            f'; bots were isolated by "{record.sandbox}" then, and by "{level}" now: '
            f"--sandbox {record.sandbox} does as then"
        )
    others = built_differently([seat.entrant.bot for seat in job.seats], home)
    pairs = zip(record.players, result.record.players, strict=True)
    changed = [then.bot for then, now in pairs if then.packages != now.packages]
    return Reproduction(record, result, difference, others, tuple(dict.fromkeys(changed)))


def variables(players: Iterable[Player]) -> str:
    """Name the variables of players: a variable can make a harmless bot run any code."""
    names = [show(name, 50) for player in players for name, _ in player.env]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def is_file(match: PathLike) -> bool:
    """Return whether a match is named by the path of a record file, and not by its id."""
    if not isinstance(match, str):
        return True
    path = Path(match)
    return "/" in match or bool(path.suffix) or (len(match) < 255 and path.is_file())


def _secrets(record: Record, home: Path) -> list[tuple[str, ...]]:
    """Return the secrets of each player: what a tournament of this home gives to who asks there.

    Raises:
        UsageError: a program is to have your rights that nobody has given them here, or with
            arguments or variables that nobody has said here: a key could go anywhere by these.
    """
    said: dict[object, tuple[str, ...]] = {}
    with open_store(home, create=False) as store:
        for edition in store.tournaments.all():
            for bot in edition.config["bots"]:
                if "ask" in bot:
                    env = tuple(sorted(bot["env"].items()))
                    identity = edition.config["programs"][bot["name"]], tuple(bot["args"]), env
                    said[identity] = tuple(bot.get("secrets", ()))
    found = []
    for one in record.players:
        identity = one.hash, one.args, tuple(sorted(one.env))
        if one.sandbox == ASK and identity not in said:
            raise UsageError(
                f"match {show(record.id)}: no tournament of this home has a bot that asks with the "
                f"program of {show(one.bot)}, its args and its env"
            )
        found.append(said[identity] if one.sandbox == ASK else ())
    return found


def _job(record: Record, home: Path, sandbox: str) -> MatchJob:
    """Return the job of the same match."""
    if any(player.bot.partition("#")[0] == HUMAN for player in record.players):
        raise RecordError("a person played in this match, who cannot be asked to do it again")
    if functions := [player.bot for player in record.players if player.sandbox == FUNCTION]:
        raise UsageError(
            f"match {record.id} was played by a function of a program ({show(functions[0])}), and "
            "not by one that could be started; arena verify proves the match"
        )
    secrets = _secrets(record, home) if record.asks else []
    bots = [
        recall(player.bot, player.version, player.hash, home, asks=player.sandbox == ASK)
        for player in record.players
    ]
    imports = imports_for((record.game,), bots, sandbox, home)
    job = job_of_record(record, [replace(bot, imports=imports) for bot in bots], sandbox)
    if record.asks:
        pairs = zip(job.seats, secrets, strict=True)
        seats = [replace(seat, entrant=replace(seat.entrant, secrets=own)) for seat, own in pairs]
        entrants = [seat.entrant for seat in seats]
        check_secrets(
            [BotEntry(o.name, run="", asks=o.bot.asks, secrets=o.secrets) for o in entrants],
            sandbox,
        )
        job = replace(job, seats=tuple(seats))
    cut = record.by is Termination.MAXMOVES
    return replace(job, max_decisions=asked(record)) if cut else job
