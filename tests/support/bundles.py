"""Bundles taken apart, changed, and put together again with hashes that fit."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.bundle.frame import write_frame

Contents = dict[str, bytes]
MANIFEST = "manifest.json"


def entries_of(path: Path) -> Contents:
    """Return what a bundle holds, by the names of its entries."""
    found: Contents = {}
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
        write_frame(file, [(name, len(data), [data]) for name, data in contents.items()])
    return path


def forged(
    bundle: Path, target: Path, *, record: Callable[[dict[str, Any]], object], line: int = 0
) -> Path:
    """Write a bundle again with a record changed, and all hashes right."""
    contents = entries_of(bundle)
    name = "records/000000.jsonl"
    lines = contents[name].decode().splitlines()
    value = json.loads(lines[line])
    record(value)
    lines[line] = json.dumps(value, separators=(",", ":"))
    contents[name] = "".join([f"{text}\n" for text in lines]).encode()
    return put_together(target, contents)
