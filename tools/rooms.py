"""The rooms of ``arena/``: drawn, listed and counted, from their imports.

``python tools/rooms.py`` writes the picture that ``docs/design.md`` shows, and the table in it;
``--check`` says whether both are current, and whether there are few enough rooms and arrows.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs/pictures/rooms.svg"
DESIGN = ROOT / "docs/design.md"
MADE, END = "<!-- made by: python tools/rooms.py -->", "<!-- end -->"
MOST_ROOMS, MOST_ARROWS = 36, 240
API = {"__init__", "__main__"}  # they may import every room, and are no rooms

WIDTH, HEIGHT, GAP, STEP = 92, 26, 12, 58  # px: of a box, between boxes, from row to row


def rows() -> list[list[str]]:
    """Return the rooms as import-linter is told them, the lowest row last."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [row.split(" : ") for row in layers]


def imports() -> dict[str, set[str]]:
    """Return which rooms each room imports, anywhere in its files."""
    found: dict[str, set[str]] = {}
    for path in sorted((ROOT / "arena").rglob("*.py")):
        here = path.relative_to(ROOT / "arena").parts[0].removesuffix(".py")
        rooms = found.setdefault(here, set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            else:
                continue
            rooms.update(name.split(".")[1] for name in names if name.startswith("arena."))
        rooms.discard(here)
    return {here: rooms for here, rooms in found.items() if here not in API}


def shown(found: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Return the arrows that no other way says already."""
    reached: dict[str, set[str]] = {}
    arrows = []
    for row in reversed(rows()):
        for room in row:
            below = found[room]
            reached[room] = below.union(*(reached[other] for other in below))
            twice = set().union(*(reached[other] for other in below))
            arrows += [(room, other) for other in sorted(below - twice)]
    return arrows


def picture(found: dict[str, set[str]]) -> str:
    """Return the drawing: a row of boxes a layer, arrows from a room down to what it imports."""
    arrows, layers = shown(found), rows()
    widest = max(map(len, layers)) * (WIDTH + GAP) - GAP
    middle: dict[str, tuple[float, float]] = {}
    for number, row in enumerate(layers):
        above = {room: [middle[up][0] for up, down in arrows if down == room] for room in row}
        order = sorted(row, key=lambda room: sum(above[room]) / max(1, len(above[room])))
        left = (widest - len(row) * (WIDTH + GAP) + GAP) / 2 + (number % 2) * (WIDTH + GAP) / 4
        for place, room in enumerate(order):
            middle[room] = (left + place * (WIDTH + GAP) + WIDTH / 2, number * STEP + HEIGHT / 2)
    width, height = widest + WIDTH / 2, (len(layers) - 1) * STEP + HEIGHT
    lines = []
    for up, down in arrows:
        (x1, y1), (x2, y2) = middle[up], middle[down]
        y1, y2 = y1 + HEIGHT / 2, y2 - HEIGHT / 2
        bend = f"C {x1:g} {y1 + STEP / 2:g} {x2:g} {y2 - STEP / 2:g}"
        lines.append(f'<path d="M {x1:g} {y1:g} {bend} {x2:g} {y2:g}"/>')
    boxes = []
    for room, (x, y) in middle.items():
        corner = f'x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}"'
        boxes.append(f'<rect {corner} width="{WIDTH}" height="{HEIGHT}" rx="5"/>')
        boxes.append(f'<text x="{x:g}" y="{y + 4:g}">{escape(room)}</text>')
    style = (
        "path { fill: none; stroke: #7a8a7c; stroke-width: 1.2 } "
        "rect { fill: #e8f2e9; stroke: #2e7d32 } "
        "text { font: 12px sans-serif; fill: #143d17; text-anchor: middle }"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {width + 8:g} {height + 8:g}">'
    title = "<title>The rooms of arena/, each above those that it imports</title>"
    return "\n".join([head, title, f"<style>{style}</style>", *lines, *boxes, "</svg>", ""])


def table() -> str:
    """Return what each room is for, the lowest first, by the first line of its ``__init__``."""
    text = []
    for row in reversed(rows()):
        for room in sorted(row):
            module = ast.parse((ROOT / "arena" / room / "__init__.py").read_text(encoding="utf-8"))
            words = " ".join((ast.get_docstring(module) or "").partition("\n\n")[0].split())
            text.append(f"- `arena/{room}`: {words.replace('``', '`')}")
    return "\n".join(text)


def section() -> str:
    """Return what stands between the marks in the design page."""
    image = "![The rooms, each above those that it imports](pictures/rooms.svg)"
    return f"{MADE}\n\n{image}\n\n{table()}\n\n{END}"


def problems(found: dict[str, set[str]]) -> list[str]:
    """Return what is not as it should be."""
    arrows = sum(map(len, found.values()))
    loose = {path.stem for path in (ROOT / "arena").glob("*.py")} - API
    wrong = {
        f"{len(found)} rooms: at most {MOST_ROOMS}": len(found) > MOST_ROOMS,
        f"{arrows} arrows: at most {MOST_ARROWS}": arrows > MOST_ARROWS,
        f"files outside of rooms: {', '.join(sorted(loose))}": bool(loose),
        "the picture is old: python tools/rooms.py": PICTURE.read_text() != picture(found),
        "the table is old: python tools/rooms.py": section() not in DESIGN.read_text(),
    }
    return [text for text, is_so in wrong.items() if is_so]


def main() -> int:
    found = imports()
    if sys.argv[1:] == ["--check"]:
        for problem in (wrong := problems(found)):
            print(problem)
        return bool(wrong)
    PICTURE.write_text(picture(found), encoding="utf-8")
    page = DESIGN.read_text(encoding="utf-8")
    text = page.partition(MADE)[0] + section() + page.partition(END)[2]
    DESIGN.write_text(text, encoding="utf-8")
    print(f"{len(found)} rooms, {sum(map(len, found.values()))} arrows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
