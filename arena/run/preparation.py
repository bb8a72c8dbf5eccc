"""A tournament made ready to run: its bots, which edition goes on, and who is out of it."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack

from arena.bots.find import enter_all
from arena.bots.isolation import level_for, must_isolate, untrusted_among
from arena.bots.newer import FindNewer, newer_versions, taken_up, upgrade_lines
from arena.bots.openings import keep_setups
from arena.bots.pins import expand
from arena.bots.taken import is_ours, taken_names, taken_text
from arena.isolation.probes import showing_reads
from arena.progress.planner import newest_versions
from arena.results.standings import board_of, since_time
from arena.sandbox import AUTO, find_level
from arena.sandbox.secrets import check_secrets, secret_values
from arena.schedule.formats import PlannedFormat, find_format
from arena.schedule.growing import renumbering, with_versions
from arena.schedule.ladder import Ladder
from arena.store import Edition, Store
from arena.store.entrants import Entry, program_called
from arena.store.waiting import patiently
from arena.tournament.change import ANCHOR, ASIDE_OF_BOT, difference, fingerprint
from arena.tournament.format_keys import check_size
from arena.tournament.kept import config_of_bots, pinned
from arena.tournament.secret_variables import named_keys
from arena.tournament.written import written
from arena.values.errors import TournamentChanged, UsageError, hint
from arena.values.model import BotEntry, Entrant, Stop, Tournament
from engines import load_game

SAFE_SEED = 1 << 64  # from here on nobody finds a written seed by trying

log = logging.getLogger(__name__)


class RunOptions(TypedDict, total=False):
    """How a tournament starts or goes on; what was said last of an entrant holds from run to run.

    Attributes:
        extend: go on although the file has more rounds, bots or games than before, or although a
            ladder has reached its stop.
        new: start another edition, whatever was played under this name.
        allow_unsafe: run untrusted bots although nothing isolates them.
        bots_of_the_bundle: if the edition came in a bundle, play its programs even under names that
            mean others in this home.
        upgrade: ``NAME`` is replaced by the newest version, ``NAME@VERSION`` by that version;
            matches of the version that played before do not count any more.
        as_of: a time, as ``since_time`` reads it, or a day with all of it: what was submitted later
            is none of the newest versions, and fits no pattern.
    """

    extend: bool
    new: bool
    allow_unsafe: bool
    bots_of_the_bundle: bool
    upgrade: tuple[str, ...]
    as_of: str | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """An edition that can be run.

    ``tournament`` has the edition's seed and no patterns. ``entrants`` grows by the newer versions
    that are taken up. ``names`` are those whom the file enters, the best seed first, where that
    matters. ``sandbox`` is the level at which bots run; it is ``auto`` on a cluster alone,
    where each host chooses its level, and ``isolates`` then says whether that level must isolate.
    ``seed_shown`` says whether a drawn seed was shown when all had been played, and now there is
    more. ``bundle`` is the name of the bundle that the edition, or a part of it, came in; empty if
    there is none.
    """

    edition: Edition
    tournament: Tournament
    entrants: dict[str, Entrant]
    names: tuple[str, ...]
    newer: FindNewer
    sandbox: str
    home: Path
    isolates: bool = False
    seed_shown: bool = False
    bundle: str = ""

    def secrets(self) -> dict[str, str]:
        """Return the variables of seats that ask: bots that may use a service elsewhere."""
        return secret_values(name for bot in self.tournament.bots for name in bot.secrets)


def prepare(
    store: Store,
    tournament: Tournament,
    home: Path,
    *,
    on_cluster: bool = False,
    open_to_bots: str = "",
    keeps: bool = True,
    leave_out: Collection[str] = frozenset(),
    **options: Unpack[RunOptions],
) -> Prepared:
    """Make an edition ready to run; arguments as for ``RunOptions``.

    Four steps write: ``enter_all`` copies and builds bots, ``keep_setups`` copies setups,
    ``enter_edition`` stores the edition, and ``begin_run`` stores that it goes on: the edition then
    counts as the one that was run last. What a person got wrong is raised before the last two.

    If matches are played on a cluster, bots need not run on this machine, and nothing is built;
    ``open_to_bots`` is the address of a scheduler without TLS. Without ``keeps`` only the store of
    the home is written to. Submitted bots with names of ``leave_out`` are no newcomers.
    """
    extend, allow_unsafe = options.get("extend", False), options.get("allow_unsafe", False)
    upgrade, as_of = options.get("upgrade", ()), options.get("as_of")
    submitted = store.bots.some("" if as_of is None else _end_of(as_of), leave_out)
    if upgrade and (why := _why_no_upgrade(tournament)):
        raise UsageError(f"--upgrade: {tournament.format}: {why}")
    latest = None if options.get("new") else store.tournaments.latest(tournament.name)
    entries = [] if latest is None else store.tournaments.entries(latest.id)
    pins = {entry.name: entry for entry in entries}
    foreign = options.get("bots_of_the_bundle", False)
    bundle = "" if latest is None else _bundle_of(store, latest, entries, tournament, foreign)
    known = None if latest is None else pins
    bots, newcomers = expand(tournament.bots, submitted, known, extend=extend)
    if bots != tournament.bots:  # a pattern was among them
        tournament = replace(tournament, bots=bots)
        for wrong in check_size(tournament):
            raise UsageError(wrong.text)
    untrusted = untrusted_among(bots, store.bots, _imported(store, entries))
    # who asks is played here, against anybody
    elsewhere = on_cluster and not any(bot.asks for bot in bots)
    level = choose_isolation(tournament, untrusted, allow_unsafe, on_cluster=elsewhere)
    check_secrets(bots, level)
    among = untrusted if on_cluster else []
    isolates = must_isolate(tournament.sandbox, among, open_to_bots, allow_unsafe=allow_unsafe)
    runs_at = None if elsewhere else level
    copy = partial(
        enter_all,
        tournament=tournament,
        store_bots=submitted,
        home=home,
        level=runs_at,
        keeps=keeps,
    )
    versions = [entry for entry in entries if entry.line]
    entrants = copy((*bots, *taken_up(bots, versions)), pins=pins)
    _check_names(tournament, entrants)
    tournament = replace(tournament, apart=_kept_apart(store, tournament, entrants, latest))
    asked = upgrade_lines(upgrade, bots, newest_versions(entries), entrants, submitted)
    new = copy([entry for _, entry in asked if entry.name not in entrants])
    entrants |= new
    names = _seeded(store, tournament, latest)
    if keeps:
        keep_setups(home, tournament.opening.setups)
    edition = enter_edition(store, tournament, entrants, latest, extend=extend)
    if asked:
        _upgrade(store, edition, tournament, asked, new)
    if tournament.format != Ladder.name:
        playing = _playing(store, edition) if latest is not None else {}
        upgrades = not _why_no_upgrade(tournament)
        newer_ = newer_versions(bots, entrants, playing, submitted, upgrades=upgrades)
        newcomers = (*newer_, *newcomers)
    for line in newcomers:
        log.warning("%s", line)
    edition = begin_run(store, edition, tournament, extend=extend)
    newer = FindNewer(
        bots,
        entrants,
        submitted,
        enter=lambda entry: copy((entry,))[entry.name],
        out=lambda: {one.name for one in store.tournaments.entries(edition.id) if one.out},
    )
    whole = replace(tournament, seed=edition.seed)
    shown = edition.secret and latest is not None and latest.ended is not None
    return Prepared(edition, whole, entrants, names, newer, level, home, isolates, shown, bundle)


def begin_run(store: Store, edition: Edition, tournament: Tournament, *, extend: bool) -> Edition:
    """Store who is out, whose Elo is fixed and that it is the tournament run last; return it so."""
    which = f'"{edition.label}"'
    _take_out(store, edition, set(tournament.without))
    edition = _with_aside(store, edition, tournament)
    counts_on = tournament.format == Ladder.name or tournament.stop.info
    if counts_on and edition.stop is not None and extend:
        patiently(which, store.tournaments.stop, edition.id, None)
        edition = edition._replace(stop=None)
    _warn(edition, tournament)
    patiently(which, store.tournaments.started, edition.id)
    return edition


def name_newer(store: Store, run: Prepared) -> None:
    """Say so if a ladder has reached its stop, and newer versions are left that do not play."""
    edition, stop = run.edition, run.tournament.stop
    if run.tournament.format != Ladder.name or store.tournaments.get(edition.id).stop is None:
        return
    newest = newest_versions(store.tournaments.entries(edition.id))
    if names := ", ".join([entry.name for _, entry in run.newer.there_are(newest)]):
        how = "--extend" if stop.matches is None else "a larger stop.matches and --extend"
        text = "%s has reached its stop, so these are not taken up: %s; to go on with them: %s"
        log.warning(text, edition.label, names, how)


def _imported(store: Store, entries: Iterable[Entry]) -> list[str]:
    """Return the entrants whose bots may be of another home, and the lines they are of.

    In a bundle a program can have any name, and any version.
    """
    foreign = store.carried.programs()
    found = []
    for entry in entries:
        if entry.hash in foreign and not is_ours(entry.bot, entry.hash):
            found += [entry.name, entry.line]
    return found


def choose_isolation(
    tournament: Tournament, untrusted: Sequence[str], allow_unsafe: bool, *, on_cluster: bool
) -> str:
    """Return the level at which the bots run; say so where a person has agreed to no isolation.

    Elsewhere ``auto`` may be another level on each machine, and stays what it is.
    """
    level = tournament.sandbox
    if not on_cluster:
        level = level_for(level, untrusted, allow_unsafe=allow_unsafe)
    if level == AUTO:
        return level
    if not find_level(level).isolates and (allow_unsafe or tournament.sandbox == level):
        log.warning('bots run at the level "%s": %s', level, find_level(level).promise)
    if level == "landlock" and tournament.sandbox == AUTO:
        _warn_of_notes(tournament, untrusted)
    return level


def _warn_of_notes(tournament: Tournament, untrusted: Sequence[str]) -> None:
    """Say so if a bot that nobody knows can note down a hidden hand, at the level landlock."""
    hiding = _hiding(tournament.games)
    if hiding and untrusted and (places := showing_reads()):
        log.warning(
            'bwrap does not work here, and at the level "landlock" a bot such as "%s" can note '
            "down what %s hides, and read it in a later match: in times of access below %s; see "
            "arena doctor",
            untrusted[0],
            " and ".join(hiding),
            " ".join(places),
        )


def _seeded(store: Store, tournament: Tournament, latest: Edition | None) -> tuple[str, ...]:
    """Return the entrants' names in the order of the file, or as another table seeds them.

    The table is looked at once, before the first round is planned. Who is not in it follows those
    who are, in the order of the file.
    """
    names = tuple(entry.name for entry in tournament.bots)
    if tournament.seeding is None or (latest is not None and store.rounds.any(latest.id)):
        return names
    rows = board_of(store, tournament.seeding).rows
    place = {row.bot: number for number, row in enumerate(rows)}
    return tuple(sorted(names, key=lambda name: place.get(name, len(rows))))


def enter_edition(
    store: Store,
    tournament: Tournament,
    entrants: Mapping[str, Entrant],  # newer versions that were taken up, too
    latest: Edition | None,
    *,
    extend: bool,
) -> Edition:
    """Store the edition to run: the latest one if it can go on, or a new one if there is none."""
    bots = {name: entrant.bot for name, entrant in entrants.items()}
    lines = []
    for entry in tournament.bots:
        bot = bots[entry.name]
        lines.append(pinned(entry, bot.name, bot.version, bot.hash))
    config = config_of_bots(replace(tournament, bots=tuple(lines)), bots)
    mark = fingerprint(config)
    of_file = [entrants[entry.name] for entry in tournament.bots]
    if latest is None:
        create = store.tournaments.create
        name, seed = tournament.name, tournament.seed
        return patiently(f'"{name}"', create, name, mark, config, of_file, seed)
    if latest.is_closed:
        _check_reopens(latest, tournament.games, extend=extend)
    entries = store.tournaments.entries(latest.id)
    programs = {entry.hash: program_called(entry.bot, entry.version) for entry in entries}
    programs |= {bot.hash: program_called(bot.name, bot.version) for bot in bots.values()}
    change = difference(latest.config, config, programs)
    if not change.lines and not (latest.is_closed and extend):
        return latest
    shown = "\n".join(f"  {line}" for line in change.lines)
    if not change.adds:
        raise TournamentChanged(
            f'what is played has changed since "{latest.label}" began:\n{shown}\n'
            "put that back, or run it with --new (in Python new=True) to start another edition; to "
            "take an entrant out, leave its line in the file and add the line: without: [NAME]"
        )
    if not extend:
        raise TournamentChanged(
            f'there is more to play since "{latest.label}" began:\n{shown}\n'
            "run it with --extend (in Python extend=True) to go on with what was played, or with "
            "--new to start again"
        )
    names = [entry.name for entry in tournament.bots]
    new = {*names}.difference([entry.name for entry in entries])
    now = with_versions(replace(tournament, seed=latest.seed), names, entries)
    grows = new or {*tournament.games} != {*latest.config["games"]}
    patiently(
        f'"{latest.label}"',
        lambda: store.tournaments.extend(
            latest.id,
            mark,
            config,
            of_file,
            renumbering(latest.label, *now) if grows else None,
            past_stop=latest.is_closed or tournament.format == Ladder.name,
        ),
    )
    return store.tournaments.find(latest.label)


def _check_reopens(latest: Edition, games: Iterable[str], *, extend: bool) -> None:
    """Say how a tournament that was ended can go on.

    Raises ``TournamentChanged`` if it cannot: who knows its seed knows all hidden deals to come.
    """
    if not (latest.secret and _hiding(games)):
        if not extend:
            log.warning("%s was ended on %s; --extend opens it again", latest.label, latest.ended)
    elif extend:
        raise TournamentChanged(
            f'"{latest.label}" was ended, and its seed has been public since {latest.ended}; '
            f"--new starts {latest.name}#{latest.edition + 1}"
        )


def _why_no_upgrade(tournament: Tournament) -> str:
    """Return why no entrant can be replaced; empty if one can."""
    format_, stop = find_format(tournament.format), tournament.stop
    if isinstance(format_, Ladder):
        return "newer versions of its bots play by themselves"
    if isinstance(format_, PlannedFormat):
        return "its pairings are made; --new starts another edition, with the newest versions"
    if stop != Stop() or "bots" not in format_.grows_by:
        return "its stop counts the matches of those that are entered; --new starts another edition"
    return ""


def _playing(store: Store, edition: Edition) -> dict[str, Entry]:
    """Return the entrant that plays for each line."""
    entries = store.tournaments.entries(edition.id)
    named = {entry.name: entry for entry in entries}
    return {line: named[name] for line, name in newest_versions(entries).items()}


def _upgrade(
    store: Store,
    edition: Edition,
    tournament: Tournament,
    asked: Collection[tuple[str, BotEntry]],
    new: Mapping[str, Entrant],
) -> None:
    """Have other versions play in place of entrants; ``new`` are those that did not play before."""
    playing, entries = _playing(store, edition), store.tournaments.entries(edition.id)
    pairs = [(line, new[entry.name]) for line, entry in asked if entry.name in new]
    versions = [playing[line]._replace(name=one.name, line=line) for line, one in pairs]
    names = [entry.name for entry in tournament.bots]
    whole = replace(tournament, seed=edition.seed)
    now = with_versions(whole, names, [*entries, *versions])
    patiently(
        f'"{edition.label}"',
        store.tournaments.upgrade,
        edition.id,
        [playing[line].name for line, _ in asked],
        [entry.name for _, entry in asked if entry.name not in new],
        pairs,
        renumbering(edition.label, *now) if pairs else None,
    )
    for line, entry in asked:
        version = str(entry.ref).rpartition("@")[2]
        was = playing[line].version
        log.warning("%s %d is replaced by version %s: its matches do not count", line, was, version)


def _end_of(text: str) -> str:
    """Return a time as the store has it; a day means all of it."""
    with contextlib.suppress(ValueError):
        text = f"{date.fromisoformat(text)} 23:59:59"
    return since_time(text)[:19] + "Z"


def _take_out(store: Store, edition: Edition, out: set[str]) -> None:
    """Store which entrants are taken out, as the file says."""
    entries = store.tournaments.entries(edition.id)
    if edition.config["format"] != Ladder.name:
        out |= {entry.name for entry in entries if entry.line in out}  # all versions of a line
    before = {entry.name for entry in entries if entry.out}
    newest = newest_versions(entries)
    for entry in entries:
        plays = newest[entry.line or entry.name]
        if entry.name in out - before and plays not in {entry.name, *out}:
            said = "%s is out, and %s plays on, unless without: names that, too"
            log.warning(said, entry.name, plays)
    if out != before:
        take_out = store.tournaments.take_out
        patiently(f'"{edition.label}"', take_out, edition.id, out)


def _bundle_of(
    store: Store, edition: Edition, entries: list[Entry], tournament: Tournament, foreign: bool
) -> str:
    """Return the bundle that an edition came in, if any; say which names mean other programs here.

    Raises ``UsageError`` if such names would play programs of the bundle that nobody asked for:
    ``foreign`` says that they are.
    """
    origin = store.carried.origins().get(edition.id)
    if origin is None:
        return ""
    bundle, taken = origin.file, taken_names(entries, store.bots)
    lines = [f"  {taken_text(each, bundle)}" for each in taken if each.plays]
    if lines and not foreign:
        seed = "" if tournament.seed is not None else " and a new seed"
        raise UsageError(
            f'"{edition.label}" came in the bundle {bundle}, whose programs have names that mean '
            "others in this home:\n" + "\n".join(lines) + "\nadd --bots-of-the-bundle to play the "
            f"bundle's programs, or --new to start {tournament.name}#{edition.edition + 1} with "
            f"the bots of this home{seed}"
        )
    log.warning(
        "%s came in the bundle %s: the author of the bundle knows its seed", edition.label, bundle
    )
    for each in taken:
        log.warning("%s", taken_text(each, bundle))
    return bundle


def _check_names(tournament: Tournament, entrants: Collection[str]) -> None:
    """Raise ``UsageError`` if one of those taken out or kept apart, or the anchor, is none."""
    named = [("without", name) for name in tournament.without]
    if not isinstance(tournament.apart, str):
        named += [("apart", name) for group in tournament.apart for name in group]
    named += [("anchor", name) for name, _ in filter(None, [tournament.anchor])]
    for key, name in named:
        if name not in entrants:
            raise UsageError(f'{key}: no entrant is called "{name}"{hint(name, list(entrants))}')


def _kept_apart(
    store: Store,
    tournament: Tournament,
    entrants: Mapping[str, Entrant],
    latest: Edition | None,
) -> tuple[tuple[str, ...], ...]:
    """Return the groups of entrants that do not meet; names of groups do not leave the home.

    Who entered a tournament under way stays in the group of then.
    """
    if not isinstance(tournament.apart, str):
        return tournament.apart
    config = {} if latest is None else latest.config
    groups = [list(group) for group in config.get("apart") or ()]
    known = {bot["name"] for bot in config.get("bots", ())}
    people = store.people.all()
    teams: dict[str, list[str]] = {}
    for line in sorted(tournament.bots, key=lambda line: (line.name not in known, line.name)):
        bot = entrants[line.name].bot
        person = people.get(bot.name) if bot.version else None
        if person is None or not person.team:
            continue
        same = teams.setdefault(person.team, [])
        if line.name not in known and same:
            home = next((group for group in groups if same[0] in group), None)
            if home is None:
                groups.append(home := same[:1])
            home.append(line.name)
        same.append(line.name)
    if not groups:
        log.warning("apart: no two bots of this tournament are of one group")
    return tuple(sorted([tuple(sorted(group)) for group in groups]))


def _with_aside(store: Store, edition: Edition, tournament: Tournament) -> Edition:
    """Store what the file says that does not count, and return the edition with that."""
    said = {bot.get("name"): bot for bot in written(tournament)["bots"]}
    bots = [
        bot | {key: said[bot["name"]][key] for key in ASIDE_OF_BOT if bot["name"] in said}
        for bot in edition.config["bots"]
    ]
    anchor = None if tournament.anchor is None else dict([tournament.anchor])
    config = {**edition.config, "bots": bots, ANCHOR: anchor}
    if config == edition.config:
        return edition
    patiently(f'"{edition.label}"', store.tournaments.write_again, edition.id, config)
    return edition._replace(config=config)


def _warn(edition: Edition, tournament: Tournament) -> None:
    """Say so if a hidden deal can be found by trying seeds; what looks like a key; who asks."""
    hiding = [
        game for game in _hiding(tournament.games) if load_game(game).type.chance != "deterministic"
    ]
    if hiding and edition.seed < SAFE_SEED:
        log.warning(
            "a bot can find the hidden deals of %s by trying seeds below 2^64; a file without "
            '"seed" gets a secret one',
            " and ".join(hiding),
        )
    bots = tournament.bots
    if names := named_keys((bot.name, [name for name, _ in bot.env]) for bot in bots):
        log.warning(
            "these look like keys, whose values the store keeps, and exports, bundles and records "
            "hold: %s; a bot that asks gets a value that nothing keeps by secrets: in the file",
            names,
        )
    for bot in bots:
        if bot.asks and bot.run is not None:
            path = min(os.path.relpath(bot.run), bot.run, key=len)
            log.warning("%s runs %s with your own rights (network, files)", bot.name, path)


def _hiding(games: Iterable[str]) -> list[str]:
    """Return the games that hide something from their players."""
    return [game for game in games if load_game(game).type.information != "perfect"]
