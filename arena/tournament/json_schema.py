"""The JSON Schema of a tournament file, by which editors complete and check keys."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from arena.tournament.shape import WHOLE
from arena.tournament.units import format_size
from arena.values.model import Tournament

_USUAL = Tournament("", (), ())


def file_schema() -> dict[str, Any]:
    """Return it; that keys fit one another is not in it."""
    schema = GenerateJsonSchema().generate(WHOLE, mode="validation")
    for key, found in schema["properties"].items():
        usual = getattr(_USUAL, key, None)
        if isinstance(usual, bool | int | str) and key not in ("name", "workers"):
            found["default"] = usual
    for key, size in (("memory", _USUAL.memory_bytes), ("bot_size", _USUAL.bot_size)):
        schema["properties"][key]["default"] = format_size(size)
    hours = _USUAL.unable_for_ms // 3_600_000
    schema["properties"]["unable_for"]["default"] = f"{hours}h"
    dialect = GenerateJsonSchema.schema_dialect
    return {"$schema": dialect, **schema, "title": "A tournament of the arena"}
