"""Imports point one way: rooms import from those below them; a dependency has one door.

``python tests/test_imports.py`` writes into ``docs/design.md`` which room imports which, as a
drawing for Mermaid in which an arrow is left out if another way says it already, and what each room
is for, by the first line of its ``__init__``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
DESIGN = ROOT / "docs/design.md"
MADE, END = "<!-- made by: python tests/test_imports.py -->", "<!-- end -->"
API = {"__main__", "__init__"}  # they may import every room, and are no rooms

# the rooms of arena, from bottom to top; a room imports from those before its own row
LAYERS = [
    {"bridges", "stats", "values"},
    {"machine", "match", "ratings", "schedule"},
    {"record", "sandbox", "tournament"},
    {"packed", "process", "report"},
    {"database", "session"},
    {"isolation", "store"},
    {"bots", "workers"},
    {"cluster", "play", "progress"},
    {"check", "doctor", "results", "review"},
    {"bundle", "run", "site"},
    {"serve", "studies", "terminal"},
    {"notebook"},
    {"cli"},
    {"__main__", "__init__"},
]

# where a dependency is imported, and nowhere else: a file, a folder, or two of them
DOORS: dict[str, str | tuple[str, ...]] = {
    "yaml": "arena/tournament/",
    "pydantic": "arena/tournament/",
    "pydantic_core": ("arena/tournament/", "arena/bundle/manifest.py"),
    "trueskill": "arena/ratings/trueskill.py",
    "tqdm": "arena/terminal/output.py",
    "multiprocessing_logging": "arena/machine/logs.py",
    "click": ("arena/cli/", "arena/terminal/"),
    "starlette": "arena/serve/",
    "uvicorn": ("arena/serve/server.py", "arena/serve/connections.py"),
    "h11": "arena/serve/connections.py",
    "markdown_it": "arena/serve/rules_html.py",
    "segno": "arena/serve/qr_code.py",
    "dask": "arena/cluster/",
    "distributed": "arena/cluster/",
    "cryptography": "arena/cluster/certificates.py",
    "jinja2": "arena/report/templates.py",
    "markupsafe": "arena/report/templates.py",
    "pettingzoo": "arena/bridges/pettingzoo.py",
    "gymnasium": "arena/bridges/pettingzoo.py",
    "numpy": "arena/bridges/",
    "pyspiel": "arena/bridges/openspiel.py",
    "pandas": "arena/values/tables.py",
}


@cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Return every import in a file, anywhere in it; to read all files takes a second."""
    nodes = ast.walk(ast.parse(path.read_text()))
    return tuple(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted name of every module a file imports, anywhere in it."""
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            if node.module == "arena":  # its rooms
                yield from (f"arena.{alias.name}" for alias in node.names)
            else:
                yield node.module


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def room(dotted: str) -> str:
    """Return the room of ``arena.room.….module``; the package itself is ``__init__``."""
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def room_of_file(path: Path) -> str:
    first = path.relative_to(ROOT / "arena").parts[0]
    return first.removesuffix(".py")


def test_rooms_import_to_the_left() -> None:
    """A room of arena imports only itself and rooms to its left."""
    layer = {name: i for i, names in enumerate(LAYERS) for name in names}
    for path in sources("arena"):
        here = room_of_file(path)
        for name in imports(path):
            if name == "arena" or name.startswith("arena."):
                there = room(name)
                assert there == here or layer[there] < layer[here], f"{path} imports {name}"


def imported_files(path: Path) -> Iterator[Path]:
    """Yield the files of arena that a file imports, names that are modules among them."""
    for node in import_statements(path):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            for dotted in (name, name.rpartition(".")[0]):
                place = ROOT / dotted.replace(".", "/")
                if place.with_suffix(".py").is_file():
                    yield place.with_suffix(".py")
                    break
                if (place / "__init__.py").is_file():
                    yield place / "__init__.py"
                    break


def test_no_files_import_one_another() -> None:
    """Nowhere in arena do files import one another in a circle, be it inside a function."""
    graph = {path: set(imported_files(path)) - {path} for path in sources("arena")}
    while True:  # what imports nothing that is left, or is imported by nothing, is in no circle
        wanted = set().union(*graph.values())
        loose = [path for path in graph if path not in wanted or not graph[path] & graph.keys()]
        if not loose:
            break
        for path in loose:
            del graph[path]
    assert sorted(str(path.relative_to(ROOT)) for path in graph) == []


def test_engines_need_nothing() -> None:
    """Engines import the standard library and one another."""
    allowed = {"engines", *sys.stdlib_module_names}
    for path in sources("engines"):
        for name in imports(path):
            assert name.split(".")[0] in allowed, f"{path} imports {name}"


def test_bots_import_engines_at_most() -> None:
    """Bots import the standard library and at most engines; OpenSpiel's own players OpenSpiel.

    Adapters are put beside a kit.
    """
    for path in sources("bots"):
        beside = {other.stem for other in path.parent.glob("*.py")}
        beside |= {"openspiel": {"pyspiel"}, "adapters": {"kit"}}.get(path.parent.name, set())
        for name in imports(path):
            first = name.split(".")[0]
            if first in beside:
                continue
            assert first == "engines" or first in sys.stdlib_module_names, f"{path} imports {name}"


def test_each_dependency_has_one_door() -> None:
    """A dependency is imported behind its door only."""
    for path in sources("arena"):
        where = str(path.relative_to(ROOT))
        for name in imports(path):
            first = name.split(".")[0]
            if first in ("arena", "engines") or first in sys.stdlib_module_names:
                continue
            assert first in DOORS, f"{where} imports {name}, which has no door"
            door = DOORS[first]
            assert where.startswith(door), f"{where} imports {name}; its door is {door}"


def arrows() -> dict[str, set[str]]:
    """Return which rooms each room of arena imports."""
    found: dict[str, set[str]] = {}
    for path in sources("arena"):
        here = room_of_file(path)
        there = {room(name) for name in imports(path) if name.split(".")[0] == "arena"}
        found.setdefault(here, set()).update(there - {here})
    return found


def drawing() -> str:
    """Return which room of arena imports which, as a Mermaid flowchart."""
    direct = arrows()
    reached: dict[str, set[str]] = {}
    text: list[str] = []
    for layer in LAYERS:  # from the bottom, so that what is below is known
        for name in sorted(layer - API, reverse=True):
            below = direct[name]
            reached[name] = below.union(*(reached[other] for other in below))
            shown = sorted(below.difference(*(reached[other] for other in below)))
            text += [f"    {name} --> {other}" for other in reversed(shown)]
    return "\n".join(["flowchart TD", *reversed(text)])


def table() -> str:
    """Return what each room of arena is for, the lowest first, as a table of Markdown."""
    rows = ["| room | what it is for |", "|---|---|"]
    for layer in LAYERS:
        for name in sorted(layer - API):
            module = ast.parse((ROOT / "arena" / name / "__init__.py").read_text())
            text = " ".join((ast.get_docstring(module) or "").partition("\n\n")[0].split())
            rows.append(f"| `arena/{name}` | {text.replace('``', '`')} |")
    return "\n".join(rows)


def rooms_section() -> str:
    """Return what stands between the marks in the design page."""
    return f"{MADE}\n\n```mermaid\n{drawing()}\n```\n\n{table()}\n\n{END}"


def test_design_shows_the_rooms() -> None:
    """The page has the drawing and the table as they are now."""
    assert rooms_section() in DESIGN.read_text(), "run python tests/test_imports.py"


def test_rooms_are_few() -> None:
    """One can hold them in one's head: at most 36 boxes and 240 arrows; no loose files."""
    found = arrows()
    assert len(found) <= 36
    assert sum(map(len, found.values())) <= 240
    loose = {path.name for path in (ROOT / "arena").glob("*.py")}
    assert loose == {"__init__.py", "__main__.py"}


if __name__ == "__main__":
    page = DESIGN.read_text()
    before, after = page.partition(MADE)[0], page.partition(END)[2]
    DESIGN.write_text(before + rooms_section() + after)
