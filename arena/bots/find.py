"""From what a person writes for a bot to an entrant that is ready to play."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from arena.bots.bot_yaml import check_name
from arena.bots.build import build, find_copy
from arena.bots.bundled import BUNDLED_VERSION, bundled_bots
from arena.bots.content import is_hash, names_in
from arena.bots.granted import check_granted
from arena.bots.imports import with_imports
from arena.bots.program import Program, describe
from arena.bots.ready import as_it_lies, make_ready
from arena.bots.snapshots import keep, kept_folder, open_kept, open_snapshot
from arena.bots.taken import is_ours
from arena.process.languages import language_of
from arena.store.above import home_above
from arena.store.bots import Bots, BotVersion, ImportedVersion
from arena.store.entrants import Entry
from arena.values.errors import BotBuildError, BotError, hint, near_miss
from arena.values.model import USUAL, Bot, BotEntry, Entrant, Granted, Tournament
from arena.values.origins import ASK, FUNCTION
from arena.values.untrusted import show
from engines import EngineError, game_names, load_game

# the person at the keyboard, all bots that were submitted, and commands of ``arena bots``
TAKEN = ("human", "all", "prune", "remove", "retire", "restore")

SYNTAX = frozenset(" '\"\\")  # what separates words, or quotes them


def parse_bot(
    text: str, asks: Mapping[str, str] = MappingProxyType({}), secrets: tuple[str, ...] = ()
) -> BotEntry:
    """Read a bot as the command line names it: a name, ``NAME@VERSION`` or a path, then arguments.

    It is a path if it has a ``/``, a known suffix, or is a file here. A text that is a path as a
    whole, spaces and quotation marks included, has no arguments.

    >>> parse_bot("/home/me/x.py --sims 200").run
    '/home/me/x.py'

    Args:
        text: what a person wrote.
        asks: the paths of programs that run with your own rights, by the names that mean them.
        secrets: variables of yours that these get.

    Raises:
        BotError: the text is empty or its quotes do not match.
    """
    base = Path.cwd()
    if SYNTAX.intersection(text) and os.path.exists(base / text):
        return BotEntry(name=text, run=str(base / text))
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BotError(f'cannot read the bot "{show(text)}": {error}') from None
    if not words or not words[0]:
        raise BotError("expected a bot: a name, name@version, or a path")
    first, args = words[0], tuple(words[1:])
    if first in asks:
        path = str(base / asks[first])
        return BotEntry(name=text, run=path, args=args, asks=True, secrets=secrets)
    place = base / first
    if "/" in first or language_of(first) is not None or place.is_file() or first in (".", ".."):
        return BotEntry(name=text, run=str(place), args=args)
    return BotEntry(name=text, ref=first, args=args)


def enter(
    entry: BotEntry,
    store_bots: Bots,
    home: Path,
    *,
    level: str | None,
    granted: Granted = USUAL,
    pins: Mapping[str, Entry] = MappingProxyType({}),
    keeps: bool = False,
) -> Entrant:
    """Return the entrant that one line means, found and built.

    Args:
        entry: the line. A bot named by ``run`` has version 0; ``NAME`` means the newest version
            that is not retired.
        store_bots: where submitted bots are looked up.
        home: the arena's home.
        level: the isolation level at which it is built; ``None``: it is not to start here.
        granted: what it may have, if the line has nothing of its own.
        pins: the entrants by name as the tournament started with them, if it did.
        keeps: whether a copy is kept in the home, so that it stays what it is now; otherwise
            nothing is written there.

    Raises:
        BotError: there is no such bot or version, or it is none; the message has a near miss. Or it
            needs more than is granted.
        BotBuildError: it cannot be built here.
    """
    if entry.memory_bytes is not None:
        granted = granted._replace(memory_bytes=entry.memory_bytes)
    if entry.clock is not None:
        granted = granted._replace(start_ms=entry.clock.start_ms)
    if entry.version is not None:
        bot = function_bot(entry.name, entry.version)
    else:
        pin = pin_of(entry, pins)
        if pin is not None:
            program = _pinned(pin, store_bots, home)
        else:
            program = _find(entry, store_bots, home, granted.bot_size)
        check_granted(entry.name, program, granted)
        if keeps:
            program = keep(program, home)
        if level is None:
            bot = as_it_lies(program, home)
        else:
            bot = make_ready(program, level=level, home=home)
            if not (keeps or program.version) and program.build:
                # from it a match is played again that is in a file only
                build(program, (), level=level)
    return Entrant(
        name=entry.name,
        bot=bot,
        args=entry.args,
        env=entry.env,
        clock=entry.clock,
        memory_bytes=granted.memory_bytes,
        secrets=entry.secrets,
        at_once=entry.at_once,
    )


def function_bot(name: str, version: str) -> Bot:
    """Return a function of a program as a bot: it is its name and what the program calls it."""
    digest = hashlib.sha256(f"arena/1|function|{name}|{version}".encode()).hexdigest()
    return Bot(name, 0, f"sha256:{digest}", (FUNCTION,), "", origin=FUNCTION)


def _find(entry: BotEntry, store_bots: Bots, home: Path, most: int) -> Program:
    """Return the program that a line means by now; one named by a path has ``most`` bytes."""
    if entry.run is not None:
        program = describe(Path(entry.run), asks=entry.asks, most=most)
        return replace(program, origin=entry.origin)
    assert entry.ref is not None, "an entry has a ref or a run"
    name, version = parse_ref(entry.ref)
    rows = {row.version: row for row in store_bots.versions(name)}
    if rows:
        row = choose_version(name, version, rows)
        return open_kept(home, row.hash, name, row.version, "submitted")
    bundled = {program.name: program for program in bundled_bots()}
    if name in bundled:
        if version not in (None, BUNDLED_VERSION):
            raise _no_version(name, version, [BUNDLED_VERSION])
        return bundled[name]
    if came := [one for one in store_bots.imported() if one.name == name]:
        return _imported(name, version, came, home)
    known = sorted({*bundled, *(row.name for row in store_bots.all())})
    here = [one for one in names_in(Path()) if Path(one).stem == name and language_of(one)]
    here = [name, *here] if Path(name).exists() else here
    if language_of(name) is not None:  # in a tournament file: no bot is submitted as "oak.py"
        meant = f'; a file is given as {{name: …, run: "{name}"}}'
    elif here:
        meant = f'; for the file or folder here write "./{here[0]}"'
    else:
        meant = near_miss(name, [*known, *game_names()]) or hint(name, known)
    raise BotError(f'there is no bot "{show(name)}"{meant}{home_above(home)}')


def _imported(
    name: str, version: int | None, came: Sequence[ImportedVersion], home: Path
) -> Program:
    """Return a version that a bundle brought: it must be named in full, and be one program."""
    meant = [one for one in came if one.version == version]
    if len(meant) != 1:
        texts = ", ".join(f"{name}@{one.version} of {show(one.bundle)}" for one in came)
        raise BotError(
            f'"{show(name)}" was not submitted here; name in full a version that is one program in '
            f"all bundles: {texts}"
        )
    return open_kept(home, meant[0].hash, name, meant[0].version, "imported")


def check_plays(bot: Bot, game: str) -> None:
    """Raise ``BotError`` if a bot's ``bot.yaml`` names games, and this one is none of them.

    One that is named without parameters stands for all its variants.
    """
    base = game.partition("(")[0]
    if bot.games and not any(named == base or _same(named, game) for named in bot.games):
        played = ", ".join(show(named, 60) for named in bot.games)
        raise BotError(f'"{bot.name}" plays {played}, as its bot.yaml says, and not {game}')


def _same(named: str, game: str) -> bool:
    try:
        return str(load_game(named)) == game
    except EngineError:
        return False


def enter_all(
    entries: Iterable[BotEntry],
    tournament: Tournament,
    store_bots: Bots,
    home: Path,
    *,
    level: str | None,
    keeps: bool,
    pins: Mapping[str, Entry] = MappingProxyType({}),
) -> dict[str, Entrant]:
    """Return the entrants that lines of a tournament mean, by their names; arguments as ``enter``.

    No line is a pattern. With a level they have what they import of the games.

    Raises:
        BotError: some of them are not there, are no bots, need more than is granted, or do not play
            one of the games: all mistakes, a line each.
        BotBuildError: one cannot be built here.
        UsageError: they cannot import a game at this level.
    """
    entrants: dict[str, Entrant] = {}
    wrong: list[str] = []
    granted = tournament.granted
    for entry in entries:
        try:
            entrants[entry.name] = enter(
                entry, store_bots, home, level=level, granted=granted, pins=pins, keeps=keeps
            )
            for game in tournament.games:
                check_plays(entrants[entry.name].bot, game)
        except BotBuildError:
            raise
        except BotError as error:
            wrong.append(f"{entry.where}: {error}" if entry.where else str(error))
    if wrong:
        raise BotError("\n".join(dict.fromkeys(wrong)))  # one of two seats is enough
    if level is None:
        return entrants
    ready = with_imports(entrants.values(), tournament.games, level, home)
    return {entrant.name: entrant for entrant in ready}


def recall(name: str, version: int, digest: str, home: Path, *, asks: bool = False) -> Bot:
    """Return the very program that a record names by its hash, retired or not.

    Args:
        name: the entrant's name, for messages.
        version: the version in the record; 0 if it was named by a path.
        digest: ``sha256:<64 hex>``.
        home: the arena's home.
        asks: whether it is to have your own rights.

    Raises:
        BotError: no program with this hash is here any more.
    """
    program = find_program(name, digest, home, played=True)
    origin = program.origin
    if program not in bundled_bots():
        origin = "submitted" if version else ASK if asks else "file"
    return make_ready(replace(program, version=version, origin=origin), home=home)


def find_program(name: str, digest: str, home: Path, *, played: bool = False) -> Program:
    """Return the program of a hash as it lies here, not built; arguments and errors as ``recall``.

    What a ``Bot`` is ready with is not always that: where it was built there is more in its folder.
    If it has ``played`` on this machine, the copy that played does as well.
    """
    if not is_hash(digest):  # it may come from a file anybody wrote
        raise BotError(
            f'"{show(name)}": expected a hash like sha256:<64 hex>, found "{show(digest, 80)}"'
        )
    for program in bundled_bots():
        if program.hash == digest:
            return program
    if kept_folder(home, digest).is_dir():
        return open_kept(home, digest, name)
    if played and (copy := find_copy(digest)) is not None:
        with contextlib.suppress(BotError):
            return open_snapshot(copy, digest, name)
    raise BotError(
        f'the program of "{show(name)}" ({digest}) is not here any more: submit the same content, '
        "or import a bundle that has it; a tournament goes on without it only if the file leaves "
        "it out, as another edition (--new)"
    )


def check_submission_name(name: str, taken: Iterable[str] = (), said: str = "--name") -> str:
    """Return the name if a bot may be submitted under it.

    Args:
        name: the name.
        taken: the names that bots were submitted under; one that looks like the name, or differs
            from it in upper and lower case only, is taken for it.
        said: where the name was given, for messages.

    Raises:
        BotError: it cannot be a name, or means something else already.
    """
    from arena.tournament.names import same_look  # imported late, as all of that room

    check_name(name, said)
    if name.lower() in TAKEN:
        raise BotError(
            f'"{name}" is the word for the person at the keyboard, for all bots, or for '
            "a command of arena bots; choose another name"
        )
    if language_of(name) is not None:
        raise BotError(f'"{name}" would be taken for a file; choose a name without its suffix')
    if same_look(name) in {same_look(program.name) for program in bundled_bots()}:
        raise BotError(f'"{name}" is the name of a bundled bot; choose another')
    for other in taken:
        if other != name and same_look(other) == same_look(name):
            raise BotError(f'"{name}" would be taken for "{other}", which was submitted before')
    return name


def parse_ref(ref: str) -> tuple[str, int | None]:
    """Read ``NAME`` or ``NAME@VERSION``.

    >>> parse_ref("greedy@2"), parse_ref("greedy")
    (('greedy', 2), ('greedy', None))

    Raises:
        BotError: what follows the ``@`` is no version.
    """
    name, at, text = ref.partition("@")
    if not at:
        return name, None
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return name, int(text)
    raise BotError(f'"{show(ref)}": expected NAME@VERSION with a whole number, like "greedy@2"')


def pin_of(entry: BotEntry, pins: Mapping[str, Entry]) -> Entry | None:
    """Return the version that a line was pinned to, if it still means the same bot.

    Args:
        entry: the line.
        pins: the entrants of the tournament by name, as it started with them.
    """
    pin = pins.get(entry.name)
    if entry.ref is None or pin is None or pin.version == 0:
        return None
    name, version = parse_ref(entry.ref)
    return pin if name == pin.bot and version in (None, pin.version) else None


def _pinned(pin: Entry, store_bots: Bots, home: Path) -> Program:
    """Return the very program that an entrant is pinned to, retired or not."""
    for row in store_bots.versions(pin.bot):
        if row.hash == pin.hash:
            return open_kept(home, row.hash, row.name, row.version, "submitted")
    program = find_program(pin.bot, pin.hash, home)
    origin = "bundled" if is_ours(pin.bot, pin.hash) else "imported"
    return replace(program, version=pin.version, origin=origin)


def choose_version(name: str, version: int | None, rows: dict[int, BotVersion]) -> BotVersion:
    """Return the version that is meant of those submitted, the newest for ``None``.

    Raises ``BotError`` if it is not there, or all are retired.
    """
    if version is not None:
        if version not in rows:
            raise _no_version(name, version, sorted(rows))
        return rows[version]
    newest = max((number for number, row in rows.items() if not row.retired), default=None)
    if newest is None:
        raise BotError(
            f'every version of "{name}" is retired; write "{name}@{max(rows)}" to use the last one'
        )
    return rows[newest]


def _no_version(name: str, version: int | None, known: list[int]) -> BotError:
    there = hint(str(version), [*map(str, known)])
    return BotError(f'there is no version {version} of "{name}"{there}')
