"""A bundle that is open: what its manifest says, and then its entries, each compared with it."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

from arena.bundle.frame import FrameReader, open_frame
from arena.bundle.manifest import (
    FILE,
    FORMAT,
    MANIFEST,
    MOST_BYTES,
    MOST_ROUND,
    ROUNDS,
    SETUPS,
    BundlePart,
    Manifest,
    once,
    parse_manifest,
)
from arena.record.record import format_record, parse_record
from arena.schedule.formats import PlannedFormat, find_format
from arena.schedule.growing import with_versions
from arena.schedule.plan import Past, Plan, Planned
from arena.schedule.seeds import match_id
from arena.store.entrants import Entry
from arena.tournament.kept import file_of, kept_tournament, read_kept
from arena.tournament.shape import MAX_GAMES
from arena.tournament.yaml_text import read_document
from arena.values.errors import ArenaError, BundleError, UsageError
from arena.values.model import Match, Opening, Record, Round, Tournament
from arena.values.untrusted import show
from arena.values.version import __version__
from engines import EngineError, UnknownGame, load_game

MOST_UNPLAYED = 10**6  # matches of a round that is over
MOST_PLANNED = 10**7  # pairings of all rounds together, for each block of theirs
_UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
_POINTS = re.compile("[0-9]{1,18}(?:/[0-9]{1,18})?")  # a fraction like 1e-999999999 takes hours


class Carried(NamedTuple):
    """One match of a bundle: the match as the schedule has it, its record, and the record's text.

    ``where`` is the entry, the line in it and the match's id, for messages.
    """

    match: Match
    record: Record
    text: str
    where: str


class Bundle:
    """An open bundle. Each method reads it from its beginning; nothing of that is kept in memory.

    Attributes:
        path: of its file.
        manifest: its own words.
        sha256: of the manifest, which has the hashes of everything else.
        tournament: what its file says, with the seed, and the setups of a file if they are in it.
        rounds: those that were planned, in formats in which results decide it; one that is not over
            has no points.
        schedule: its matches as far as they are known.
    """

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file, self.path = file, path
        reader = FrameReader(file, str(path))
        self.manifest, self.sha256 = _manifest(reader)
        self.tournament, self.rounds = _head(reader, self.manifest)
        try:
            self.schedule = _schedule(self.tournament, self.manifest, self.rounds)
        except _UNREADABLE as error:
            raise reader.error(f"{ROUNDS}: its rounds cannot be read: {error!r:.200}") from None
        if not _are_scheduled(self.manifest, self.schedule):
            raise reader.error("undecided: expected matches of the schedule, each of them once")
        edition, schedule = self.manifest.edition, self.schedule
        stop = None if edition.is_closed else edition.stop
        if stop is not None and isinstance(schedule, Planned) and stop != len(schedule):
            planned = f"{len(schedule)} matches were planned"
            raise reader.error(f"edition: it stops at {stop}, and {planned}")

    @property
    def name(self) -> str:
        """What its file is called, as it can be shown."""
        return show(self.path.name)

    def bots(self) -> Iterator[tuple[str, bytes]]:
        """Yield the hash of each bot that is in it, ``sha256:…``, and its archive."""
        for _, part, data in self._read():
            if part.matches:
                return
            if part.bot:
                yield part.bot, data

    def matches(self) -> Iterator[Carried]:
        """Yield its matches in schedule order.

        Raises:
            BundleError: an entry is not what the manifest says, or a line in it is no record.
        """
        for reader, part, data in self._read():
            if part.matches:
                yield from _records(reader, part, data, self.schedule)

    def _read(self) -> Iterator[tuple[FrameReader, BundlePart, bytes]]:
        """Yield what follows the manifest, which is still the same, to the end of the file."""
        reader = FrameReader(self._file, str(self.path))
        if _manifest(reader)[1] != self.sha256:
            raise reader.error("it has changed while it was read")
        for part in self.manifest.parts:
            yield reader, part, reader.read(*part[:3])
        reader.end()


@contextmanager
def open_bundle(path: Path) -> Iterator[Bundle]:
    """Open a bundle, and read what stands before its matches.

    Raises:
        BundleError: it cannot be read, is none, or is of rules or a format that are not here.
    """
    with open_frame(path) as file:
        yield Bundle(file, path)


def _manifest(reader: FrameReader) -> tuple[Manifest, str]:
    data = reader.read(MANIFEST, MOST_BYTES)
    try:
        return parse_manifest(data), hashlib.sha256(data).hexdigest()
    except BundleError as error:
        raise reader.error(str(error)) from None


def _head(reader: FrameReader, manifest: Manifest) -> tuple[Tournament, tuple[Past, ...]]:
    """Read what comes before bots and matches: what is played, and the rounds."""
    edition, config = manifest.edition, manifest.edition.config
    lines = [entry for entry in manifest.entries if not entry.line]
    try:
        _check_entrants(manifest.entries)
        _check_rules(config, manifest.arena)
        tournament = kept_tournament(config, {entry.name: entry.hash for entry in lines})
        _check_arguments(manifest.entries, tournament)
    except (UsageError, EngineError) as error:
        written = f"; it was written by arena {show(manifest.arena, 40)}, this is {__version__}"
        if isinstance(error, UnknownGame):
            written = "; a game of a package needs the package here, too: a bundle has no rules"
        raise reader.error(f"{error}{written}") from None
    if tournament.name != edition.name or tournament.seed not in (None, edition.seed):
        raise reader.error("edition: its name or its seed is not that of its file")
    by_name = {part.name: part for part in manifest.parts}
    if FILE in by_name:
        _check_file(reader, reader.read(*by_name[FILE][:3]), config, manifest.format)
    if SETUPS in by_name:
        opening = _opening(reader, by_name[SETUPS], config["setups"])
        tournament = replace(tournament, opening=opening)
    rounds: tuple[Past, ...] = ()
    if ROUNDS in by_name:
        if not isinstance(find_format(tournament.format), PlannedFormat):
            raise reader.error(f"{ROUNDS}: nothing is planned in this format")
        rounds = tuple(_rounds(reader, by_name[ROUNDS]))
    return replace(tournament, seed=edition.seed), rounds


def _check_rules(config: Mapping[str, Any], arena: str) -> None:
    """Raise ``UsageError`` unless the rules here are those that the matches were played under."""
    rules = config.get("rules")
    if not isinstance(rules, dict):
        raise UsageError("rules: expected the version of each game's rules")
    if len(rules) > MAX_GAMES:
        raise UsageError(f"rules: expected the rules of at most {MAX_GAMES} games")
    for name, said in rules.items():
        if said != (here := load_game(name).rules_version):
            raise UsageError(
                f"{show(name)} was played under rules {show(str(said), 40)} (arena "
                f"{show(arena, 40)}), and here are rules {here} (arena {__version__})"
            )


def _check_entrants(entries: tuple[Entry, ...]) -> None:
    names = {entry.name for entry in entries}
    lines = {entry.name for entry in entries if not entry.line}
    if len(names) < len(entries) or not lines.issuperset(filter(None, (e.line for e in entries))):
        raise UsageError("entrants: expected each entrant once, and the lines that they belong to")
    playing = [entry.line or entry.name for entry in entries if not entry.replaced]
    upgraded = {entry.line or entry.name for entry in entries if entry.replaced}
    if not lines.issubset(playing) or any(playing.count(line) > 1 for line in upgraded):
        raise UsageError("entrants: expected an entrant that plays in place of the replaced ones")


def _check_arguments(entries: tuple[Entry, ...], tournament: Tournament) -> None:
    """Raise ``UsageError`` unless each has the arguments of its line of the file."""
    lines = {bot.name: bot.args for bot in tournament.bots}
    for entry in entries:
        if entry.args != lines[entry.line or entry.name]:
            raise UsageError(f"entrants: the args of {show(entry.name)} are not those of the file")


def _check_file(reader: FrameReader, text: bytes, config: Mapping[str, Any], format_: int) -> None:
    try:
        document = read_document(text.decode("ascii"), FILE)
        (_, found), (_, kept) = (
            read_kept(document.value, config),
            read_kept(file_of(config), config),
        )
    except (ArenaError, *_UNREADABLE, RecursionError) as error:
        raise reader.error(f"it cannot be read: {show(str(error))}") from None
    if document.problems or _compared(found, format_) != _compared(kept, format_):
        raise reader.error("it is not the file that the manifest's config is of")


def _compared(config: Mapping[str, Any], format_: int) -> Mapping[str, Any]:
    """Return what the file of a bundle must say; the earlier format had no words for all of it."""
    if format_ == FORMAT:
        return config
    bots = [{key: value for key, value in bot.items() if key != "clock"} for bot in config["bots"]]
    unsaid = ("opening",) if config["setups"] is not None else ()
    return {key: value for key, value in config.items() if key not in unsaid} | {"bots": bots}


def _opening(reader: FrameReader, part: BundlePart, digest: str | None) -> Opening:
    """Return the setups of an entry, which is the file that was named, without its empty lines."""
    data = reader.read(*part[:3])
    if digest != f"sha256:{part.sha256}":
        raise reader.error("it is not the file of setups that the tournament begins from")
    try:
        return Opening(setups=tuple(data.decode().split("\n")))
    except UnicodeDecodeError:
        raise reader.error("expected UTF-8") from None


def _rounds(reader: FrameReader, part: BundlePart) -> Iterator[Past]:
    """Yield the planned rounds of an entry, in which each entrant of a meeting has 0 to 1 points.

    They are read line by line: JSON takes many times as much memory.
    """
    for line in io.BytesIO(reader.read(*part[:3])):
        if len(line) > MOST_ROUND + 1 or not line.endswith(b"\n"):  # the newline is no part of it
            raise reader.error(f"expected lines of at most {MOST_ROUND} bytes")
        try:
            value = json.loads(line.decode("ascii"))
            points = [] if value["points"] is None else value["points"]
            if not all(_POINTS.fullmatch(one) for meeting in points for one in meeting):
                raise ValueError("points")
            texts = json.dumps(value["plan"]), json.dumps(points)
            past = Past.from_texts(*texts)
            right = all(0 <= one <= 1 for meeting in past.points for one in meeting)
            if value["points"] is not None:
                people = [len(meeting.entrants) for meeting in past.plan.meetings]
                right = right and [*map(len, past.points)] == people
            if not right or (past.plan.to_text(), past.points_text()) != texts:
                raise ValueError("a round")
        except (*_UNREADABLE, RecursionError):
            raise reader.error("expected a planned round a line") from None
        yield past


def _schedule(tournament: Tournament, manifest: Manifest, rounds: Sequence[Past]) -> Round:
    """Return the matches as far as they are known."""
    format_ = find_format(tournament.format)
    if not isinstance(format_, PlannedFormat):
        names = tuple(bot.name for bot in tournament.bots)
        return format_.schedule(*with_versions(tournament, names, manifest.entries))
    known, plans = {entry.name for entry in manifest.entries}, [each.plan for each in rounds]
    if sum(len(plan.blocks) * len(plan.meetings) for plan in plans) > MOST_PLANNED:
        raise ValueError(f"more than {MOST_PLANNED} pairings")
    for plan in plans:
        _check_plan(plan, known)
    if not all(each.points for each in rounds[:-1]):
        raise ValueError("a round that is over has no points")
    planned = Planned(tournament, plans)
    most = MOST_UNPLAYED + manifest.matches
    for each, start, end in zip(rounds, planned.starts, planned.starts[1:], strict=False):
        if each.points and end - start > most:
            raise ValueError("a round that is over, of which nearly nothing was played")
    return planned


def _are_scheduled(manifest: Manifest, schedule: Round) -> bool:
    """Return whether the matches that were given up are matches of the tournament."""
    label, given_up = manifest.edition.label, {each.number for each in manifest.undecided}
    if len(given_up) < len(manifest.undecided) or max(given_up, default=-1) >= len(schedule):
        return False
    both = [(each.id, schedule[each.number]) for each in manifest.undecided]
    return all(name == match_id(label, match.block, match.seating) for name, match in both)


def _check_plan(plan: Plan, names: set[str]) -> None:
    """Raise ``ValueError`` unless a plan is of entrants, and of blocks that there can be."""
    blocks = plan.blocks
    if not all(type(k) is int and 0 <= k < 1 << 53 for k in (*blocks, plan.round, plan.further)):
        raise ValueError("blocks")
    for meeting in plan.meetings:
        people = meeting.entrants
        known = names.issuperset(people) and len(set(people)) == len(people) > 0
        if not known or meeting.walkover not in ("", *people) or type(meeting.times) is not int:
            raise ValueError("a meeting")


def _records(
    reader: FrameReader, part: BundlePart, data: bytes, schedule: Round
) -> Iterator[Carried]:
    """Yield the matches of an entry."""
    found = data.count(b"\n")
    if found != part.matches or not data.endswith(b"\n"):
        raise reader.error(f"expected {part.matches} lines, found {found}")
    numbers = chain.from_iterable(part.runs)
    for place, (number, line) in enumerate(zip(numbers, io.BytesIO(data), strict=True), start=1):
        if number >= len(schedule):
            raise reader.error(f"line {place}: the schedule has no match {number}")
        try:
            record, text = _record(line.removesuffix(b"\n"))
        except ArenaError as error:
            raise reader.error(f"line {place}: {error}") from None
        where = f"{part.name}, line {place}, match {record.id}"
        yield Carried(schedule[number], record, text, where)


def _record(line: bytes) -> tuple[Record, str]:
    """Return the record of a line, and its text; raises ``BundleError`` or ``RecordError``."""
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError:
        raise BundleError("expected ASCII") from None
    record = parse_record(text)
    if format_record(record) != text:  # of another version, which may know other keys
        try:
            json.loads(text, object_pairs_hook=once)
        except ValueError as error:  # readers could differ on what it says
            raise BundleError(str(error)) from None
    return record, text
