"""What the docstrings say, for the pages on the Python API.

``tests/test_docs.py`` runs the examples.
"""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["described", "examples"]

SECTIONS = {
    "Args:": "Arguments",
    "Attributes:": "Attributes",
    "Returns:": "Returns",
    "Yields:": "Yields",
    "Raises:": "Raises",
}
IN_ITEMS = {"Returns:": "Gives", "Yields:": "Gives", "Raises:": "Raises"}
# what examples of single functions take for known, as they stand in their own modules
EVERYTHING = (
    ">>> import arena, engines\n>>> from engines import *\n>>> from engines.core.base import *\n"
    ">>> from engines.core.chance import *\n>>> from engines.core.choices import *\n"
    ">>> from engines.core.drawing import label, called, named, outcomes\n"
    ">>> from engines.core.knowledge import *\n>>> from arena import open_home"
)
NOT_SHOWN = ("register", "mro")  # which classes have from Python


# modules of ``engines`` that authors of games use, and their names; none: all public ones
FOR_AUTHORS = (
    ("For authors of games", "engines.core.base", ()),
    ("Random draws", "engines.core.chance", ("Stream", "generator", "below", "pick", "shuffled")),
    (
        "Pictures",
        "engines.core.drawing",
        ("frame", "Seat", "Piece", "text", "rect", "token", "label", "called", "named", "outcomes"),
    ),
    ("Clicks", "engines.core.choices", ("Choices",)),
    ("What guides a search", "engines.core.knowledge", ()),
)


def described(package: str) -> str:
    """Return ``arena`` or ``engines`` as Markdown: its text, and its names in order.

    Of a method comes the first paragraph, with what it gives and raises, of a module for authors
    the first paragraph.
    """
    module = importlib.import_module(package)
    parts = ["", _markdown(module.__doc__ or "")]
    for name in module.__all__:
        if not name.startswith("__"):
            parts += _described(f"{package}.{name}", name, getattr(module, name), "##")
    if package == "engines":
        for title, place, names in FOR_AUTHORS:
            module = importlib.import_module(place)
            first = (module.__doc__ or "").partition("\n\n")[0]
            parts += [f"## {title}: `{place}`", _markdown(first)]
            values = [(name, getattr(module, name)) for name in names or module.__all__]
            for name, value in sorted(values, key=lambda pair: inspect.isclass(pair[1])):
                if inspect.isfunction(value):
                    parts.append(_item(name, value))
                elif inspect.isclass(value):
                    parts += _described(name, name, value, "###")
    text = "\n\n".join(part.strip() for part in parts if part) + "\n"
    return re.sub(r"(?m)(^- (?:.|\n(?!\n))*)\n\n(?=- )", r"\1\n", text)


def _described(title: str, name: str, value: Any, mark: str) -> Iterator[str]:
    """Yield heading, signature and text of a function or class, and of the class's methods."""
    yield f"{mark} {title}"
    if callable(value) and not inspect.isclass(value):
        yield f"{_signature(name, value)}: {_markdown(value.__doc__ or '')}"
        return
    text = _markdown(value.__doc__ or "")
    if not inspect.isclass(value):
        yield text
        return
    types = _annotations(value)
    fields = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", {})
    if "**Attributes**" in text:
        for field in fields:
            text = text.replace(f"- `{field}`:", f"- `{field}: {types[field]}`:")
        fields = ()
    yield text
    if fields:
        yield f"Fields: {', '.join(f'`{field}: {types[field]}`' for field in fields)}."
    items = []
    made = vars(value).get("__init__")
    if inspect.isfunction(made) and made.__doc__:
        items.append(_item(name, made))
    for member, method in vars(value).items():
        method = getattr(method, "fget", None) or getattr(method, "__func__", method)
        shown = not member.startswith("_") and member not in NOT_SHOWN
        if shown and inspect.isfunction(method) and method.__doc__:
            items.append(_item(member, method))
    if items and "**Attributes**" in text:
        yield "**Methods**"
    yield "\n".join(items)


def _item(name: str, function: Callable[..., Any]) -> str:
    """Return a function as an item of a list: its first paragraph, what it gives and raises."""
    first, *others = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    words = [_plain(first)]
    for section in others:
        title, *lines = section.splitlines()
        if title in IN_ITEMS:
            entries = re.split(r"\n(?=\S)", inspect.cleandoc("\n".join(["", *lines])))
            named = [re.sub(r"^(\*{0,2}\w+): ", r"`\1`: ", " ".join(e.split())) for e in entries]
            list_of = _plain("; ".join(entry.rstrip(".") for entry in named))
            words.append(f"{IN_ITEMS[title]} {list_of}.")
    text = f"{_signature(name, function)}: {' '.join(' '.join(words).split())}"
    return textwrap.fill(text, 100, initial_indent="- ", subsequent_indent="  ")


def _annotations(value: type) -> dict[str, str]:
    """Return the types of a class's fields as they stand in its source."""
    found: dict[str, Any] = {}
    for one in reversed(value.__mro__):
        found |= inspect.get_annotations(one)
    return {name: _type(kind) for name, kind in found.items()}


def _type(kind: Any) -> str:
    if isinstance(kind, str):
        return kind
    named: str | None = getattr(kind, "__forward_arg__", None) or getattr(kind, "__name__", None)
    return named or str(kind)


def _signature(name: str, function: Callable[..., Any]) -> str:
    """Write a function's signature."""
    signature = inspect.signature(function)
    parts: list[str] = []
    star = False
    for parameter in signature.parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        kinds = (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        stars = "*" * (kinds.index(parameter.kind) + 1) if parameter.kind in kinds else ""
        text = f"{stars}{parameter.name}"
        if parameter.annotation is not parameter.empty:
            text += f": {_type(parameter.annotation)}"
        if parameter.default is not parameter.empty:
            shown = "…" if callable(parameter.default) else repr(parameter.default)
            text += f" = {shown}"
        parts.append(text)
    back = signature.return_annotation
    end = "" if back is signature.empty else f" -> {_type(back)}"
    return f"`{name}({', '.join(parts)}){end}`"


def _markdown(doc: str) -> str:
    """Turn a docstring into Markdown: sections into lists, examples into blocks."""
    lines = inspect.cleandoc(doc).splitlines()
    found: list[str] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if line in SECTIONS:
            section, place = _indented(lines, place + 1)
            found += [f"**{SECTIONS[line]}**", "", *_section(section), ""]
        elif line.startswith(">>>"):
            end = next((i for i in range(place, len(lines)) if not lines[i].strip()), len(lines))
            found += [_fenced("\n".join(lines[place:end]), "pycon")]
            place = end
        else:
            found.append(_plain(line))
            place += 1
    return re.sub(r"\n{3,}", "\n\n", "\n".join(found))


def _indented(lines: list[str], place: int) -> tuple[list[str], int]:
    """Return the lines of a section without their indentation, and where it ends."""
    end = place
    while end < len(lines) and (not lines[end].strip() or lines[end].startswith(" ")):
        end += 1
    return inspect.cleandoc("\n".join(["", *lines[place:end]])).splitlines(), end


def _section(lines: list[str]) -> Iterator[str]:
    """Yield a section as a list, an item a name; what names nothing is a paragraph."""
    for line in lines:
        named = re.fullmatch(r"(\*{0,2}\w+): (.*)", line)
        if named:
            yield f"- `{named[1]}`: {_plain(named[2])}"
        else:
            yield f"  {_plain(line.strip())}" if line.startswith(" ") else _plain(line)


def _plain(line: str) -> str:
    return line.replace("``", "`")


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text}\n```"


def examples(text: str) -> str:
    """Return the examples of a page, one after the other, as ``doctest`` reads them."""
    return "\n\n".join([EVERYTHING, *re.findall(r"```pycon\n(.*?)\n```", text, re.DOTALL)]) + "\n"
