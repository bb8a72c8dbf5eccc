"""A tournament of a home, written as a bundle: the same bytes for the same content."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from arena.bots.built import kept_built
from arena.bots.find import find_program
from arena.bots.openings import kept_setups
from arena.bots.travel import pack_bot
from arena.bundle.frame import write_frame
from arena.bundle.manifest import (
    FILE,
    MANIFEST,
    MOST_MATCHES,
    MOST_RECORDS,
    MOST_ROUND,
    ROUNDS,
    SETUPS,
    BundlePart,
    Manifest,
    format_manifest,
    format_numbers,
)
from arena.machine.untrusted_files import whole_file
from arena.results.standings import choose
from arena.store import Edition, Store, open_home
from arena.tournament.kept import file_of
from arena.tournament.secret_variables import keys_in_config
from arena.tournament.yaml_text import document_text, read_document
from arena.values.arguments import PathLike, path_of
from arena.values.errors import BotError, TournamentFileError, UsageError
from arena.values.untrusted import show

log = logging.getLogger(__name__)


class Exported(NamedTuple):
    """What was written.

    Attributes:
        tournament: what it is called.
        file: the bundle.
        matches: how many of its matches are in the bundle: all that were played.
        bots: how many bots are in it.
        bundle: the SHA-256 of its manifest, by which homes remember where matches came from.
        holds_secret_seed: whether it gives away a seed that nobody is to know before the end.
        lacks_setups: whether the setups that the tournament begins from are not in it: it was run
            by a version that kept no copy of their file, and not since.
        keys: the variables of bots in it that look like keys, such as ``LLM_KEY of oak``.
    """

    tournament: str
    file: Path
    matches: int
    bots: int
    bundle: str
    holds_secret_seed: bool
    lacks_setups: bool = False
    keys: str = ""


def export_bundle(
    home: PathLike,
    file: PathLike | None = None,
    tournament: str | None = None,
    *,
    bots: bool = True,
) -> Exported:
    """Write a tournament as one file: what it was run from, rounds, records and bots.

    >>> arena.export_bundle(".arena", "quickstart.arena").matches
    48

    Args:
        home: the arena's home.
        file: where to; what is there is replaced once the whole bundle was written. ``None``:
            ``NAME.arena`` in the working folder.
        tournament: ``NAME`` (its newest edition) or ``NAME#1``; ``None``: the one run last.
        bots: put the programs of its bots into it.

    Raises:
        UsageError: there is no such tournament, or one of its records is too long for a bundle.
        BotError: the program of a bot is not here any more.
        StoreError: the store cannot be read, or is damaged.
        OSError: the file cannot be written.
    """
    home = path_of(home, "home")
    target = None if file is None else path_of(file, "file")
    with open_home(home) as store:
        edition = choose(store, tournament)
        file = Path(f"{edition.label.replace('#', '-')}.arena") if target is None else target
        _check_target(file)
        contents = _Contents(store, edition, home, bots=bots)
        manifest = contents.manifest
        data = format_manifest(manifest)
        # bots are their authors' own, and who reads a secret seed can compute every deal
        with whole_file(file, private=manifest.holds_secret or bots) as out:
            entries = ((name, content) for name, content, _ in contents.read())
            write_frame(out, chain([(MANIFEST, data)], entries))
            out.flush()
            os.fsync(out.fileno())
    return Exported(
        edition.label,
        file,
        manifest.matches,
        len(contents.programs),
        hashlib.sha256(data).hexdigest(),
        manifest.holds_secret,
        contents.lacks_setups,
        keys_in_config(edition.config),
    )


def _check_target(file: Path) -> None:
    """Raise ``UsageError`` where something else than a file would be replaced, such as a device."""
    if not file.name or (os.path.lexists(file) and not stat.S_ISREG(os.lstat(file).st_mode)):
        raise UsageError(
            f'"{show(str(file))}": expected a file to write; what is there is no plain file, and '
            "only a plain file is replaced"
        )


class _Contents:
    """What goes into a bundle; read twice, first for the sizes and hashes of its manifest."""

    def __init__(self, store: Store, edition: Edition, home: Path, *, bots: bool) -> None:
        self._store, self._edition, self._home = store, edition, home
        config, entries = edition.config, store.tournaments.entries(edition.id)
        functions = {line["name"] for line in config["bots"] if "function" in line}
        by_hash = {e.hash: e for e in entries if bots and e.name not in functions}
        self.programs = dict(sorted(by_hash.items()))
        self._setups = kept_setups(home, config["setups"])
        self.lacks_setups = config["setups"] is not None and self._setups is None
        self.manifest = Manifest(
            edition=edition,
            entries=tuple(entries),
            undecided=tuple(store.matches.undecided(edition.id)),
            parts=tuple(_part(*each) for each in self.read()),
            built={each: made for each in self.programs if (made := kept_built(home, each))},
        )

    def read(self) -> Iterator[tuple[str, bytes, Sequence[int]]]:
        """Yield the entries behind the manifest, with the numbers of the matches in them."""
        return chain(self._small(), self._bots(), self._records())

    def _small(self) -> Iterator[tuple[str, bytes, Sequence[int]]]:
        """Yield the tournament's file, its setups and its planned rounds, if it has any."""
        edition, setups = self._edition, self._setups
        text = document_text(file_of(edition.config))
        try:
            read_document(text, FILE)
            yield FILE, text.encode("ascii"), ()
        except TournamentFileError:
            log.info("%s has too many entrants for a tournament file", edition.label)
        if setups is not None:
            yield SETUPS, setups.encode(), ()
        lines = [
            json.dumps({"plan": json.loads(plan), "points": json.loads(points) if points else None})
            for plan, points in self._store.rounds.all(edition.id)
        ]
        if len(longest := max(lines, key=len, default="")) > MOST_ROUND:
            raise UsageError(
                f"a round of {edition.label} has a plan of {len(longest)} bytes, and a bundle "
                f"takes plans of at most {MOST_ROUND}: arena export writes its records"
            )
        if lines:
            yield ROUNDS, "".join([f"{line}\n" for line in lines]).encode("ascii"), ()

    def _bots(self) -> Iterator[tuple[str, bytes, Sequence[int]]]:
        for digest, entry in self.programs.items():
            try:
                archive = pack_bot(find_program(entry.bot, digest, self._home))
            except BotError as error:
                raise BotError(
                    f"{error}; --no-bots leaves the programs of all bots out of the bundle"
                ) from None
            yield f"bots/{digest.removeprefix('sha256:')}.tar", archive, ()

    def _records(self) -> Iterator[tuple[str, bytes, Sequence[int]]]:
        place, size = 0, 0
        numbers: list[int] = []
        lines: list[bytes] = []
        with closing(self._store.matches.read(self._edition.id, texts=True)) as rows:
            for row in rows:
                line = f"{row.text}\n".encode("ascii")
                if len(line) > MOST_RECORDS:
                    raise UsageError(
                        f"match {row.id} (number {row.number}) has a record of {len(line)} "
                        f"bytes, and a bundle takes records of at most {MOST_RECORDS}: arena "
                        "export writes it; with max_decisions in its file, matches of a tournament "
                        "end sooner"
                    )
                if numbers and (len(numbers) == MOST_MATCHES or size + len(line) > MOST_RECORDS):
                    yield f"records/{place:06}.jsonl", b"".join(lines), numbers
                    numbers, lines, size, place = [], [], 0, place + 1
                numbers.append(row.number)
                lines.append(line)
                size += len(line)
        if numbers:
            yield f"records/{place:06}.jsonl", b"".join(lines), numbers


def _part(name: str, data: bytes, numbers: Sequence[int]) -> BundlePart:
    """Return what the manifest says of an entry; ``numbers`` are those of its records."""
    digest = hashlib.sha256(data).hexdigest()
    return BundlePart(name, len(data), digest, len(numbers), format_numbers(numbers))
