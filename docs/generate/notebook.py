"""The tutorial for researchers as a notebook: its text and its programs as cells, without output.

``python docs/generate/notebook.py`` writes it; ``tests/test_docs.py`` says when it is stale, and
runs its programs.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "tutorial" / "for-researchers.md"
NOTEBOOK = PAGE.with_suffix(".ipynb")
PROGRAM = re.compile(r"<!-- [^\n]* -->\n```python\n(.*?)```\n", re.DOTALL)


def programs(text: str) -> list[str]:
    """Return the programs of the page, in order; each builds on those before."""
    return PROGRAM.findall(text)


def notebook(text: str) -> str:
    """Return the page as a notebook (nbformat 4.5)."""
    cells: list[dict[str, object]] = []
    for number, part in enumerate(PROGRAM.split(text)):  # text and program in turn
        source = part.strip().splitlines(keepends=True)
        if number % 2:
            code: dict[str, object] = {"execution_count": None, "outputs": []}
            cells.append({"cell_type": "code", "id": f"c{number}", "source": source, **code})
        elif source:
            cells.append({"cell_type": "markdown", "id": f"c{number}", "source": source})
        if source:
            cells[-1]["metadata"] = {}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
