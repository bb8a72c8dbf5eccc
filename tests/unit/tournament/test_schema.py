"""The JSON Schema of a tournament file says what the file may hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click.testing
import pytest
from support.doc_pages import ROOT

from arena.cli.main import arena
from arena.tournament.json_schema import file_schema
from arena.tournament.yaml_text import load_yaml


def fits(value: Any, schema: dict[str, Any], whole: dict[str, Any]) -> bool:
    """Return whether a value fits, by as much of JSON Schema as the schema uses."""
    kinds = {"string": str, "integer": int, "array": list, "object": dict, "boolean": bool}
    if "$ref" in schema:
        return fits(value, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if "anyOf" in schema and not any(fits(value, one, whole) for one in schema["anyOf"]):
        return False
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kind = schema.get("type")
    if kind == "null":
        return value is None
    if kind is not None and (not isinstance(value, kinds[kind]) or value is True is not kind):
        return False
    if isinstance(value, list) and "items" in schema:
        return all(fits(item, schema["items"], whole) for item in value)
    if isinstance(value, dict) and "properties" in schema:
        return all(
            key in schema["properties"] and fits(item, schema["properties"][key], whole)
            for key, item in value.items()
        ) and set(schema.get("required", ())) <= set(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True


HEAD = "name: t\ngame: leaves\nbots: [random, greedy]\n"


@pytest.mark.parametrize("path", sorted(ROOT.glob("tournaments/*.yaml")), ids=lambda p: p.name)
def test_shipped_tournaments_fit_schema(path: Path) -> None:
    """Every tournament file that comes with the arena fits the JSON Schema."""
    assert fits(load_yaml(path.read_text(), path.name).value, file_schema(), file_schema())


@pytest.mark.parametrize(
    ("more", "fitting"),
    [
        ("", True),
        ("clock: {move: 1s, first: 500ms}", True),
        ("clock: {move: 1000}", False),
        ("memory: 512MiB", True),
        ("memory: 1024", False),
        ("opening: none", True),
        ("opening: {plies: 2}", True),
        ("opening: {plise: 2}", False),
        ("max_decisions: none", True),
        ("max_decisions: 0", False),
        ("without: [random]", True),
        ("without: random", False),
        ("anchor: {random: 1500}", True),
        ("anchor: random", False),
        ("processes: fresh", True),
        ("processes: frsh", False),
        ("ruonds: 2", False),
    ],
)
def test_schema_accepts_what_reader_accepts(more: str, fitting: bool) -> None:
    """A value that the reader takes fits the schema, and one that it refuses does not."""
    value = load_yaml(HEAD + more, "t.yaml").value
    assert fits(value, file_schema(), file_schema()) is fitting


def test_schema_option_prints_schema() -> None:
    """``arena run --schema`` prints the schema without a file."""
    result = click.testing.CliRunner().invoke(arena, ["run", "--schema"])
    assert result.exit_code == 0
    assert json.loads(result.output) == file_schema()
    assert file_schema()["properties"]["memory"]["default"] == "1GiB"
