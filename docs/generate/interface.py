"""The interface of ``engines`` as a page that is kept: ``python -m docs.generate.interface``.

It is written from docstrings; ``tests/test_docs.py`` says when it is stale, and runs its examples.
"""

from __future__ import annotations

from pathlib import Path

from docs.generate.api_pages import described

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).parent.parent / "reference" / "interface.md"
HEAD = """\
# The rules of the games: `import engines`

The package `engines` is the rules and nothing else; bots may import it. Its words are those of [the
conventions](../rules/conventions.md), and [a game of your own](../how-to/add-a-game.md) is a class
with this interface. `python -m docs.generate.interface` writes this page from docstrings. Methods
are listed without `self`, and longer texts are cut: `help(engines.State.svg)` prints all.
"""


def page() -> str:
    """Return the page."""
    return HEAD + described("engines")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
