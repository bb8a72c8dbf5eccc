"""The text of a ``bot.yaml``, checked: the keys in ``_KEYS``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from arena.values.errors import ArenaError, BotError, UsageError, near_miss
from arena.values.model import NO_NEEDS, Needs
from arena.values.untrusted import show

FILE_NAME = "bot.yaml"
MAX_BYTES = 4096

_KEYS = ("name", "language", "start", "build", "games", "needs", "environment")
_LISTS = ("start", "build", "games")
_NAME = re.compile(r"(?!.*\.$)[^\W_][\w.-]{0,63}")


@dataclass(frozen=True, slots=True)
class BotManifest:
    """What a ``bot.yaml`` says; what it leaves out is empty, and ``language`` may then fill it."""

    name: str
    language: str = ""
    start: tuple[str, ...] = ()
    build: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    needs: Needs = NO_NEEDS
    environment: str = ""


def check_name(name: str, source: str, kind: str = "a bot's name") -> str:
    """Return a bot's name as it is if it may be one; raises ``BotError``.

    Names become folders and stand in tables, in ``NAME@VERSION`` and in lists joined by ``+``.
    ``kind`` is what messages call it.
    """
    from arena.tournament import names  # imported late, as all of that room

    try:
        if _NAME.fullmatch(name) and names.check_entrant_name(name) == name:
            return name
        why = (
            'expected 1 to 64 letters, digits, "-", "_" or ".", the first a letter or digit, the '
            'last no "."'
        )
    except UsageError as error:
        why = str(error)
    raise BotError(f'{source}: "{show(name, 60)}" cannot be {kind}; {why}')


def parse_manifest(data: bytes, source: str) -> BotManifest:
    """Read the bytes of a ``bot.yaml``.

    Args:
        data: the file's content.
        source: the file as messages name it.

    Raises:
        BotError: too long, not YAML, an unknown key, a wrong type, a bad name, or neither
            ``language`` nor ``start``.
    """
    from arena.tournament.yaml_text import load_yaml  # imported late: most commands read no YAML

    if len(data) > MAX_BYTES:
        raise BotError(f"{source}: {len(data)} bytes; a bot.yaml has at most {MAX_BYTES}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BotError(f"{source}: not UTF-8 at byte {error.start}") from None
    try:
        document = load_yaml(text, source)
    except ArenaError as error:
        raise BotError(str(error)) from None
    content = document.value
    if not isinstance(content, dict):
        raise BotError(f"{source}: expected {{{', '.join(_KEYS)}}}")
    places = {key: f"{source}:{document.places[key,].key[0]}" for key in content}
    for key in content:
        if key not in _KEYS:
            raise BotError(
                f'{places[key]}: unknown key "{show(key, 60)}"'
                + (near_miss(key, _KEYS) or f"; expected {', '.join(_KEYS)}")
            )
    if "name" not in content:
        raise BotError(f"{source}: name is missing")
    read: dict[str, Any] = {}
    for key, value in content.items():
        reads = _needs if key == "needs" else _words if key in _LISTS else _text
        read[key] = reads(value, key, places[key])
    manifest = BotManifest(**read)
    check_name(manifest.name, places["name"])
    if manifest.environment:
        check_name(manifest.environment, places["environment"], "an environment's name")
    if not manifest.language and not manifest.start:
        raise BotError(f"{source}: expected a language, or a start line like [python3, bot.py]")
    return manifest


def _text(value: object, key: str, place: str) -> str:
    if isinstance(value, str) and value:
        return value
    raise BotError(f'{place}: {key} is a text, found "{show(str(value), 60)}"')


def _needs(value: object, _: str, place: str) -> Needs:
    """Read what a bot needs; each of it is read as a tournament file's ``memory`` and ``clock``."""
    from arena.tournament.clocks import parse_limit
    from arena.tournament.units import parse_memory

    example = "{memory: 3GiB, start: 60s}"
    if not isinstance(value, dict) or not value.keys() <= {"memory", "start"}:
        raise BotError(f'{place}: needs is like {example}, found "{show(str(value), 60)}"')
    needs = NO_NEEDS
    try:
        if "memory" in value:
            needs = needs._replace(memory_bytes=parse_memory(str(value["memory"])))
        if "start" in value:
            needs = needs._replace(start_ms=parse_limit("start", str(value["start"])) or 0)
    except UsageError as error:
        raise BotError(f"{place}: needs: {show(str(error), 200)}") from None
    return needs


def _words(value: object, key: str, place: str) -> tuple[str, ...]:
    if isinstance(value, list) and value:
        wrong = [one for one in value if not (isinstance(one, str) and one and "\0" not in one)]
        if not wrong:
            return tuple(value)
        value = wrong[0]
    # YAML reads 010 as 8 and 1.50 as 1.5: what was meant is known only if it is quoted
    example = "[leaves]" if key == "games" else '[./mybot, --level, "3"]'
    raise BotError(
        f'{place}: {key} is a list of texts like {example}, found "{show(str(value), 60)}"'
    )
