"""What comes with the arena and is no code: bots, tournaments, pages of the documentation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def shipped_folder(name: str) -> Path:
    """Return the folder ``bots``, ``tournaments`` or ``docs``.

    It is inside the package when the arena is installed, else beside it.
    """
    package = Path(__file__).resolve().parent.parent
    installed = package / "bundled" / name
    return installed if installed.is_dir() else package.parent / name


def shipped_tournaments() -> dict[str, Path]:
    """Return the tournament files that come with the arena, by their names without a suffix."""
    return {file.stem: file for file in sorted(shipped_folder("tournaments").glob("*.yaml"))}


def page_names() -> list[str]:
    """Return the names of the documentation's pages, without their suffix."""
    return sorted(path.stem for path in _pages())


def read_page(name: str) -> str:
    """Return a page's text, which is Markdown."""
    (path,) = [path for path in _pages() if path.stem == name]
    return path.read_text(encoding="utf-8")


def _pages() -> Iterator[Path]:
    docs = shipped_folder("docs")
    for kind in ("tutorial", "how-to", "reference"):
        yield from (docs / kind).glob("*.md")
    yield from (docs / f"{name}.md" for name in ("install", "faq", "glossary", "security"))
