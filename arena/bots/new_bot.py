"""A new bot to begin from: a folder of its own with the kit of a language and a ``bot.yaml``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from arena.bots.bot_yaml import FILE_NAME
from arena.bots.bundled import bundled_folder
from arena.bots.find import check_submission_name
from arena.values.arguments import PathLike, path_of
from arena.values.errors import BotError, hint
from engines import load_game

__all__ = ["NewBot", "kit_file", "kit_languages", "new_bot"]

PLACEHOLDER = "my-bot"  # the name that the kits give themselves


@dataclass(frozen=True, slots=True)
class NewBot:
    """A bot that was made: its ``folder``, and the ``source`` in it that is to be changed."""

    folder: Path
    source: Path


def kit_languages() -> list[str]:
    """Return the languages that there is a kit for, sorted."""
    return sorted(kit.name for kit in (bundled_folder() / "kit").iterdir() if kit.is_dir())


def kit_file(language: str) -> Path:
    """Return the source of the kit for a language."""
    # Java's file has the name of its class
    (source,) = (bundled_folder() / "kit" / language).glob("[Bb]ot.*")
    return source


def new_bot(
    name: str, parent: PathLike, *, language: str = "python", game: str | None = None
) -> NewBot:
    """Make a folder with a bot that plays as it is, a random legal action.

    Args:
        name: of the bot, and of its folder.
        parent: where the folder is made.
        language: one that there is a kit for.
        game: the only one that it plays; any, if left out.

    Raises:
        BotError: no bot can have this name, there is no kit for the language, or something of that
            name lies there already; then it is as it was.
        UnknownGame: there is no such game.
    """
    folder = path_of(parent, "parent") / check_submission_name(name, said="NAME")
    if language not in kit_languages():
        raise BotError(f'there is no kit for "{language}"{hint(language, kit_languages())}')
    rules = None if game is None else load_game(game)
    kit = kit_file(language)
    lines = [f"name: {name}", f"language: {language}"]
    if rules is not None:
        lines.append(f'games: ["{rules}"]')
    try:
        folder.mkdir()
    except FileExistsError:
        raise BotError(f"{folder} is there already; choose another name") from None
    text = re.sub(rf"\b{PLACEHOLDER}\b", name, kit.read_text("utf-8"))
    (folder / kit.name).write_text(text, "utf-8")
    (folder / FILE_NAME).write_text("\n".join(lines) + "\n", "utf-8")
    return NewBot(folder, folder / kit.name)
