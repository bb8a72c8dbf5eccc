"""What pydantic finds wrong with a file, in our words: found, expected, near miss."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic_core import ErrorDetails, ValidationError

from arena.tournament.problems import MAX_PROBLEMS, KeyPath, Location, Problem, shown
from arena.tournament.several_keys import check_together
from arena.tournament.shape import NEEDED, OF_FILE, OF_PYTHON, SHAPES
from arena.values.errors import near_miss

_EXPECTED = {
    "int_type": "expected a whole number",
    "float_type": "expected a number",
    "finite_number": "expected a number",
    "string_type": "expected a text",
    "bool_type": "expected true or false",
    "list_type": "expected a list",
    "dict_type": "expected a mapping {KEY: TEXT}",
}


def check_mapping(
    value: Mapping[str, Any],
    places: Mapping[KeyPath, Location],
    folder: Path | None,
    *,
    of_python: bool = False,
) -> tuple[dict[str, Any], list[Problem]]:
    """Return what the keys of a file's mapping say, and all that is wrong with them.

    A text that means a number or another name is read; keys that are left out stay so, and so do
    those whose values are wrong by themselves.

    Args:
        value: the file's mapping.
        places: where each value stands and how it is written.
        folder: what relative paths are relative to; ``None``: they are not looked at.
        of_python: may bots be functions, and have any name?
    """
    validator, context = OF_PYTHON if of_python else OF_FILE, {"folder": folder}
    problems = [
        Problem((key,), f"missing; expected {what}")
        for key, what in NEEDED.items()
        if key not in value
    ]
    try:
        shape = validator.validate_python(value, context=context)
    except ValidationError as error:
        found = error.errors(include_url=False)
        # no more of them are reported, and looking for near names takes time
        problems += [
            _problem(details, places, hint=number < MAX_PROBLEMS)
            for number, details in enumerate(found)
        ]
        wrong = {details["loc"][0] for details in found}
        right = {key: inner for key, inner in value.items() if key not in wrong}
        shape = validator.validate_python(right, context=context)
    together = check_together(value, shape, folder)
    return shape, [*problems, *(Problem(_place_of(one.path, places), one.text) for one in together)]


def _place_of(path: KeyPath, places: Mapping[KeyPath, Location]) -> KeyPath:
    """Return a path without its end that stands nowhere: a bot that is only a name has no keys."""
    while path not in places:
        path = path[:-1]
    return path


def _problem(details: ErrorDetails, places: Mapping[KeyPath, Location], *, hint: bool) -> Problem:
    path, kind, context = details["loc"], details["type"], details.get("ctx", {})
    if kind == "extra_forbidden" and path[0] == "bots" and path[2:] == ("function",):
        return Problem(path, "a function comes from Python: arena.tournament(bots=[...])")
    if kind == "extra_forbidden":
        known = list(_keys(path[:-1]))
        near = near_miss(str(path[-1]), known) if hint else ""
        expected = near or f"; expected one of {', '.join(known)}"
        return Problem(path, f"unknown key{expected}", at_key=True)
    at_key = path[-1] == "[key]"
    path = _place_of(path, places)
    found = _found(details["input"], places[path])
    if kind == "wrong":
        return Problem(path, details["msg"], at_key=at_key)
    if kind == "expected":
        return Problem(path, f"{details['msg']}, found {found}")
    if kind == "dict_type" and _place(path) in SHAPES:
        keys = ", ".join(_keys(path))
        name = "a bot's name or " if path[0] == "bots" and len(path) == 2 else ""
        return Problem(path, f"expected {name}a mapping of {keys}, found {found}")
    if kind == "literal_error":
        words = _keys(path[:-1])[str(path[-1])]["expected"]
        near = near_miss(places[path].text or "", words) if hint else ""
        return Problem(path, f"expected one of {', '.join(words)}, found {found}{near}")
    if kind == "too_long":
        return Problem(path, f"expected at most {context['max_length']} of them")
    if kind in ("greater_than_equal", "less_than_equal"):
        bound = f"at least {context['ge']}" if "ge" in context else f"at most {context['le']}"
        return Problem(path, f"expected {bound}, found {found}")
    if path[:1] == ("anchor",) and kind in ("dict_type", "too_short"):
        return Problem(path, f"expected a mapping {{NAME: ELO}} of one bot, found {found}")
    quotes = ""
    if kind == "string_type" and places[path].text:
        quotes = f'; write it in quotes: "{shown(places[path].text or "")}"'
    return Problem(path, f"{_EXPECTED[kind]}, found {found}{quotes}")


def _place(path: KeyPath) -> KeyPath:
    return tuple([part for part in path if isinstance(part, str)])


def _keys(path: KeyPath) -> Mapping[str, Any]:
    """Return the checks of the keys of the mapping at a path."""
    return SHAPES[_place(path)]


def _found(value: object, place: Location) -> str:
    if place.text is None:
        return "a list" if isinstance(value, list) else "a mapping"
    if value is None or value == "":
        return "nothing"
    return f'"{shown(place.text)}"' if isinstance(value, str) else place.text
