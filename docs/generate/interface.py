"""The interface of ``engines`` as a page that is kept: ``python -m docs.generate.interface``.

It is written from docstrings; ``tests/test_docs.py`` says when it is stale, and runs its examples.
"""

from __future__ import annotations

from pathlib import Path

from docs.generate.api_pages import described

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).parent.parent / "reference" / "interface.md"
HEAD = """\
# The interface of engines, name by name

The docstrings of `engines`, written by `python -m docs.generate.interface`;
[the rules of the games](engines.md) says where to begin. Methods are listed without `self`, and
longer texts are cut: `help(engines.State.svg)` prints all, with what each argument means.
"""


def page() -> str:
    """Return the page."""
    return HEAD + described("engines")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
