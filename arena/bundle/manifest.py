"""The first entry of a bundle: what it is of, and the size and hash of all that follows.

The text is described in docs/reference/bundle.md. Reading it trusts nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from pydantic_core import PydanticCustomError, SchemaValidator, ValidationError
from pydantic_core import core_schema as core

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
_RUN = "[0-9]{1,16}(-[0-9]{1,16})?"


class BundlePart(NamedTuple):
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

    @property
    def runs(self) -> list[range]:
        """The numbers that its matches have in the schedule, as ranges."""
        runs = [run.split("-") for run in self.numbers.split(",") if run]
        return [range(int(run[0]), int(run[-1]) + 1) for run in runs]


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
            "seed": str(edition.seed),
            "seed_sha256": edition.seed_hash,
        },
        "entrants": [
            {key: value for key, value in entry._asdict().items() if key in _ENTRANT}
            for entry in manifest.entries
        ],
        **({"built": dict(manifest.built)} if manifest.built else {}),
        "undecided": [each._asdict() for each in manifest.undecided],
        "entries": [
            {"name": part.name, "bytes": part.size, "sha256": part.sha256}
            | ({"matches": part.matches, "numbers": part.numbers} if part.matches else {})
            for part in manifest.parts
        ],
    }
    return (json.dumps(value, indent=1) + "\n").encode("ascii")


def parse_manifest(data: bytes) -> Manifest:
    """Read what ``format_manifest`` wrote.

    Raises:
        BundleError: it is something else; the message says where.
    """
    try:
        top = json.loads(data.decode("ascii"), object_pairs_hook=once)
    except (ValueError, RecursionError) as error:  # ValueError: of numbers of many digits, too
        raise BundleError(f"expected JSON: {show(str(error))}") from None
    if not isinstance(top, dict) or top.get("bundle") not in (EARLIER, FORMAT):
        found = top if isinstance(top, dict) else {}
        raise BundleError(
            f"a bundle of format {found.get('bundle')!a:.40} (written by arena "
            f"{show(str(found.get('arena')), 40)}), and this is arena {__version__}, which reads "
            f"formats {EARLIER} and {FORMAT}"
        )
    if top["bundle"] == EARLIER:
        _keep_file(top)
    try:
        manifest: Manifest = _WHOLE.validate_python(top)
        return manifest
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False)[0]
        where = ": ".join(map(str, wrong["loc"]))
        raise BundleError(show(f"{where}: {wrong['msg']}, found {wrong['input']!a:.80}")) from None


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


# reading


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raises ``ValueError`` if a key stands twice in it."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return found


def _after(change: Callable[[Any], object], check: core.CoreSchema) -> core.CoreSchema:
    """Return a check of what ``change`` makes of a value, or refuses with ``ValueError``."""

    def changed(value: object) -> object:
        try:
            return change(value)
        except (UsageError, ValueError) as error:
            raise PydanticCustomError("wrong", "{text}", {"text": str(error)}) from None

    return core.no_info_after_validator_function(changed, check)


def _fields(**checks: core.CoreSchema) -> core.CoreSchema:
    """Return a check of an object; other keys are of another version, and left out."""
    fields = {key: core.typed_dict_field(check) for key, check in checks.items()}
    return core.typed_dict_schema(fields, extra_behavior="ignore", strict=True)


def _like(pattern: str) -> core.CoreSchema:
    return core.str_schema(pattern=f"^({pattern})$", strict=True)


def _whole(least: int = 0, most: int = MOST_NUMBER) -> core.CoreSchema:
    return core.int_schema(ge=least, le=most, strict=True)


def _list(change: Callable[[Any], object], check: core.CoreSchema) -> core.CoreSchema:
    return _after(tuple, core.list_schema(_after(change, check), strict=True))


def _or_none(check: core.CoreSchema) -> core.CoreSchema:
    return core.with_default_schema(core.nullable_schema(check), default=None)


def _shown(text: str) -> str:
    if hidden_character(text) is not None:
        raise ValueError("expected a text that can be shown")
    return text


def _composed(check: Callable[[str], str], text: str) -> str:
    if check(text) != text:
        raise ValueError("expected Unicode's composed form")
    return text


def _seed(text: str) -> int:
    if int(text) >> 128:
        raise ValueError("expected a number below 2^128")
    return int(text)


def _edition(at: dict[str, Any]) -> Edition:
    sha256 = at.pop("seed_sha256")
    edition = Edition(id=0, **at)
    if "seed" not in edition.config:
        raise ValueError("config: seed: it is missing")
    if sha256 != edition.seed_hash:
        raise ValueError("seed_sha256: it is not that of the seed")
    try:
        right = edition.fingerprint == fingerprint(edition.config)
    except DAMAGE:
        raise ValueError("config: it is none") from None
    if not right:
        raise ValueError("fingerprint: it is not that of config")
    return edition


def _entry(at: dict[str, Any]) -> Entry:
    return Entry(id=0, tournament=0, state="", **{**at, "args": tuple(at["args"])})


def _part(at: dict[str, Any]) -> BundlePart:
    part = BundlePart(at["name"], at["bytes"], at["sha256"])
    most = next((most for pattern, most in KINDS if pattern.fullmatch(part.name)), None)
    if most is None:
        raise ValueError(f'there is no entry "{show(part.name, 80)}" in a bundle')
    if part.size > most:
        raise ValueError(f"{part.name}: expected at most {most} bytes")
    if not part.name.startswith("records/"):
        return part
    part = part._replace(matches=at["matches"], numbers=at["numbers"])
    if not _ascend(part.runs):
        raise ValueError(f"{part.name}: numbers: expected them in ascending order")
    if not 0 < sum(map(len, part.runs)) == part.matches:
        raise ValueError(f"{part.name}: its numbers are not as many as its matches")
    return part


def _ascend(runs: Sequence[range]) -> bool:
    return all(runs) and all(a.stop <= b.start for a, b in pairwise(runs))


def _manifest(top: dict[str, Any]) -> Manifest:
    """Return what a manifest says, if its parts fit one another."""
    found = tuple(map(top.pop, ("tournament", "matches", "holds_secret_seed")))
    format_, entries, parts = map(top.pop, ("bundle", "entrants", "entries"))
    manifest = Manifest(format=format_, entries=entries, parts=parts, **top)
    said = (manifest.edition.label, manifest.matches, manifest.holds_secret)
    if said != found:
        raise ValueError(f"tournament, matches, holds_secret_seed: expected {said!a}")
    kinds = [
        (next(place for place, kind in enumerate(KINDS) if kind[0].fullmatch(part.name)), part.name)
        for part in parts
    ]
    if kinds != sorted(set(kinds)):
        raise ValueError("entries: expected each of them once, in order")
    names = [part.name for part in parts if part.matches]
    if names != [f"records/{number:06}.jsonl" for number in range(len(names))]:
        raise ValueError("entries: expected records numbered from 000000 on")
    spans = [range(part.runs[0].start, part.runs[-1].stop) for part in parts if part.matches]
    if not _ascend(spans):
        raise ValueError("entries: numbers: expected them above those of the entry before")
    return manifest


_TEXT = _after(_shown, core.str_schema(max_length=MOST_TEXT, strict=True))
_HEX, _HASH = _like("[0-9a-f]{64}"), _like(HASH.pattern)
_TIME_LIKE = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z"
_TIME = _like(_TIME_LIKE)
_EDITION = {
    "name": _after(partial(_composed, check_tournament_name), _TEXT),
    "edition": _whole(1),
    "fingerprint": _HEX,
    "created": _TIME,
    "last_run": _TIME,
    "stop": _or_none(_whole()),
    "ended": _or_none(_TIME),
    "config": core.dict_schema(strict=True),
}
_SEED = {"seed": _after(_seed, _like("0|[1-9][0-9]{0,38}")), "seed_sha256": _HEX}
_ENTRANT = {
    "name": _after(partial(_composed, check_path_as_name), _TEXT),
    "bot": _TEXT,
    "version": _whole(),
    "hash": _HASH,
    "args": core.list_schema(core.str_schema(strict=True), strict=True),
    "position": _whole(),
    "out": core.bool_schema(strict=True),
    "line": _TEXT,
    "replaced": core.with_default_schema(_like(f"({_TIME_LIKE})?"), default=""),
}
_PART_READ = _fields(
    name=_TEXT,
    bytes=_whole(),
    sha256=_HEX,
    matches=core.with_default_schema(_whole(0, MOST_MATCHES), default=0),
    numbers=core.with_default_schema(_like(f"{_RUN}(,{_RUN})*"), default=""),
)
_WHOLE = SchemaValidator(
    _after(
        _manifest,
        _fields(
            bundle=_whole(),
            arena=_TEXT,
            tournament=_TEXT,
            matches=_whole(),
            holds_secret_seed=core.bool_schema(strict=True),
            edition=_after(_edition, _fields(**_EDITION, **_SEED)),
            entrants=_list(_entry, _fields(**_ENTRANT)),
            undecided=_list(
                lambda at: Undecided(**at), _fields(id=_TEXT, number=_whole(), reason=_TEXT)
            ),
            entries=_list(_part, _PART_READ),
            built=core.with_default_schema(
                core.dict_schema(_HASH, _HASH, strict=True), default_factory=dict
            ),
        ),
    )
)
