"""What holds for every file of the arena: one name for one class, and calls as they look."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILES = sorted(ROOT.glob("arena/**/*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(tree(path))


def test_one_name_one_class() -> None:
    """No two classes have one name, be it that one is a file's own."""
    names = [
        node.name.strip("_")
        for path in FILES
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
    ]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_arguments_are_not_packed() -> None:
    """A call has its arguments one by one, none of them in a tuple that is unpacked at once."""
    packed = [
        f"{path.relative_to(ROOT)}:{arg.lineno}"
        for path in FILES
        for node in nodes(path)
        if isinstance(node, ast.Call)
        for arg in node.args
        if isinstance(arg, ast.Starred) and isinstance(arg.value, ast.Tuple)
    ]
    assert packed == []
