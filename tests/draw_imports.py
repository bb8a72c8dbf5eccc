"""Draw which rooms of arena import which: ``python tests/draw_imports.py`` prints it for Mermaid.

Rooms stand in their layers, the highest first, each with its number of lines. An arrow that another
way through the drawing says already is left out.
"""

from __future__ import annotations

from test_imports import LAYERS, imports, room, room_of_file, sources

__all__ = ["drawing", "rooms_imported"]


def rooms_imported() -> dict[str, set[str]]:
    """Return for each room the rooms that its files import."""
    found: dict[str, set[str]] = {}
    for path in sources("arena"):
        here = room_of_file(path)
        there = {room(name) for name in imports(path) if name.split(".")[0] == "arena"}
        found.setdefault(here, set()).update(there - {here})
    return found


def drawing() -> str:
    """Return the drawing as a Mermaid flowchart."""
    lines: dict[str, int] = {}
    for path in sources("arena"):
        here = room_of_file(path)
        lines[here] = lines.get(here, 0) + len(path.read_text().splitlines())
    direct = rooms_imported()
    reached: dict[str, set[str]] = {}
    for layer in LAYERS:  # from the bottom, so that what is below is known
        for name in layer:
            below = direct.get(name, set())
            reached[name] = below.union(*(reached[other] for other in below))
    text = ["flowchart TD"]
    for name in sorted(lines, key=lambda name: (-_layer(name), name)):
        text.append(f'    {name}["{name}: {lines[name]:,}"]')
        below = direct[name]
        shown = sorted(below - set().union(*(reached[one] for one in below)))
        text += [f"    {name} --> {other}" for other in shown]
    return "\n".join(text)


def _layer(name: str) -> int:
    return next(number for number, names in enumerate(LAYERS) if name in names)


if __name__ == "__main__":
    print(drawing())
