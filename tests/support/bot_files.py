"""Files of bots, as people write them."""

from __future__ import annotations

from pathlib import Path


def write(path: Path, content: str | bytes = "x\n", mode: int = 0o644) -> Path:
    """Write a file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    path.chmod(mode)
    return path
