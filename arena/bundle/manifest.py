"""The first entry of a bundle: what it is of, and the size and hash of all that follows.

The text is described in docs/reference/bundle.md. Reading it trusts nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from arena.store.entrants import Entry
from arena.store.matches import Undecided
from arena.store.tournaments import Edition
from arena.tournament.change import fingerprint
from arena.tournament.earlier import DAMAGE, kept_now
from arena.tournament.names import check_path_as_name, check_tournament_name
from arena.tournament.text_files import MAX_SETUPS
from arena.values.errors import BundleError, UsageError
from arena.values.untrusted import hidden_character, show
from arena.values.version import __version__
from arena.values.words import HASH

__all__ = [
    "FILE",
    "FORMAT",
    "MANIFEST",
    "MOST_BYTES",
    "MOST_MATCHES",
    "MOST_RECORDS",
    "MOST_ROUND",
    "ROUNDS",
    "SETUPS",
    "Manifest",
    "BundlePart",
    "format_manifest",
    "format_numbers",
    "parse_manifest",
]

FORMAT, EARLIER = 2, 1
MANIFEST, FILE = "manifest.json", "tournament.yaml"
SETUPS, ROUNDS = "setups.txt", "rounds.jsonl"
MOST_BYTES = 1 << 24
MOST_NUMBER = 1 << 53
MOST_MATCHES = 1000  # of one entry
# bytes of one entry of records, and so of one record: JSON takes up to 25 times as much memory once
# it is read. Records of the bundled games have 2 to 20 kB, and 64 KiB a seat if their bots say as
# much as they may by info.
MOST_RECORDS = 1 << 23
MOST_ROUND = 1 << 20  # bytes of a planned round, for the same reason
MOST_TEXT = 1 << 12  # characters of one text of an entrant or an undecided match
# the kinds of entries in their order, and how large one may be
KINDS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(re.escape(FILE)), 1 << 20),
    (re.compile(re.escape(SETUPS)), MAX_SETUPS),
    (re.compile(re.escape(ROUNDS)), 1 << 26),
    (re.compile("bots/[0-9a-f]{64}[.]tar"), 9 << 25),
    (re.compile("records/[0-9]{6}[.]jsonl"), MOST_RECORDS),
)
_HEX = re.compile("[0-9a-f]{64}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z")
_SEED = re.compile("0|[1-9][0-9]{0,38}")
_RUNS = re.compile("[0-9]{1,16}(?:-[0-9]{1,16})?")


@dataclass(frozen=True, slots=True)
class BundlePart:
    """One of the entries that follow.

    ``matches`` counts the records in it, and ``numbers`` gives theirs in the schedule, ascending.
    """

    name: str
    size: int
    sha256: str
    matches: int = 0
    numbers: str = ""

    @property
    def bot(self) -> str:
        """The hash of the bot that it is, ``sha256:…``; empty if it is something else."""
        found = re.fullmatch("bots/([0-9a-f]{64})[.]tar", self.name)
        return f"sha256:{found[1]}" if found else ""

    def each_number(self) -> Sequence[int]:
        """Return the numbers in the schedule, which are as many as there are matches."""
        found: list[int] = []
        for run in filter(None, self.numbers.split(",")):
            first, _, last = run.partition("-")
            found.extend(range(int(first), int(last or first) + 1))
        return found


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle says of itself.

    ``edition`` and ``entries`` are the store's, without its numbers. ``arena`` is the version that
    wrote the bundle, in ``format``. ``built`` has the hashes of what builds made there, by those of
    the bots.
    """

    edition: Edition
    entries: tuple[Entry, ...]
    undecided: tuple[Undecided, ...]
    parts: tuple[BundlePart, ...]
    arena: str = __version__
    built: Mapping[str, str] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def matches(self) -> int:
        """How many matches are in it."""
        return sum(part.matches for part in self.parts)

    @property
    def holds_secret(self) -> bool:
        """Whether it gives away a seed that is still secret."""
        return self.edition.secret and self.edition.ended is None


def format_manifest(manifest: Manifest) -> bytes:
    """Write a manifest as a page of JSON; ``parse_manifest`` is the inverse."""
    edition = manifest.edition
    value = {
        "bundle": FORMAT,
        "arena": manifest.arena,
        "tournament": edition.label,
        "holds_secret_seed": manifest.holds_secret,
        "matches": manifest.matches,
        "edition": {
            **{key: getattr(edition, key) for key in _EDITION},
            "config": json.loads(edition.config),
            "seed": str(edition.seed),
            "seed_sha256": edition.seed_hash,
        },
        "entrants": [
            {key: value for key, value in entry._asdict().items() if key in _ENTRANT}
            for entry in manifest.entries
        ],
        **({"built": dict(manifest.built)} if manifest.built else {}),
        "undecided": [each._asdict() for each in manifest.undecided],
        "entries": [_part_out(part) for part in manifest.parts],
    }
    return (json.dumps(value, indent=1) + "\n").encode("ascii")


def parse_manifest(data: bytes) -> Manifest:
    """Read what ``format_manifest`` wrote.

    Raises:
        BundleError: it is something else; the message says where.
    """
    top = _loaded(data)
    found = top.get("bundle")
    if found == EARLIER:
        _keep_file(top)
    elif found != FORMAT:
        arena = show(str(top.get("arena")), 40)
        raise BundleError(
            f"a bundle of format {found!a:.40} (written by arena {arena}), and this is arena "
            f"{__version__}, which reads formats {EARLIER} and {FORMAT}"
        )
    try:
        manifest = Manifest(
            edition=_edition(_dict(top, "edition")),
            entries=tuple(_entry(each) for each in _dicts(top, "entrants")),
            undecided=tuple(_undecided(each) for each in _dicts(top, "undecided")),
            parts=tuple(_part(each) for each in _dicts(top, "entries")),
            arena=_text(top, "arena"),
            built=_built(top),
            format=FORMAT if found == FORMAT else EARLIER,
        )
        said = (manifest.edition.label, manifest.matches, manifest.holds_secret)
        for key, value in zip(("tournament", "matches", "holds_secret_seed"), said, strict=True):
            if top.get(key) != value:
                raise _WrongValue(f"{key}: expected {value!a}, found {top.get(key)!a:.80}")
        if _dict(top, "edition").get("seed_sha256") != manifest.edition.seed_hash:
            raise _WrongValue("edition: seed_sha256: it is not that of the seed")
        _check_order(manifest.parts)
    except _WrongValue as wrong:
        raise BundleError(str(wrong)) from None
    except UsageError as error:
        raise BundleError(f"a name in it: {error}") from None
    return manifest


def _keep_file(top: Mapping[str, Any]) -> None:
    """Have an earlier manifest keep of its tournament the mapping of its file."""
    with suppress(*DAMAGE):  # which is found where it is read
        edition, entrants = top["edition"], [each for each in top["entrants"] if not each["line"]]
        lines = [(each["name"], each["bot"], each["version"], each["hash"]) for each in entrants]
        config = kept_now(edition["name"], edition["config"], lines)
        edition |= {"config": config, "fingerprint": fingerprint(config)}


def format_numbers(numbers: Sequence[int]) -> str:
    """Write ascending numbers as runs.

    >>> format_numbers([0, 1, 2, 5, 7, 8])
    '0-2,5,7-8'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join([str(a) if a == b else f"{a}-{b}" for a, b in runs])


class _WrongValue(Exception):
    """A value is not what was expected; ``str(error)`` says where."""


_EDITION = ("name", "edition", "fingerprint", "created", "last_run", "stop", "ended")
_ENTRANT = (*("name", "bot", "version", "hash", "args", "position", "out", "line"),)


def _part_out(part: BundlePart) -> dict[str, object]:
    written: dict[str, object] = {"name": part.name, "bytes": part.size, "sha256": part.sha256}
    if part.matches:
        written |= {"matches": part.matches, "numbers": part.numbers}
    return written


# reading


def _loaded(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data.decode("ascii"), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:  # ValueError: of numbers of many digits, too
        raise BundleError(f"expected JSON: {show(str(error))}") from None
    if not isinstance(value, dict):
        raise BundleError("expected an object of JSON")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return found


def _value(at: Mapping[str, Any], key: str, fits: Callable[[Any], object], expected: str) -> Any:
    if key not in at or not fits(at[key]):
        found = f"found {at[key]!a:.80}" if key in at else "it is missing"
        raise _WrongValue(f"{key}: expected {expected}, {found}")
    return at[key]


def _text(at: Mapping[str, Any], key: str) -> str:
    found: str = _value(at, key, _is_text, "a text that can be shown")
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MOST_TEXT and hidden_character(value) is None


def _whole(at: Mapping[str, Any], key: str, least: int = 0) -> int:
    found: int = _value(
        at, key, lambda n: type(n) is int and least <= n <= MOST_NUMBER, "a whole number"
    )
    return found


def _matching(at: Mapping[str, Any], key: str, pattern: re.Pattern[str]) -> str:
    def fits(value: object) -> bool:
        return isinstance(value, str) and pattern.fullmatch(value) is not None

    found: str = _value(at, key, fits, f"a text like {pattern.pattern}")
    return found


def _dict(at: Mapping[str, Any], key: str) -> dict[str, Any]:
    found: dict[str, Any] = _value(at, key, lambda value: isinstance(value, dict), "an object")
    return found


def _dicts(at: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    def fits(value: object) -> bool:
        return isinstance(value, list) and all(isinstance(item, dict) for item in value)

    found: list[dict[str, Any]] = _value(at, key, fits, "a list of objects")
    return found


def _built(top: Mapping[str, Any]) -> dict[str, str]:
    found = _dict(top, "built") if "built" in top else {}
    return {
        _matching({"built": each}, "built", HASH): _matching(found, each, HASH) for each in found
    }


def _edition(at: Mapping[str, Any]) -> Edition:
    if "seed" not in _dict(at, "config"):
        raise _WrongValue("config: seed: it is missing")
    config = json.dumps(at["config"], sort_keys=True)
    mark = _matching(at, "fingerprint", _HEX)
    seed = int(_matching(at, "seed", _SEED))
    if seed >> 128:
        raise _WrongValue("seed: expected a number below 2^128")
    edition = Edition(
        id=0,
        name=check_tournament_name(_text(at, "name")),
        edition=_whole(at, "edition", 1),
        fingerprint=mark,
        config=config,
        created=_matching(at, "created", _TIME),
        last_run=_matching(at, "last_run", _TIME),
        stop=None if at.get("stop") is None else _whole(at, "stop"),
        seed=seed,
        ended=None if at.get("ended") is None else _matching(at, "ended", _TIME),
    )
    if edition.name != at["name"]:
        raise _WrongValue("name: expected Unicode's composed form")
    try:
        right = mark == fingerprint(at["config"])
    except DAMAGE:
        raise _WrongValue("config: it is none") from None
    if not right:
        raise _WrongValue("fingerprint: it is not that of config")
    return edition


def _entry(at: Mapping[str, Any]) -> Entry:
    args = _value(
        at,
        "args",
        lambda value: isinstance(value, list) and all(isinstance(word, str) for word in value),
        "a list of texts",
    )
    name = _text(at, "name")
    if check_path_as_name(name) != name:
        raise _WrongValue("name: expected Unicode's composed form")
    return Entry(
        id=0,
        tournament=0,
        name=name,
        bot=_text(at, "bot"),
        version=_whole(at, "version"),
        hash=_matching(at, "hash", HASH),
        args=tuple(args),
        position=_whole(at, "position"),
        state="",
        out=_flag(at, "out"),
        line=_text(at, "line"),
    )


def _flag(at: Mapping[str, Any], key: str) -> bool:
    found: bool = _value(at, key, lambda value: isinstance(value, bool), "true or false")
    return found


def _undecided(at: Mapping[str, Any]) -> Undecided:
    return Undecided(_text(at, "id"), _whole(at, "number"), _text(at, "reason"))


def _part(at: Mapping[str, Any]) -> BundlePart:
    name = _text(at, "name")
    most = next((most for pattern, most in KINDS if pattern.fullmatch(name)), None)
    if most is None:
        raise _WrongValue(f'entries: there is no entry "{show(name, 80)}" in a bundle')
    size = _whole(at, "bytes")
    if size > most:
        raise _WrongValue(f"{name}: expected at most {most} bytes, found {size}")
    part = BundlePart(name, size, _matching(at, "sha256", _HEX))
    if not name.startswith("records/"):
        return part
    if _whole(at, "matches", 1) > MOST_MATCHES:
        raise _WrongValue(f"{name}: matches: expected at most {MOST_MATCHES}")
    part = BundlePart(name, size, part.sha256, at["matches"], _text_of_runs(at, name))
    if len(part.each_number()) != part.matches:
        raise _WrongValue(f"{name}: its numbers are not as many as its matches")
    return part


def _text_of_runs(at: Mapping[str, Any], name: str) -> str:
    """Return the numbers of an entry, which are ascending, and so few that they can be listed."""
    text = _value(at, "numbers", lambda value: isinstance(value, str), "a text like 0-99,105")
    last, count = -1, 0
    for run in str(text).split(","):
        if not _RUNS.fullmatch(run):
            raise _WrongValue(f"{name}: numbers: expected runs like 0-99,105, found {run!a:.40}")
        first, _, end = run.partition("-")
        if not last < int(first) <= int(end or first) <= MOST_NUMBER:
            raise _WrongValue(f"{name}: numbers: expected them in ascending order")
        last = int(end or first)
        count += last - int(first) + 1
        if count > at["matches"]:
            raise _WrongValue(f"{name}: its numbers are not as many as its matches")
    return str(text)


def _check_order(parts: Sequence[BundlePart]) -> None:
    """Raise ``_Wrong`` unless the entries come in their order, and each of them once."""
    kinds = [
        (next(place for place, kind in enumerate(KINDS) if kind[0].fullmatch(part.name)), part.name)
        for part in parts
    ]
    if kinds != sorted(set(kinds)):
        raise _WrongValue("entries: expected each of them once, in order")
    names = [part.name for part in parts if part.matches]
    if names != [f"records/{number:06}.jsonl" for number in range(len(names))]:
        raise _WrongValue("entries: expected records numbered from 000000 on")
    last = -1
    for part in parts:
        numbers = part.numbers.replace("-", ",").split(",") if part.matches else []
        if numbers and int(numbers[0]) <= last:
            raise _WrongValue(
                f"{part.name}: numbers: expected them above those of the entry before"
            )
        last = int(numbers[-1]) if numbers else last
