"""Values as HTML tables, which notebooks show: what ``_repr_html_`` returns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from arena.values.untrusted import show


def html_table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return one table; ``None`` is an empty cell, and names are harmless.

    >>> html_table("<x>", ["bot", "gain"], [["oak", -0.001]])
    '<table><caption>&lt;x&gt;</caption><tr><th>bot<th>gain</tr><tr><td>oak<td>0.00</tr></table>'
    """
    lines = [_line("th", columns), *(_line("td", row) for row in rows)]
    return f"<table><caption>{escape(show(caption, None))}</caption>{''.join(lines)}</table>"


def _line(kind: str, cells: Sequence[object]) -> str:
    texts = ["" if cell is None else escape(show(_text(cell), None)) for cell in cells]
    return f"<tr>{''.join(f'<{kind}>{text}' for text in texts)}</tr>"


def _text(cell: object) -> str:
    return f"{round(cell, 2) + 0.0:.2f}" if isinstance(cell, float) else str(cell)
