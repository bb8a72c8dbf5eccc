"""Bundles taken apart, changed, and put together again with hashes that fit."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from arena.bundle.frame import write_frame

Contents = Mapping[str, bytes]
MANIFEST, RECORDS = "manifest.json", "records/000000.jsonl"
Change = Callable[[Any], object]


def entries_of(path: Path) -> dict[str, bytes]:
    """Return what a bundle holds, by the names of its entries."""
    found = {}
    with tarfile.open(path) as archive:
        for member in archive:
            content = archive.extractfile(member)
            assert content is not None
            found[member.name] = content.read()
    return found


def put_together(path: Path, contents: Contents, *, refit: bool = True) -> Path:
    """Write a bundle; with ``refit`` its manifest gets the sizes and hashes of what is there."""
    if refit:
        manifest = json.loads(contents[MANIFEST])
        for entry in manifest["entries"]:
            data = contents.get(entry["name"], b"")
            entry["bytes"], entry["sha256"] = len(data), hashlib.sha256(data).hexdigest()
        contents = {**contents, MANIFEST: json.dumps(manifest).encode()}
    with open(path, "wb") as file:
        write_frame(file, contents.items())
    return path


def forged(
    bundle: Path | Contents,
    target: Path,
    entries: Contents = MappingProxyType({}),
    *,
    manifest: Change | None = None,
    record: Change | None = None,
    line: int = 0,
) -> Path:
    """Write a forged bundle: its entries, manifest or a record are changed, its hashes match."""
    contents = {**(entries_of(bundle) if isinstance(bundle, Path) else bundle), **entries}
    if manifest is not None:
        manifest(value := json.loads(contents[MANIFEST]))
        contents[MANIFEST] = json.dumps(value).encode()
    if record is not None:
        lines = contents[RECORDS].splitlines(keepends=True)
        lines[line] = lines_changed(lines[line], record)
        contents[RECORDS] = b"".join(lines)
    return put_together(target, contents)


def lines_changed(data: bytes, change: Change) -> bytes:
    """Return lines of JSON, each of them changed."""
    values = [json.loads(line) for line in data.splitlines()]
    for value in values:
        change(value)
    return "".join([json.dumps(value, separators=(",", ":")) + "\n" for value in values]).encode()
