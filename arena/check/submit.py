"""Submitting a bot: checked, copied forever, and given a version.

What is checked is a copy in the user's cache, and what is kept has the same hash: what plays later
is exactly what was tried, whatever the bot writes beside the copy where nothing stops it. A bot
whose original changes meanwhile is refused, as is one that fails: of neither anything is kept.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import NamedTuple

from arena.bots.find import check_plays, check_submission_name
from arena.bots.granted import check_granted, granted_by
from arena.bots.imports import with_imports
from arena.bots.isolation import level_for
from arena.bots.probe import probe_language
from arena.bots.program import Program, describe
from arena.bots.ready import make_ready
from arena.bots.snapshots import keep
from arena.check.findings_text import step_text
from arena.check.intake import (
    Expected,
    bot_in,
    expected_of,
    plain_name,
    read_names,
    sources,
    whose,
)
from arena.check.parallel import each_by_itself
from arena.check.steps import StepResult, StepState, Subject
from arena.check.walk import walk
from arena.machine.cores import whole_cores
from arena.machine.crash import cross
from arena.process.languages import language_named
from arena.sandbox import AUTO
from arena.store import Store, copies_lock, open_store
from arena.store.bots import Bots
from arena.store.people import Person
from arena.store.waiting import patiently
from arena.tournament.names import same_look
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import (
    ArenaError,
    BotBuildError,
    BotError,
    BotRetired,
    CheckFailed,
    StoreError,
    UsageError,
)
from arena.values.model import Clock, Entrant, Granted
from arena.values.untrusted import show
from arena.values.version import __version__
from arena.values.words import local_time
from engines import EngineError, load_game

DEFAULT_GAME = "leaves"
MOST_OF_A_FILE = 200  # bytes of the name of a file, which has 255 at most
_CAUSE = re.compile(r"rror(\[\w+\])?: |:\d+:\d+: (?!warning|note)")  # interpreters, compilers
STEPS = 4  # of the check: built, ready, answers, a whole game in each seat


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submitted version; ``new`` is false where the same content was there already.

    ``plays`` is the version that the plain name means from now on.
    """

    name: str
    version: int
    hash: str
    new: bool
    plays: int


@dataclass(frozen=True, slots=True)
class HandIn:
    """What became of what was handed in: the version, or why it was not taken.

    Attributes:
        path: where it was found; the pattern of somebody who is missing.
        name: of the bot.
        person: whose it is, if that is known.
        submitted: the version; that of the last hand-in of somebody who is missing.
        same: the bots of others that have the same content, as ``NAME@VERSION``.
        older: other bots of the same person, which play as well.
        refusal: why it was not taken, whole, but without its path; '' if it was.
        before: that it was refused for this before, and is not tried again; '' if it was tried.
        reason: the same in a line.
        exit_code: of the refusal.
        missing: nothing was handed in now.
        others: the name is, or may be, that of somebody else's bot.
        place: among all that was handed in.
    """

    path: str
    name: str
    person: str = ""
    submitted: Submitted | None = None
    same: tuple[str, ...] = ()
    older: tuple[str, ...] = ()
    refusal: str = ""
    before: str = ""
    reason: str = ""
    exit_code: int = 0
    missing: bool = False
    others: bool = False
    place: int = 0

    @property
    def feedback(self) -> str:
        """Return the name of a file for this person alone."""
        odd = self.submitted is None and (plain_name(self.name) or None) != self.name
        odd = odd or len(self.name.encode(errors="replace")) > MOST_OF_A_FILE
        if self.others or odd:  # it may be no name of a file
            digest = hashlib.sha256(self.path.encode(errors="surrogateescape")).hexdigest()
            return f"{plain_name(Path(self.path).name)[:32]}-{digest[:8]}.txt"
        return f"{self.name}.txt"

    @property
    def state(self) -> str:
        """Say in a word what became of it."""
        if self.missing:
            return "missing"
        if self.submitted is None:
            return "refused"
        return "taken" if self.submitted.new else "unchanged"


class _NotTheirs(BotError):
    """The name is, or may be, that of somebody else's bot."""


class _Order(NamedTuple):
    """A hand-in that is to be tried: ``row`` is what is known of it before.

    ``sure`` says that somebody named the bot, and did not leave that to the path; ``listed``, that
    a line of a file of names says whose it is.
    """

    path: Path
    row: HandIn
    whose: Person
    sure: bool
    home: Path
    game: str | None
    allow_unsafe: bool
    granted: Granted
    again: bool
    listed: bool = False


def submit(
    path: PathLike,
    name: str,
    home: PathLike,
    *,
    game: str | None = None,
    allow_unsafe: bool = False,
    memory: str | None = None,
    start: str | None = None,
    bot_size: str | None = None,
) -> Submitted:
    """Check a bot and keep it as the next version of a name.

    It is built and tried at the strongest level of isolation that works here.

    Args:
        path: a file, a folder with a ``bot.yaml``, or an archive of one.
        name: the name to keep it under.
        home: where it is kept.
        game: the game it is tried in; else the first of its ``bot.yaml``, else Leaves.
        allow_unsafe: try it although nothing isolates it.
        memory: what it may use while it is tried, such as ``3GiB``; 1 GiB if left out.
        start: how long it may take to start, such as ``60s``; 10 s if left out.
        bot_size: what its folder may have, such as ``1GiB``; 256 MiB if left out.

    Raises:
        BotError: it is no bot, needs more than this, or the name cannot be taken.
        BotRetired: the name, or the version with this content, is retired.
        UsageError: this machine cannot isolate it, or a text is no size or time.
        CheckFailed: it broke the protocol; the message names the step.
    """
    path, home = path_of(path, "path"), path_of(home, "home")
    require(name, str, "name", 'a text like "mine"')
    require(game, (str, NoneType), "game", 'a text like "leaves"')
    granted = granted_by(memory, start, bot_size)
    row, person = HandIn(str(path), name), Person(name, "", "", name.casefold())
    return _submit(_Order(path, row, person, True, home, game, allow_unsafe, granted, True))


def submit_all(
    paths: Sequence[Path],
    home: Path,
    *,
    name: str | None = None,
    names: Path | None = None,
    game: str | None = None,
    allow_unsafe: bool = False,
    memory: str | None = None,
    start: str | None = None,
    bot_size: str | None = None,
    again: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[HandIn]:
    """Submit hand-ins as courses get them; yield each answer as it comes, and who is missing.

    As many are tried at a time as there are cores. A refused one does not stop the others. Of those
    that would have one name none is taken, and none under the name of somebody else's bot.

    Args:
        paths: files, folders and archives, or one folder or archive with all of them.
        home: where bots are kept.
        name: what the bot is called, if there is one.
        names: a file that says whose is whose; see ``intake.read_names``.
        game, allow_unsafe, memory, start, bot_size: as for ``submit``.
        again: try also what was refused before with the same settings.
        progress: called with how many are done, and of how many.

    Raises:
        UsageError: the file of names cannot be read, or a text is no size or time.
        BotError: the archive of all cannot be unpacked.
        StoreError: the home cannot be written.
    """
    granted = granted_by(memory, start, bot_size)
    expected = read_names(names) if names is not None else []
    with sources(paths, granted.bot_size) as found:
        if name is not None and len(found) != 1:
            raise UsageError(
                "--name is for one bot: each of several gets the name of its file or folder"
            )
        orders: list[_Order] = []
        for place, (path, shown) in enumerate(found):
            known, said, line = whose(Path(shown)), name, expected_of(shown, expected)
            if line is not None:
                known = known._replace(person=line.person or known.person, team=line.group)
                said = said or line.name
            known = known._replace(bot=said or known.bot)
            row = HandIn(shown, known.bot, known.person, place=place)
            settings = (home, game, allow_unsafe, granted, again)
            orders.append(_Order(path, row, known, bool(said), *settings, line is not None))
        _check_persons(names, expected, orders)
        progress(0, len(orders))
        for done, answer in enumerate(_answers(orders), start=1):
            if isinstance(answer, StoreError):
                raise answer
            yield answer
            progress(done, len(orders))
    with open_store(home, create=False) as store:
        for line in expected:
            if not line.found:
                yield _missing(line, store)


def _check_persons(
    names: Path | None, expected: Sequence[Expected], orders: Sequence[_Order]
) -> None:
    """Raise ``UsageError`` if a line gives one person what a course's system has from several."""
    shown = {one.row.path: one.whose.origin for one in orders}
    origins = {path: origin for path, origin in shown.items() if whose(Path(path)).person}
    for line in expected:
        theirs = [shown for shown in line.found if shown in origins]
        if line.person and len({origins[shown] for shown in theirs}) > 1:
            raise UsageError(
                f'{names}:{line.line}: "{line.pattern}" fits {" and ".join(theirs)}, which are of '
                f'several persons; make the pattern of "{line.person}" longer'
            )


def _missing(line: Expected, store: Store) -> HandIn:
    """Return the row of somebody of whom nothing was handed in."""
    rows = store.bots.versions(line.name) if line.name else []
    last = rows[-1] if rows else None
    kept = None
    if last is not None:
        kept = Submitted(last.name, last.version, last.hash, new=False, plays=last.version)
    return HandIn(line.pattern, line.name, line.person, kept, missing=True)


def _answers(orders: Sequence[_Order]) -> Iterator[HandIn | StoreError]:
    """Try hand-ins, and yield what became of each; of those that would have one name none is tried.

    Whose these are is not known.
    """
    named: dict[str, list[_Order]] = {}
    for order in orders:
        named.setdefault(same_look(order.whose.bot), []).append(order)
    tried: list[_Order] = []
    for look, alike in named.items():
        if look and len(alike) == 1:
            tried += alike
            continue
        listed = " and ".join(one.row.path for one in alike)
        for one in alike:
            said = (
                f'{listed} would all be called "{one.whose.bot}"; name them in a file for --names, '
                "or submit each by itself, with --name"
            )
            nameless = "no letter or digit is left for a name; give it one with --names or --name"
            yield _refused(one, _NotTheirs(said if look else nameless))
    if len(tried) < 2:  # here, as one needs no process
        yield from map(_take, tried)
        return
    for place, answer in each_by_itself(_take, tried, whole_cores()):
        lost = OSError("the process that tried it died: submit it again")
        yield answer if answer is not None else _refused(tried[place], lost)


def _take(order: _Order) -> HandIn | StoreError:
    """Submit a hand-in, and say what became of it."""
    try:
        done = _submit(order)
        with open_store(order.home, create=False) as store:
            others = [row for row in store.bots.all() if row.name != done.name]
            same = tuple(f"{one.name}@{one.version}" for one in others if one.hash == done.hash)
            theirs, origin = order.whose.person, order.whose.origin
            people = store.people.all().values() if theirs else ()
            own = {one.bot for one in people if one.person and one.origin == origin}
            older = {one.name: None for one in others if one.name in own and not one.retired}
        return replace(order.row, submitted=done, same=same, older=(*older,))
    except StoreError as error:
        return error
    except UnicodeError:
        return _refused(order, BotError("its path, or that of a file in it, is not UTF-8"))
    except (ArenaError, EngineError, OSError) as error:
        return _refused(order, error)


def _refused(order: _Order, error: Exception) -> HandIn:
    message, shown = str(error), order.row.path
    for place in (order.path.absolute(), order.path):
        message = message.replace(str(place), shown)
    message = message.removeprefix(f"{shown}: ").removeprefix(f"{shown}/")
    remedy = getattr(error, "remedy", "")
    if remedy.lower().rstrip(".") not in message.lower():
        message += f"\nHow to fix it: {remedy}"
    return replace(
        order.row,
        refusal=message,
        before=getattr(error, "before", ""),
        reason=str(getattr(error, "reason", "")) or message,
        others=isinstance(error, _NotTheirs),
        exit_code=getattr(error, "exit_code", 2 if isinstance(error, EngineError) else 3),
    )


def _submit(order: _Order) -> Submitted:
    """Check a hand-in and keep it; errors as for ``submit``."""
    name = order.whose.bot
    with open_store(order.home, create=False) as store:
        taken = {row.name for row in store.bots.all()}
        _check_whose(store, order)
    try:
        check_submission_name(name, taken, "--name" if order.sure else show(order.row.path))
    except BotError as error:
        plain = plain_name(name)
        if not order.sure or plain in ("", name):
            raise
        raise BotError(f"{error}; for example --name {plain}") from None
    with bot_in(order.path, order.granted.bot_size) as source:
        return _keep(source, order)


def _check_whose(store: Store, order: _Order) -> None:
    """Raise ``BotError`` if the name is that of another person's bot."""
    new = order.whose
    old = store.people.all().get(new.bot)
    if order.sure:
        if old is None or old.person == new.person or "" in (old.person, new.person):
            return
    elif old is None and not store.bots.versions(new.bot):
        return
    if new.origin != (new.bot.casefold() if old is None else old.origin):
        of = "" if old is None else f" of {old.person or old.origin} ({old.origin})"
        raise _NotTheirs(
            f'"{new.bot}" is the bot{of}, and this is from {new.person or new.origin} '
            f"({new.origin}); say in a line for --names whose it is"
        )


def _keep(path: Path, order: _Order) -> Submitted:
    program, granted = describe(path, most=order.granted.bot_size), order.granted
    name, home = order.whose.bot, order.home
    game = order.game or next(iter(program.games), DEFAULT_GAME)
    with open_store(home, create=False) as store:
        known = _known(store.bots, name, program)
        if known is None:
            check_granted(name, program, granted)
            level = level_for(AUTO, [name], allow_unsafe=order.allow_unsafe)
            words = (name, program.hash, game, level, repr(granted), __version__)
            key = hashlib.sha256("\0".join(words).encode()).hexdigest()
            tried = None if order.again else store.people.tried(key)
            if tried is not None:
                when = local_time(tried.at, None)
                before = f"This was tried before, on {when}; --again tries it once more."
                raise CheckFailed(tried.message, tried.reason, before)
    if known is None:
        try:
            _check(program, game, level, order)
        except CheckFailed as error:
            if not order.again or home.exists():
                with open_store(home, create=True) as store:
                    store.people.note_tried(key, str(error), error.reason)
            raise
    with open_store(home, create=True) as store, copies_lock(home):
        _check_whose(store, order)
        known = known or _known(store.bots, name, program)  # by now
        if known is None:
            version = store.bots.version_for(name, program.hash)
            kept = keep(program, home)
            kept = replace(kept, name=name, version=version, origin="submitted")
            bot = make_ready(kept, level=level, home=home)
            cross("submit", bot=name)
            row = patiently(f'"{name}"', store.bots.add, bot)
            known = Submitted(name, row.version, row.hash, new=True, plays=row.version)
        if order.whose.person or not order.sure:
            old, new = store.people.all().get(name, Person(name, "")), order.whose
            new = new._replace(person=new.person or old.person)
            new = new if order.listed else new._replace(team=old.team)
            patiently(f'"{name}"', store.people.set, new)
        return known


def _known(bots: Bots, name: str, program: Program) -> Submitted | None:
    """Return the version that has this content already; ``None`` if there is none.

    Raises:
        BotRetired: the name, or that version, is retired.
    """
    bots.check_open(name)
    rows = bots.versions(name)
    for row in rows:
        if row.hash == program.hash:
            if row.retired:  # handing it in again does not undo that
                named = f"{name}@{row.version}"
                raise BotRetired(
                    f'version {row.version} of "{name}" has this content and is retired; '
                    f"arena bots restore {named} brings it back",
                    named,
                )
            plays = max(each.version for each in rows if not each.retired)
            return Submitted(name, row.version, row.hash, new=False, plays=plays)
    return None


def _check(program: Program, game: str, level: str, order: _Order) -> None:
    """Build a bot and walk it through the first steps of ``arena check``, in one game."""
    rules, chosen, granted = load_game(game), bool(order.game or program.games), order.granted
    subject, found = None, StepResult(StepState.OK, "")
    try:
        bot = make_ready(program, level=level, home=order.home)
    except BotBuildError as error:
        language = language_named(program.language)
        if language is not None and probe_language(language, level) is not None:
            said = f"This machine can build no program in {language.name}: ask the organiser."
            raise BotBuildError(str(error), said) from None  # not for good, as it is no bot's fault
        found = StepResult(StepState.FAILED, str(error), error.remedy)
    else:
        check_plays(bot, str(rules))
        entrant = Entrant(bot.name, bot, memory_bytes=granted.memory_bytes)
        [entrant] = with_imports([entrant], [str(rules)], level, order.home)
        clock = Clock(start_ms=granted.start_ms)
        subject = Subject(entrant, (rules,), clock, level, chosen)
    for step in islice(walk(subject, found), STEPS):
        finding = step.finding
        if finding.verdict is StepState.FAILED:
            text = step_text(step).rstrip()
            reason, _, output = finding.detail.partition("\n")
            reason = _with_cause(reason, f"{output}\n{finding.stderr}")
            raise CheckFailed(f"step {step.number} of {STEPS} failed\n{text}", reason)


def _with_cause(reason: str, output: str) -> str:
    """Return a reason, and before it the first line of an output that names an error."""
    causes = [line.strip() for line in output.splitlines() if _CAUSE.search(line)]
    return "; ".join([*causes[:1], reason])  # a table may cut off what is last
