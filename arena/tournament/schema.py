"""The shape of a tournament file as a JSON Schema, by which editors complete and check keys."""

from __future__ import annotations

from typing import Any

from arena.tournament.shape import TournamentShape
from arena.tournament.units import format_size

__all__ = ["file_schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def file_schema() -> dict[str, Any]:
    """Return the schema of what each key may hold; that keys fit one another is not in it."""
    schema = TournamentShape.model_json_schema(mode="validation")
    memory = schema["properties"]["memory"]
    memory["default"] = format_size(memory["default"])
    return {"$schema": DIALECT, **schema, "title": "A tournament of the arena"}
