"""Languages that are not built in: what a ``bot.yaml`` says of them, for whoever hands one in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import NamedTuple

from arena.bots.manifest import FILE_NAME
from arena.untrusted import show

__all__ = ["foreign_file", "not_built_in"]


class _Foreign(NamedTuple):
    """A language's name and its lines; ``{file}`` and ``{stem}`` are the bot's file."""

    name: str
    start: str
    build: str = ""


# go wants a folder of its own for what it has compiled before; the bot needs none of that
_GO = 'sh, -c, "GOCACHE=$PWD/.cache go build -o {stem} {file} && rm -r .cache"'

_LANGUAGES = {
    ".d": _Foreign("D", "./{stem}", "dmd, -O, -of={stem}, {file}"),
    ".dart": _Foreign("Dart", "dart, {file}"),
    ".exs": _Foreign("Elixir", "elixir, {file}"),
    ".f90": _Foreign("Fortran", "./{stem}", "gfortran, -O2, -o, {stem}, {file}"),
    ".go": _Foreign("Go", "./{stem}", _GO),
    ".hs": _Foreign("Haskell", "./{stem}", "ghc, -O, -o, {stem}, {file}"),
    ".java": _Foreign("Java", "java, {file}"),
    ".jl": _Foreign("Julia", "julia, {file}"),
    ".lisp": _Foreign("Lisp", "sbcl, --script, {file}"),
    ".lua": _Foreign("Lua", "lua, {file}"),
    ".php": _Foreign("PHP", "php, {file}"),
    ".pl": _Foreign("Perl", "perl, {file}"),
    ".r": _Foreign("R", "Rscript, {file}"),
    ".rb": _Foreign("Ruby", "ruby, {file}"),
    ".rs": _Foreign("Rust", "./{stem}", "rustc, -O, -o, {stem}, {file}"),
    ".swift": _Foreign("Swift", "./{stem}", "swiftc, -O, -o, {stem}, {file}"),
    ".ts": _Foreign("TypeScript", "node, {stem}.js", "tsc, {file}"),
}


def foreign_file(names: Iterable[str]) -> str | None:
    """Return the one of these file names that is in a language known here, if there is just one.

    >>> foreign_file(["notes.txt", "bot.rs"])
    'bot.rs'
    """
    found = [name for name in names if PurePath(name).suffix.lower() in _LANGUAGES]
    return found[0] if len(found) == 1 else None


def not_built_in(file: str, *, alone: bool) -> str | None:
    """Say how a file becomes a bot; ``None`` where its suffix is not one of these languages.

    Args:
        file: the name of the file.
        alone: it was named by itself, so it has no folder that is the bot.
    """
    path = PurePath(file)
    language = _LANGUAGES.get(path.suffix.lower())
    if language is None:
        return None
    names = {"file": _quoted(path.name), "stem": _quoted(path.stem)}
    lines = [f"name: {_quoted(path.stem)}"]
    if language.build:
        lines.append(f"build: [{language.build.format(**names)}]")
    lines.append(f"start: [{language.start.format(**names)}]")
    where = (
        f"put it into a folder with this {FILE_NAME}"
        if alone
        else f"{show(path.name)} needs a {FILE_NAME} beside it"
    )
    return "\n".join([f"{language.name} is not built in; {where}:", *(f"  {x}" for x in lines)])


def _quoted(name: str) -> str:
    """Return a name as YAML takes it for a text, whatever is in it."""
    plain = name.replace("_", "a").replace("-", "a").replace(".", "a")
    return show(name) if plain.isalnum() and name[0].isalpha() else f'"{show(name)}"'
