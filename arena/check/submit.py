"""Submitting a bot: checked, copied forever, and given a version.

What is checked is a copy in the user's cache, and what is kept has the same hash: what plays later
is exactly what was tried, whatever the bot writes beside the copy where nothing stops it. A bot
whose original changes meanwhile is refused, as is one that fails: of neither anything is kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType
from typing import Any

from arena.bots.find import check_plays, check_submission_name
from arena.bots.granted import check_granted, granted_by
from arena.bots.isolation import level_for
from arena.bots.program import Program, describe, is_archive
from arena.bots.ready import make_ready
from arena.bots.snapshots import keep
from arena.bots.unpack import stem_of, unpacked
from arena.check import StepState, quick_walk, step_text, subject_of
from arena.machine.crash import cross
from arena.process.languages import language_of
from arena.sandbox import AUTO
from arena.store import copies_lock, open_store
from arena.store.bots import Bots, BotVersion
from arena.store.waiting import patiently
from arena.values.arguments import PathLike, path_of, require
from arena.values.errors import (
    ArenaError,
    BotBuildError,
    BotError,
    BotRetired,
    CheckFailed,
    StoreError,
)
from arena.values.model import BotEntry, Clock, Entrant, Granted
from arena.values.untrusted import show
from engines import load_game

__all__ = ["HandIn", "Submitted", "name_of", "submit", "submit_all"]

DEFAULT_GAME = "leaves"
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
    """What became of a path that was handed in: the version, or why it was not taken."""

    path: Path
    name: str
    submitted: Submitted | None = None
    refusal: ArenaError | None = None


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
    _check_name(name, path, home)
    with unpacked(path, granted.bot_size) as source:
        return _keep(source, name, home, game, allow_unsafe, granted)


def name_of(path: Path) -> str:
    """Return the name under which a path is submitted: its own, without the suffix of a bot.

    >>> name_of(Path("handed-in/ada.py")), name_of(Path("bela.tar.gz")), name_of(Path("carl/"))
    ('ada', 'bela', 'carl')
    """
    if path.is_dir():
        return path.resolve().name
    if is_archive(path):
        return stem_of(path)
    return path.name if language_of(path.name) is None else path.stem


def submit_all(
    paths: Sequence[Path],
    home: Path,
    *,
    memory: str | None = None,
    start: str | None = None,
    bot_size: str | None = None,
    **options: Any,
) -> Iterator[HandIn]:
    """Submit bots one after the other, each by the name of its path; yield each answer as it comes.

    A refused bot does not stop the others. Bots that would have the same name are all refused.
    Arguments are those of ``submit``.

    Raises:
        StoreError: the home cannot be written.
    """
    granted_by(memory, start, bot_size)  # what is wrong with these is wrong for all
    options |= {"memory": memory, "start": start, "bot_size": bot_size}
    named: dict[str, list[Path]] = {}
    for path in paths:
        named.setdefault(name_of(path).lower(), []).append(path)
    for path in paths:
        name = name_of(path)
        try:
            _check_single(name, named[name.lower()])
            done = submit(path, name, home, **options)
        except StoreError:
            raise
        except ArenaError as error:
            yield HandIn(path, name, refusal=error)
        else:
            yield HandIn(path, name, done)


def _check_single(name: str, paths: Sequence[Path]) -> None:
    """Raise a ``BotError`` if several paths would have one name: it is not known which is meant."""
    if len(paths) > 1:
        listed, all_of_them = " and ".join(map(str, paths)), "both" if len(paths) == 2 else "all"
        raise BotError(
            f'{listed} would {all_of_them} be called "{name}"; submit each by itself, with --name'
        )


def _check_name(name: str, path: Path, home: Path) -> None:
    """Check a name, either given or that of the path itself.

    Raises:
        BotError: it cannot be taken; one that comes close is offered.
    """
    own = name == name_of(path)
    try:
        with open_store(home, create=False) as store:
            taken = {row.name for row in store.bots.all()}
        check_submission_name(name, taken, show(str(path)) if own else "--name")
    except BotError as error:
        plain = _plain(name)
        if not own or plain in ("", name):
            raise
        raise BotError(f"{error}; submit it by itself, for example with --name {plain}") from None


def _plain(name: str) -> str:
    """Return what of a name may be in that of a bot.

    >>> _plain("Jürgen"), _plain("paul smith"), _plain("__MACOSX"), _plain("李")
    ('Jurgen', 'paul-smith', 'MACOSX', '')
    """
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9._-]+", "-", letters).strip("._-")[:64].rstrip("._-")


def _keep(
    path: Path, name: str, home: Path, game: str | None, allow_unsafe: bool, granted: Granted
) -> Submitted:
    program = describe(path, most=granted.bot_size)
    with open_store(home, create=False) as store:
        if (known := _known(store.bots, name, program)) is not None:
            return known
        check_granted(name, program, granted)
        entry = BotEntry(name, run=str(path))
        level = level_for(AUTO, [entry], store.bots, allow_unsafe=allow_unsafe)
    _check(program, game or next(iter(program.games), DEFAULT_GAME), level, home, granted)
    with open_store(home, create=True) as store, copies_lock(home):
        if (known := _known(store.bots, name, program)) is not None:  # by now
            return known
        version = store.bots.version_for(name, program.hash)
        kept = replace(keep(program, home), name=name)
        bot = make_ready(kept, version=version, origin="submitted", level=level, home=home)
        cross("submit")
        row = patiently(f'"{name}"', store.bots.add, bot, kept.games)
        return Submitted(name, row.version, row.hash, new=True, plays=row.version)


def _known(bots: Bots, name: str, program: Program) -> Submitted | None:
    """Return the version that has this content already; ``None`` if there is none.

    Raises:
        BotRetired: the name, or that version, is retired.
    """
    bots.check_open(name)
    rows = bots.versions(name)
    for row in rows:
        if row.hash == program.hash:
            _check_active(row)
            plays = max(each.version for each in rows if not each.retired)
            return Submitted(name, row.version, row.hash, new=False, plays=plays)
    return None


def _check_active(row: BotVersion) -> None:
    """Raise ``BotRetired`` if this version is retired: handing it in again does not undo that."""
    if row.retired:
        named = f"{row.name}@{row.version}"
        raise BotRetired(
            f'version {row.version} of "{row.name}" has this content and is retired; '
            f"arena bots restore {named} brings it back",
            named,
        )


def _check(program: Program, game: str, level: str, home: Path, granted: Granted) -> None:
    """Build a bot and walk it through the first steps of ``arena check``, in one game."""
    rules = load_game(game)
    try:
        bot = make_ready(program, level=level, home=home)
    except BotBuildError as error:
        raise CheckFailed(f"step 1 of {STEPS} failed, the build: {error}", str(error)) from error
    check_plays(bot, str(rules))
    entrant = Entrant(bot.name, bot, memory_bytes=granted.memory_bytes)
    subject = subject_of(entrant, (rules,), Clock(start_ms=granted.start_ms), level, home)
    for step in quick_walk(subject):
        if step.finding.verdict is StepState.FAILED:
            text = step_text(step).rstrip()
            reason = step.finding.detail
            raise CheckFailed(f"step {step.number} of {STEPS} failed\n{text}", reason)
