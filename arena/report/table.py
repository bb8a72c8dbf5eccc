"""Rows → text: columns for a terminal, CSV, Markdown or JSON."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from types import MappingProxyType

from arena.values.errors import UsageError
from arena.values.untrusted import csv_text, markdown_text, show, width

Cell = object  # a text, a number, or something made of them

_ID = re.compile("[0-9a-f]{8,}")
_CSV_DIGITS = 6
_DIGITS = 2


def formatted(names: Sequence[str], rows: Iterable[Sequence[Cell]], style: str) -> str:
    """Return rows as ``table``, ``csv`` or ``md``.

    Raises:
        UsageError: there is no such style.
    """
    if style not in _STYLES:
        raise UsageError(f'expected a format of table, json, csv or md, found "{style}"')
    return _STYLES[style](names, rows)


def plain_table(names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return rows in columns as wide as a terminal shows them, numbers to the right.

    >>> print(plain_table(["bot", "score"], [["oak", 1.5], ["木", -10]]), end="")
    bot  score
    oak   1.50
    木     -10
    """
    rows = [list(row) for row in rows]
    texts = [[_text(cell) for cell in row] for row in rows]
    heads = [show(name) for name in names]
    right = _numeric(rows, len(heads))
    widths = [max(map(width, column)) for column in zip(heads, *texts, strict=True)]
    lines = []
    for cells in (heads, *texts):
        padded = [
            " " * (wide - width(cell)) + cell if to_right else cell + " " * (wide - width(cell))
            for cell, wide, to_right in zip(cells, widths, right, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "".join(f"{line}\n" for line in lines)


def fit(
    rows: Sequence[Mapping[str, Cell]], columns: int | None, give: Iterable[tuple[str, int]]
) -> tuple[list[dict[str, Cell]], list[str]]:
    """Return rows of which a table is no wider, as far as it can be, and what was left out.

    Args:
        rows: by the names of their columns.
        columns: how wide the table may be; ``None``: as wide as it is.
        give: what gives room, one after the other: a column, and to what its texts are cut at most;
            with 0 the whole column is left out.
    """
    found, left_out = [dict(row) for row in rows], list[str]()
    for name, least in give:
        if columns is None or not found or name not in found[0]:
            continue
        whole = plain_table(list(found[0]), [list(row.values()) for row in found])
        over = max(map(width, whole.splitlines())) - columns
        if over <= 0:
            break
        texts = [_text(row[name]) for row in found]
        most = max(least, max(map(width, texts)) - over)
        for row, text in zip(found, texts, strict=True):
            row[name] = cut(text, most)
            if not least:
                del row[name]
        left_out += [name] * (not least)
    return found, left_out


def listing(
    rows: Sequence[Mapping[str, Cell]],
    columns: int | None = None,
    give: Iterable[tuple[str, int]] = (),
) -> str:
    """Return rows, at least one, as a table that fits, without columns in which nothing stands.

    >>> print(listing([{"bot": "oak", "out": None, "lost": 0}]), end="")
    bot  lost
    oak     0
    """
    kept = [name for name in rows[0] if any(row[name] or row[name] == 0 for row in rows)]
    shown, _ = fit([{name: row[name] for name in kept} for row in rows], columns, give)
    return plain_table(list(shown[0]), [list(row.values()) for row in shown])


def cut(text: str, columns: int) -> str:
    """Return a text with its middle left out, since versions and editions stand at the end.

    Of an id the beginning is kept, which is enough to name it; and of names of those who met, each.

    >>> cut("arboretum#12", 9), cut("0123456789abcdef", 8), cut("oak - arboretum@2", 13)
    ('arbo…m#12', '01234567', 'oak - arb…m@2')
    """
    text = show(text, None)
    if width(text) <= columns:
        return text
    if _ID.fullmatch(text):
        return text[:columns]
    names = text.split(" - ")
    each, rest = columns, columns - 3 * (len(names) - 1)
    while each > 1 and sum(min(width(name), each) for name in names) > rest:
        each -= 1
    return " - ".join([_without_middle(name, each) for name in names])


def _without_middle(text: str, columns: int) -> str:
    if width(text) <= columns:
        return text

    def short(kept: int) -> str:  # characters, of which the beginning gets an odd one
        return f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"

    most = bisect_right(range(len(text)), columns, key=lambda kept: width(short(kept)))
    return short(max(0, most - 1))


def csv_table(names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return rows as CSV; a text that a spreadsheet would take for a formula begins with ``'``."""
    lines = [map(csv_text, names), *(map(_csv_cell, row) for row in rows)]
    empty = '""'  # a line with nothing in it would be no row
    return "".join(f"{','.join(cells) or empty}\n" for cells in lines)


def md_table(names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return rows as a table of Markdown."""
    rows = [list(row) for row in rows]
    right = _numeric(rows, len(names))
    lines = [[markdown_text(name) for name in names], ["--:" if r else "---" for r in right]]
    lines += [[markdown_text(_text(cell)) for cell in row] for row in rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def note(text: str, style: str, columns: int | None = None) -> str:
    """Return a paragraph to stand below a ``table`` or ``md``; programs that read ``csv`` get none.

    With a number of columns, a ``table``'s paragraph is folded at spaces.

    >>> print(note("oak is *suspended*", "md"), end="")
    <BLANKLINE>
    oak is \\*suspended\\*
    """
    if style == "csv":
        return ""
    shown = show(text, 1000)
    if style == "table" and columns is not None:
        shown = fill(shown, columns, break_long_words=False, break_on_hyphens=False)
    return f"\n{markdown_text(shown) if style == 'md' else shown}\n"


def json_rows(
    tournament: str | None,
    rows: Sequence[Mapping[str, object]],
    more: Mapping[str, object] = MappingProxyType({}),
) -> str:
    """Return ``{"tournament":"…","rows":[…]}`` and what is given as ``more``: one line of ASCII."""
    value = {"tournament": tournament, "rows": list(rows), **more}
    return json.dumps(value, separators=(",", ":"), allow_nan=False) + "\n"


_STYLES = {"table": plain_table, "csv": csv_table, "md": md_table}


def _text(cell: Cell) -> str:
    """Write a cell for a person to read."""
    if isinstance(cell, float):
        return f"{round(cell, _DIGITS) + 0.0:.{_DIGITS}f}"  # + 0.0: never -0.00
    return show(_words(cell))


def _csv_cell(cell: Cell) -> str:
    if isinstance(cell, float):
        return repr(round(cell, _CSV_DIGITS) + 0.0)
    return _words(cell) if isinstance(cell, int) else csv_text(_words(cell))


def _words(cell: Cell) -> str:
    """Write what is no fraction; what is made of several as ``time 1, crash 2`` or ``a, b``."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Mapping):
        return ", ".join(f"{key} {value}" for key, value in cell.items())
    if isinstance(cell, (list, tuple)):
        return ", ".join(map(str, cell))
    return str(cell)


def _numeric(rows: Sequence[Sequence[Cell]], columns: int) -> list[bool]:
    """Return which columns hold nothing but numbers."""
    return [bool(rows) and all(_is_number(row[i]) for row in rows) for i in range(columns)]


def _is_number(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, (int, float)) and not isinstance(cell, bool))
