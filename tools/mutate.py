"""Draw small faults of the program by a seed, and report which of them the quick tests find.

Run by hand from a clean tree, as it takes an hour on two cores; the report goes to a folder:

    python tools/mutate.py map FOLDER            which test runs which line (needs coverage)
    python tools/mutate.py draw FOLDER --count 420 --seed 1
    python tools/mutate.py try FOLDER --copies 2
    python tools/mutate.py report FOLDER

Drawn faults name their text, so that the same faults can be tried again after tests and program
have changed: copy ``faults.json`` into another folder, and go on with ``map`` and ``try`` there.
What is no longer in the program is left out.
"""

from __future__ import annotations

import ast
import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("arena", "engines")
LEAST_PER_ROOM = 5
SECONDS = 5  # the sum of what the tests tried with one fault take when nothing is wrong
LIMIT = 100  # seconds after which a fault counts as found: it made something hang
PER_FUNCTION = 2  # rows of one parametrized test that are tried

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


def faults(path: Path) -> Iterator[dict[str, Any]]:
    """Yield each small change of one module's functions: place, text before, and text after."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _inside_functions(ast.parse(source)):
        for new in _changed(node):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            before = source[start:end].decode()
            if new != before:
                yield {
                    "file": str(path.relative_to(ROOT)),
                    "line": node.lineno,
                    "start": start,
                    "before": before,
                    "after": new,
                    "kind": type(node).__name__,
                }


def _inside_functions(tree: ast.AST) -> Iterator[Any]:
    """Yield what runs when a function is called: no annotations, decorators, f-strings, asserts."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, functions):
            for statement in node.body:
                yield from _parts(statement)
        else:
            yield from _inside_functions(node)


def _parts(node: ast.AST) -> Iterator[Any]:
    if isinstance(node, (ast.JoinedStr, ast.Assert, ast.ClassDef)):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "args", "decorator_list", "returns") or isinstance(
            node, ast.Call
        ):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _parts(child)


def _changed(node: Any) -> Iterator[str]:
    match node:
        case ast.Compare(ops=[op]):
            new = ast.Compare(node.left, [COMPARED[type(op)]()], node.comparators)
            yield f"({ast.unparse(new)})"
        case ast.BoolOp(op=op):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"({ast.unparse(ast.BoolOp(other, node.values))})"
        case ast.BinOp(op=op) if type(op) in COMPUTED and not _texts(node):
            yield f"({ast.unparse(ast.BinOp(node.left, COMPUTED[type(op)](), node.right))})"
        case ast.UnaryOp(op=ast.Not()):
            yield f"({ast.unparse(node.operand)})"
        case ast.Constant(value=bool(value)):
            yield str(not value)
        case ast.Constant(value=int(value)):
            yield str(value + 1)
        case ast.Expr(value=ast.Call()):
            yield "pass"
        case ast.Raise():
            yield "pass"
        case ast.Continue():
            yield "break"
        case ast.Break():
            yield "continue"
        case ast.Return(value=value) if value is not None:
            if not (isinstance(value, ast.Constant) and value.value is None):
                yield "return None"


def _texts(node: ast.BinOp) -> bool:
    """Return whether the change would only be a wrong type, which any test would see."""
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def room(file: str) -> str:
    """Return the room of a module: ``arena/match``, ``engines/connect_four``."""
    return "/".join(Path(file).with_suffix("").parts[:2])


@click.group()
def main() -> None:
    """Draw small faults of the program, and report which of them the quick tests find."""


FOLDER = click.argument("folder", type=click.Path(path_type=Path))


@main.command()
@FOLDER
@click.option("--count", default=420)
@click.option("--seed", default=1)
def draw(folder: Path, count: int, seed: int) -> None:
    """Draw COUNT faults: some of every room, and of large rooms more."""
    rng = random.Random(seed)
    rooms: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            rooms[room(str(path.relative_to(ROOT)))].extend(faults(path))
    rooms = {name: found for name, found in rooms.items() if len(found) >= LEAST_PER_ROOM}
    weights = {name: len(found) ** 0.7 for name, found in rooms.items()}
    spare = count - LEAST_PER_ROOM * len(rooms)
    drawn = []
    for name, found in sorted(rooms.items()):
        share = LEAST_PER_ROOM + round(spare * weights[name] / sum(weights.values()))
        drawn.extend(rng.sample(found, min(share, len(found))))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "faults.json").write_text(json.dumps(drawn, indent=1))
    click.echo(f"{len(drawn)} faults of {len(rooms)} rooms")


# loaded in every process of pytest: measures by itself which lines each test runs there
PLUGIN = """
import json, os, time
import coverage, pytest

measured = None

def pytest_sessionstart(session):
    global measured
    if os.environ.get("PYTEST_XDIST_WORKER"):
        measured = coverage.Coverage(config_file=os.environ["SETTINGS_OF_COVERAGE"])
        measured.start()

def pytest_sessionfinish(session):
    if measured:
        measured.stop()
        measured.save()

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    if measured:
        measured.switch_context(item.nodeid.replace("|", " "))
    start = time.monotonic()
    yield
    with open(os.environ["TIMES_OF_TESTS"], "a") as times:
        times.write(json.dumps([item.nodeid, time.monotonic() - start]) + "\\n")
"""
SETTINGS = """[run]
parallel = true
source = {root}/arena, {root}/engines
data_file = {folder}/lines
disable_warnings = no-data-collected, module-not-imported
"""


@main.command("map")
@FOLDER
def map_lines(folder: Path) -> None:
    """Run the quick tests once, and note which lines each of them runs."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tests_of_lines.py").write_text(PLUGIN)
    (folder / "settings.ini").write_text(SETTINGS.format(root=ROOT, folder=folder))
    env = os.environ | {
        "PYTHONPATH": str(folder),
        "TIMES_OF_TESTS": str(folder / "times.jsonl"),
        "SETTINGS_OF_COVERAGE": str(folder / "settings.ini"),
    }
    (folder / "times.jsonl").unlink(missing_ok=True)
    options = [
        "-q",
        "-n",
        "auto",
        "-p",
        "tests_of_lines",
        "--timeout=600",
        "-p",
        "no:cacheprovider",
    ]
    subprocess.run([sys.executable, "-m", "pytest", *options], cwd=ROOT, env=env)
    rc = f"--rcfile={folder / 'settings.ini'}"
    subprocess.run([sys.executable, "-m", "coverage", "combine", "-q", rc], cwd=ROOT, check=True)


def tests_of(folder: Path) -> dict[str, dict[int, set[str]]]:
    """Return the tests that run each line: file → line → names."""
    from coverage.numbits import numbits_to_nums

    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    with sqlite3.connect(folder / "lines") as data:
        rows = data.execute(
            "SELECT file.path, context.context, line_bits.numbits FROM line_bits"
            " JOIN file ON file.id = file_id JOIN context ON context.id = context_id"
        )
        for path, context, bits in rows:
            if "::" in context:
                lines = found[os.path.relpath(path, ROOT)]
                for line in numbits_to_nums(bits):
                    lines[line].add(context)
    return found


def chosen(names: set[str], times: dict[str, float]) -> list[str]:
    """Return the tests to try, quickest first: few rows of each test, and not for too long.

    What only other processes run is tried with the tests that start some.
    """
    starting = ("tests/cli/", "tests/integration/")
    names = names or {name for name in times if name.startswith(starting)}
    rows: Counter[str] = Counter()
    total, out = 0.0, []
    for name in sorted(names, key=lambda n: (times.get(n, 99), n)):
        function = name.split("[")[0]
        total += times.get(name, 99)
        if rows[function] < PER_FUNCTION and name in times and total - times[name] < SECONDS:
            rows[function] += 1
            out.append(name)
    return out


@main.command("try")
@FOLDER
@click.option("--copies", default=2)
def try_faults(folder: Path, copies: int) -> None:
    """Try every drawn fault in a copy of the project, with the tests that run its line."""
    folder = folder.resolve()
    drawn = json.loads((folder / "faults.json").read_text())
    times = dict(map(json.loads, (folder / "times.jsonl").read_text().splitlines()))
    lines = tests_of(folder)
    places: SimpleQueue[Path] = SimpleQueue()
    for number in range(copies):
        place = folder / f"copy{number}"
        if not place.exists():
            subprocess.run(["git", "clone", "-q", str(ROOT), str(place)], check=True)
            subprocess.run([sys.executable, "-m", "venv", str(place / ".venv")], check=True)
            pip = [str(place / ".venv/bin/pip"), "install", "-q", "-e", ".[dev]"]
            subprocess.run(pip, cwd=place, check=True)
        places.put(place)
    tried = folder / "tried.jsonl"
    done = tried.read_text().splitlines() if tried.exists() else []
    known = {(f["file"], f["start"], f["after"]) for f in map(json.loads, done)}

    todo = [here for here in map(_where_it_is, drawn) if here is not None]
    todo = [f for f in todo if (f["file"], f["start"], f["after"]) not in known]

    def one(here: dict[str, Any]) -> None:
        place = places.get()
        try:
            result = _try(place, here, chosen(lines[here["file"]][here["line"]], times))
        finally:
            places.put(place)
        with tried.open("a") as out:
            out.write(json.dumps(here | result) + "\n")

    with ThreadPoolExecutor(copies) as pool:
        list(pool.map(one, todo))


def _where_it_is(fault: dict[str, Any]) -> dict[str, Any] | None:
    """Return the fault where its text is today, the nearest such place; ``None``: it is gone."""
    path = ROOT / fault["file"]
    same = [
        found
        for found in (faults(path) if path.exists() else ())
        if (found["before"], found["after"]) == (fault["before"], fault["after"])
    ]
    return min(same, key=lambda found: abs(found["start"] - fault["start"]), default=None)


def _try(place: Path, fault: dict[str, Any], names: list[str]) -> dict[str, Any]:
    path = place / fault["file"]
    source = path.read_bytes()
    start, before = fault["start"], fault["before"].encode()
    path.write_bytes(source[:start] + fault["after"].encode() + source[start + len(before) :])
    begun = time.monotonic()
    failed: list[str] = []
    late = False
    try:
        if names:
            command = [str(place / ".venv/bin/pytest"), "-q", "-n0", "--maxfail=2", "-rfE",
                       "--tb=no", "-p", "no:cacheprovider", *names]  # fmt: skip
            ran = subprocess.run(
                command, cwd=place, capture_output=True, text=True, timeout=LIMIT,
                start_new_session=True,
            )  # fmt: skip
            words = ("FAILED ", "ERROR ")
            failed = [s.split()[1] for s in ran.stdout.splitlines() if s.startswith(words)]
            if ran.returncode not in (0, 1) and not failed:
                failed = [f"pytest ended with {ran.returncode}", ran.stdout[-300:]]
    except subprocess.TimeoutExpired:
        late = True
    finally:
        path.write_bytes(source)
        for cache in path.parent.glob("__pycache__/*"):
            if cache.name.startswith(path.stem + "."):
                cache.unlink(missing_ok=True)
    seconds = round(time.monotonic() - begun, 1)
    return {"tests": len(names), "failed": failed, "late": late, "seconds": seconds}


@main.command()
@FOLDER
def report(folder: Path) -> None:
    """Print what was found and what survived by room, and the files whose tests found alone."""
    tried = list(map(json.loads, (folder / "tried.jsonl").read_text().splitlines()))
    found = [f for f in tried if f["failed"] or f["late"]]
    click.echo(f"{len(tried)} faults, {len(found)} found ({len(found) / len(tried):.1%})\n")
    total, survived = Counter(room(f["file"]) for f in tried), Counter[str]()
    for fault in tried:
        if not (fault["failed"] or fault["late"]):
            survived[room(fault["file"])] += 1
    for name, count in sorted(total.items()):
        click.echo(f"{name:32} {count:4} drawn {survived[name]:4} survive")
    click.echo("")
    for fault in tried:
        if not (fault["failed"] or fault["late"]):
            before = " ".join(fault["before"].split())[:70]
            after = " ".join(fault["after"].split())[:70]
            where = f"{fault['file']}:{fault['line']}"
            click.echo(f"{where} ({fault['tests']} tests)  {before}  ->  {after}")
    alone = Counter(f["failed"][0].split("::")[0] for f in tried if len(f["failed"]) == 1)
    click.echo("\nfiles that were the only ones to find a fault, and how often")
    for name, count in alone.most_common():
        click.echo(f"{count:4}  {name}")
    times = folder / "times.jsonl"
    if times.exists():
        files = {json.loads(s)[0].split("::")[0] for s in times.read_text().splitlines()}
        click.echo("\nfiles with no test that was the only one to fail")
        for name in sorted(files - set(alone)):
            click.echo(f"      {name}")


if __name__ == "__main__":
    main()
