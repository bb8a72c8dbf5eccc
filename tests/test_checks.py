"""What checks the project: the sessions of ``noxfile.py``, and who calls them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent


def _sessions() -> set[str]:
    """Return the names of all sessions of ``noxfile.py``."""
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    names = {"tests-main"}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "nox.session":
                    given = {word.arg: word.value for word in call.keywords}
                    names.add(ast.literal_eval(given.get("name", ast.Constant(node.name))))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PYTHONS":
            names |= {f"tests-{version}" for version in ast.literal_eval(node.value)}
    return names


def test_workflow_names_sessions_that_exist() -> None:
    """Each session that the forge's workflow calls is a session of the noxfile, and most are."""
    text = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    called = set()
    for job in yaml.safe_load(text)["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        for step in job["steps"]:
            for word in re.findall(r'nox -s "?([^"\n]+?)"?$', step.get("run", ""), re.MULTILINE):
                key = re.search(r"\$\{\{ matrix\.(\w+) \}\}", word)
                values = matrix[key[1]] if key else [""]
                called |= {word.replace(key[0], value) if key else word for value in values}
    assert called <= _sessions()
    assert _sessions() - called == {"tests-main"}


def test_ci_calls_sessions_that_exist() -> None:
    """Each session that ``.ci/run`` calls is one; README's command stands for the first."""
    text = (ROOT / ".ci/run").read_text(encoding="utf-8").replace("\\\n", " ")
    chains = re.findall(r"^chain \d (.*?)(?:&|\|\||$)", text, re.MULTILINE)
    called = {
        word.strip('"').split(" -- ")[0]
        for chain in chains
        for word in re.findall(r'"[^"]*"|\S+', chain)
    }
    assert called == _sessions() - {"tests-main", "tests-3.11", "nightly"}


@pytest.mark.parametrize("name", ["tests-3.14", "bare", "nightly", "pages"])
def test_contributing_lists_session(name: str) -> None:
    """A contributor finds the session in the table."""
    assert f"`{name}`" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
