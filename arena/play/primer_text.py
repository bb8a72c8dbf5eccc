"""The rules of a game on a person's terminal: a screen to begin with, or the whole page."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from engines import EngineError
from engines.core.pages import primer, rules_page

SCREEN = 20  # lines, of a game without a primer


def rules_text(name: str, columns: int, *, whole: bool = False) -> str:
    """Return the rules of a game as plain text.

    Args:
        name: a game's name without parameters.
        columns: how wide the terminal is.
        whole: whether it is the whole page, and not what to know for a first game.
    """
    page = None if whole else primer(name)
    if page is not None:
        return "\n".join(_plain(_first_section(page), columns)).strip("\n")
    try:
        page = rules_page(name)
    except EngineError as error:
        return str(error)
    lines = "\n".join(_plain(page, columns)).strip("\n").split("\n")
    if whole or len(lines) <= SCREEN:
        return "\n".join(lines)
    ends = [number for number, line in enumerate(lines[:SCREEN]) if not line]
    return "\n".join([*lines[: ends[-1] if ends else SCREEN], "", "Type rules all for the rest."])


def _first_section(page: str) -> str:
    """Return a page up to its second heading."""
    return re.split("^## ", page, maxsplit=1, flags=re.MULTILINE)[0].strip("\n")


def _plain(page: str, columns: int) -> Iterator[str]:
    """Yield lines of Markdown without its marks; paragraphs are filled again, the rest is kept."""
    fenced = False
    block: list[str] = []
    for line in [*page.split("\n"), ""]:
        fenced ^= line.startswith("```")
        kept = fenced or line.startswith(("    ", "|", "```"))
        if kept or not line.strip() or re.match(r"\s*([-*]|\d+\.) |#", line):
            yield from _filled(block, columns)
            block = []
        if kept:
            if not re.match("```|[|: -]+$", line):
                yield line if fenced else _unmarked(line)
        elif line.startswith("#"):
            yield from textwrap.wrap(_unmarked(line.lstrip("# ")), columns)
        elif line.strip():
            block.append(line)
        elif not line:
            yield ""


def _filled(block: list[str], columns: int) -> list[str]:
    """Return the lines of a paragraph or of an item of a list, as wide as the terminal."""
    if not block:
        return []
    lines = _unmarked("\n".join(block)).split("\n")
    if max(map(len, lines)) <= columns:
        return lines
    begin = re.match(r"\s*(([-*]|\d+\.) )?", lines[0])
    assert begin is not None
    return textwrap.wrap(
        " ".join(line.strip() for line in lines),
        columns,
        initial_indent=re.match(r"\s*", lines[0])[0],  # type: ignore[index]
        subsequent_indent=" " * len(begin[0]),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _unmarked(text: str) -> str:
    """Return a text without marks for stress and code, and with links and pictures as words.

    >>> _unmarked("**Ruling**: see [the page](page.md), `E4-2`")
    'Ruling: see the page, E4-2'
    """
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"\1", text, flags=re.DOTALL)
    text = re.sub(r"(?<![\w*])\*([^\s*][^*]*)\*(?![\w*])", r"\1", text)
    return re.sub(r"`+([^`]+)`+", r"\1", text)
