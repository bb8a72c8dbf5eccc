"""Bundles that somebody forged or damaged: refused with the entry named, and no home is made."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.archive_texts import tar, tar_header
from support.arena_command import arena
from support.ash_homes import played_home
from support.bundles import MANIFEST, RECORDS, entries_of, forged, put_together

import arena as api
from arena.bundle.frame import write_frame
from arena.values.errors import ArenaError, BundleError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sound bundle of four matches and more."""
    folder = tmp_path_factory.mktemp("sound")
    api.export_bundle(played_home(folder), folder / "sound.arena")
    return folder / "sound.arena"


def refused(file: Path, code: int, *words: str) -> None:
    """Make sure that a bundle is refused by both commands, with these words, and leaves nothing."""
    home = file.parent / "other"
    said = arena(home, "bundle", "import", file)
    assert said.returncode == code, said.stderr
    for word in words:
        assert word in said.stderr
    assert "\x1b" not in said.stderr
    looked = arena(home, "bundle", "verify", file)
    assert looked.returncode == code
    for word in words:
        assert word in looked.stderr + looked.stdout
    assert not home.exists()


# records


def set_(*path: str | int, to: object) -> Callable[[Any], None]:
    """Return what sets a value within a record or manifest."""

    def change(value: Any) -> None:
        *way, last = path
        for key in way:
            value = value[key]
        value[last] = to

    return change


RECORDS_THAT_LIE = {
    "illegal": (set_("actions", 0, 1, to="X9"), "rules do not accept"),
    "ended": (set_("by", to="maxmoves"), "ends no match"),
    "void": (set_("by", to="void"), "not played"),
    "bot-seed": (set_("players", 0, "seed", to="5"), "as it was entered: seed"),
    "deal-seed": (set_("seed", to="5"), "its seed is not"),
    "id": (set_("id", to="0123456789abcdef"), "its id is"),
    "tournament": (set_("tournament", to="other"), "its tournament is other"),
    "block": (set_("block", to="leaves|ash+elm|7"), "of the schedule is block"),
    "seating": (set_("seating", to=1), "of the schedule is block"),
    "program": (set_("players", 0, "hash", to="sha256:" + "1" * 64), "as it was entered"),
    "version": (set_("players", 1, "version", to=9), "as it was entered"),
    "args": (set_("players", 1, "args", to=["--strong"]), "as it was entered"),
    "environment": (set_("players", 1, "env", to={"A": "b"}), "as it was entered"),
    "clock": (set_("clock", "move", to=1), "its clock"),
    "negative": (set_("decisions", 0, "ms", to=-1), "takes"),
    "rules": (set_("rules_version", to=9), "rules_version"),
    "escape": (set_("tournament", to="\x1b[2J"), "its tournament is \\x1b"),
}


@pytest.mark.parametrize("lie", RECORDS_THAT_LIE)
def test_forged_record_is_named(lie: str, bundle: Path, tmp_path: Path) -> None:
    """A record that contradicts rules or tournament, with fitting hashes, has exit code 1."""
    change, words = RECORDS_THAT_LIE[lie]
    texts = entries_of(bundle)[RECORDS].decode().splitlines()
    line = next(number for number, text in enumerate(texts) if '"by":"rules"' in text)
    file = forged(bundle, tmp_path / "forged.arena", record=change, line=line)
    refused(file, 1, words, f"{RECORDS}, line {line + 1}")


LINES_THAT_ARE_NONE = {
    "no-json": b"{",
    "brackets": b"[" * 100_000,
    "number": b'{"format":1,"id":' + b"9" * 10_000 + b"}",
    "nan": b'{"format":NaN}',
    "bytes": b'{"format":1,"id":"\xff"}',
    "empty": b"",
    "list": b"[]",
    "format": b'{"format":2}',
}


@pytest.mark.parametrize("line", LINES_THAT_ARE_NONE)
def test_invalid_line_is_named(line: str, bundle: Path, tmp_path: Path) -> None:
    """A line that is no record is refused with entry and line, exit code 2."""
    lines = entries_of(bundle)[RECORDS].split(b"\n")
    lines[2] = LINES_THAT_ARE_NONE[line]
    file = forged(bundle, tmp_path / "forged.arena", {RECORDS: b"\n".join(lines)})
    refused(file, 2, RECORDS, "line 3")


# the manifest


def test_an_end_that_was_not(bundle: Path, tmp_path: Path) -> None:
    """Whether a tournament is over follows from its matches, whatever a manifest says."""

    def end(manifest: Any) -> None:
        entry = manifest["entries"][-1]
        numbers = entry["numbers"].replace("-", ",").split(",")
        entry["numbers"], entry["matches"] = f"{numbers[0]}-{int(numbers[0]) + 1}", 2
        manifest["matches"] = 2
        manifest["edition"]["ended"] = "2026-01-01T00:00:00Z"

    two = b"".join(entries_of(bundle)[RECORDS].splitlines(keepends=True)[:2])
    file = forged(bundle, tmp_path / "forged.arena", {RECORDS: two}, manifest=end)
    assert not api.import_bundle(file, tmp_path / "home").finished


# bots


BOTS = {
    "other": tar(("bot.py", b"print()\n")),
    "outside": tar(("../evil.py", b"print()\n")),
    "absolute": tar(("/tmp/evil.py", b"print()\n")),
    "link": tar(tar_header("bot.py", kind=tarfile.SYMTYPE)),
    "hard": tar(tar_header("bot.py", kind=tarfile.LNKTYPE)),
    "device": tar(tar_header("bot.py", kind=tarfile.CHRTYPE)),
    "cut": tar(("bot.py", b"print()\n"))[:700],
    "none": b"",
    "noise": b"\xff" * 5000,
}


@pytest.mark.parametrize("kind", BOTS)
def test_a_bot_that_is_another(kind: str, bundle: Path, tmp_path: Path) -> None:
    """An archive that does not hold the program of its hash is named."""
    name = next(name for name in entries_of(bundle) if name.startswith("bots/"))
    refused(forged(bundle, tmp_path / "forged.arena", {name: BOTS[kind]}), 2, name)


def test_a_bot_of_nobody(bundle: Path, tmp_path: Path) -> None:
    """A program that no entrant has is not taken along."""
    contents = entries_of(bundle)
    name = next(name for name in contents if name.startswith("bots/"))
    other = f"bots/{'0' * 64}.tar"
    manifest = json.loads(contents[MANIFEST])
    for entry in manifest["entries"]:
        if entry["name"] == name:
            entry["name"] = other
    contents[MANIFEST] = json.dumps(manifest).encode()
    renamed = {other if key == name else key: data for key, data in contents.items()}
    refused(put_together(tmp_path / "forged.arena", renamed), 2, other)


# the file


def test_missing_or_extra_entry_is_refused(bundle: Path, tmp_path: Path) -> None:
    """A bundle whose entries are not those of its manifest, in order, is refused."""
    whole = entries_of(bundle)
    without = {name: data for name, data in whole.items() if name != RECORDS}
    refused(put_together(tmp_path / "a.arena", without, refit=False), 2, RECORDS)
    more = {**whole, "records/000001.jsonl": b"x"}
    refused(put_together(tmp_path / "b.arena", more, refit=False), 2, "records/000001.jsonl")
    late = dict(reversed(whole.items()))
    refused(put_together(tmp_path / "c.arena", late, refit=False), 2, MANIFEST)


HEADERS: dict[str, dict[str, Any]] = {
    "symlink": {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"},
    "hardlink": {"type": tarfile.LNKTYPE, "linkname": "manifest.json"},
    "folder": {"type": tarfile.DIRTYPE},
    "device": {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3},
    "pipe": {"type": tarfile.FIFOTYPE},
    "sparse": {"type": tarfile.GNUTYPE_SPARSE},
    "outside": {"name": "../manifest.json"},
    "absolute": {"name": "/manifest.json"},
    "long": {"name": "x" * 300},
    "pax": {"pax_headers": {"path": "manifest.json"}},
    "escape": {"name": "\x1b[2J"},
}


@pytest.mark.parametrize("kind", HEADERS)
def test_entries_that_are_no_plain_files(kind: str, bundle: Path, tmp_path: Path) -> None:
    """A bundle with any entry other than a plain file is refused."""
    file = tmp_path / "forged.arena"
    with tarfile.open(bundle) as sound, tarfile.open(file, "w:gz") as archive:
        for member in sound.getmembers():
            data = sound.extractfile(member)
            assert data is not None
            if member.name == RECORDS:
                for key, value in HEADERS[kind].items():
                    setattr(member, key, value)
            archive.addfile(member, data)
    refused(file, 2, "entry")


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """An entry that is larger than its kind can be is refused by its head."""
    file = tmp_path / "bomb.arena"
    plain = io.BytesIO()
    write_frame(plain, [])
    info = tarfile.TarInfo(MANIFEST)
    info.size, info.mode = 8 << 30, 0o644
    file.write_bytes(gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + bytes(1 << 20)))
    refused(file, 2, "bomb.arena")
    info.size = 7 << 30
    file.write_bytes(gzip.compress(info.tobuf(tarfile.USTAR_FORMAT) + bytes(1 << 20)))
    refused(file, 2, MANIFEST)


@pytest.mark.parametrize(
    "kind",
    [
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
        tarfile.GNUTYPE_SPARSE,
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_long_header_for_next_entry_is_not_read(
    kind: bytes, first: bool, bundle: Path, tmp_path: Path
) -> None:
    """A tar header about the next entry is refused by its size, and not read."""
    sound = gzip.decompress(bundle.read_bytes())
    info = tarfile.TarInfo("x")
    info.type, info.size = kind, 1 << 26
    header = info.tobuf(tarfile.GNU_FORMAT)
    # the size of the first entry is written in octal digits
    place = 0 if first else 512 + -(-int(sound[124:135], 8) // 512) * 512
    forged = sound[:place] + header + bytes(info.size) + sound[place:]
    file = tmp_path / "forged.arena"
    file.write_bytes(gzip.compress(forged, compresslevel=1))
    tracemalloc.start()
    with pytest.raises(BundleError, match="plain entry"):
        api.verify_bundle(file)
    assert tracemalloc.get_traced_memory()[1] < info.size // 2
    tracemalloc.stop()


def test_data_after_end_is_refused(bundle: Path, tmp_path: Path) -> None:
    """After the end of the tar only zeros up to 10 KiB are accepted."""
    file, sound = tmp_path / "forged.arena", gzip.decompress(bundle.read_bytes())
    for more, fits in ((b"\0" * 9000, True), (b"x", False), (b"\0" * (1 << 20), False)):
        file.write_bytes(gzip.compress(sound + more))
        if fits:
            assert api.verify_bundle(file).is_right
        else:
            refused(file, 2, "behind the end")
    file.write_bytes(bundle.read_bytes() + b"x")
    refused(file, 2, "forged.arena")


def test_an_entry_that_comes_twice(bundle: Path, tmp_path: Path) -> None:
    """A bundle is refused if an entry comes twice, as the manifest lists each entry once."""
    file = tmp_path / "forged.arena"
    with tarfile.open(bundle) as sound, tarfile.open(file, "w:gz") as archive:
        for member in (*sound.getmembers(), sound.getmember(RECORDS)):
            archive.addfile(member, sound.extractfile(member))
    refused(file, 2, RECORDS)


def test_bundle_of_earlier_arena_is_imported(tmp_path: Path) -> None:
    """A bundle written by an earlier arena is read and imported."""
    file = Path(__file__).with_name("earlier.arena")
    check = api.verify_bundle(file)
    assert (check.is_right, check.finished, check.tournament) == (True, True, "swiss")
    # of three bots one has a bye in each of two rounds, and a block is two seatings
    assert api.import_bundle(file, tmp_path / "home").added == 4


@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_byte_may_be_another(bundle: Path, data: st.DataObject) -> None:
    """Packed or unpacked, it is refused by a sentence, or holds the same matches."""
    file = bundle.with_name("flipped.arena")
    changed = bytearray(bundle.read_bytes())
    unpacked = data.draw(st.booleans(), label="unpacked")
    if unpacked:
        changed = bytearray(gzip.decompress(changed))
    place = data.draw(st.integers(0, len(changed) - 1), label="place")
    changed[place] ^= data.draw(st.integers(1, 255), label="flips")
    file.write_bytes(gzip.compress(changed, mtime=0) if unpacked else changed)
    try:
        found = api.verify_bundle(file)
    except BundleError:
        return
    sound = api.verify_bundle(bundle)
    assert (found.matches, found.differing) == (sound.matches, 0)


VALUES: st.SearchStrategy[object] = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1,
        10**18,
        10**30,
        1.5,
        1e300,
        [],
        {},
        [[]],
        [None],
        {"a": 1},
        "",
        "x",
        "\x1b[2J",
        "../x",
        "9" * 40,
        "leaves",
        "secret",
        "swiss",
        "compare",
        "1 ms",
        "no limit",
    ]
)


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the paths of all values within a value."""
    inner: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    if isinstance(value, list):
        inner = list(enumerate(value))
    return [path] * bool(path) + [
        place for key, item in inner for place in places(item, (*path, key))
    ]


@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_changed_value_is_refused_or_harmless(bundle: Path, data: st.DataObject) -> None:
    """A changed value with fitting hashes is refused, or means the same."""
    contents = entries_of(bundle)
    if data.draw(st.booleans(), label="manifest"):
        value = json.loads(contents[MANIFEST])
        set_(*data.draw(st.sampled_from(places(value))), to=data.draw(VALUES))(value)
        contents[MANIFEST] = json.dumps(value).encode()
    else:
        lines = contents[RECORDS].decode().splitlines()
        value = json.loads(lines[0])
        set_(*data.draw(st.sampled_from(places(value))), to=data.draw(VALUES))(value)
        lines[0] = json.dumps(value, separators=(",", ":"))
        contents[RECORDS] = "".join([f"{line}\n" for line in lines]).encode()
    try:
        file = put_together(bundle.with_name("other.arena"), contents, refit=value != {})
    except (LookupError, TypeError, ValueError):  # so broken that no hashes can be put in
        return
    home = bundle.with_name(f"home-{data.draw(st.integers(0, 10**9))}")
    said = ""
    try:
        api.import_bundle(file, home)
    except ArenaError as error:
        said = str(error)
    if not home.exists():
        assert "\x1b" not in said
        return
    assert [wrong for _, wrong in api.verify_all([], home) if wrong] == []
