"""A new game to begin from: a package with a small engine, its rules page and a pyproject.toml."""

from __future__ import annotations

import keyword
import re
from importlib.util import find_spec
from pathlib import Path

from arena.values.arguments import PathLike, path_of
from arena.values.errors import UsageError
from engines import game_names

LIKE = {"nim": "Nim", "sealed": "Sealed", "dice": "Pig"}
"""The games to begin from, by what is special about them: nothing, secrets, chance during play."""

_TEMPLATE = Path(__file__).parent / "game_template"
_NAME = re.compile("[a-z][a-z0-9_]*", re.ASCII)


def new_game(name: str, parent: PathLike, like: str = "nim") -> Path:
    """Make a folder with a package for ``pip install -e``: a copy of a small game, renamed.

    Args:
        name: of the game and of the folder; the package is ``NAME_game``.
        parent: where the folder is made.
        like: which game; one of ``LIKE``.

    Returns:
        The folder.

    Raises:
        UsageError: no game can have this name, a game or a Python module has it, or something of
            that name lies there already; then it is as it was.
    """
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(
            f'expected a module\'s name in small letters, such as "my_game", found "{name}"'
        )
    if name in game_names():
        raise UsageError(f"there is a game {name} already; for a bot that plays it, name the bot")
    # not the folder's name: seen from beside it, the folder would be taken for the package
    package = f"{name}_game"
    if find_spec(package) is not None:
        raise UsageError(f'Python has a module "{package}" already; choose another name')
    folder = path_of(parent, "parent") / name
    try:
        folder.mkdir()
    except FileExistsError:
        raise UsageError(f"{folder} is there already; choose another name") from None
    rules = folder / package / "rules"
    rules.mkdir(parents=True)
    for template, file in (
        ("pyproject.txt", folder / "pyproject.toml"),
        (f"{like}.txt", folder / package / "__init__.py"),
        (f"{like}_rules.txt", rules / f"{name.replace('_', '-')}.md"),
    ):
        text = (_TEMPLATE / template).read_text("utf-8")
        file.write_text(_renamed(text, name, LIKE[like]), "utf-8")
    return folder


def _renamed(text: str, name: str, old: str) -> str:
    """Put a game's name in the place of an old one, wherever it is spelled."""
    text = re.sub(r"\bNim\b", old, re.sub(r"\bnim(?=_game\b|\b)", old.lower(), text))
    title = name.replace("_", " ").title()
    of_class = title.replace(" ", "")
    text = text.replace(f"{old.lower()}-game", f"{name.replace('_', '-')}-game")
    classes = rf"(?<=class ){old}\b|(?<=_game:){old}\b|\b{old}(?=State\b)"
    text = re.sub(rf"\b{old}\b", title, re.sub(classes, of_class, text))
    return re.sub(rf"\b{old.lower()}(?=_game\b|\b)", name, text)
