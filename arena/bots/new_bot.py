"""A new bot to begin from: a folder of its own with the kit of a language and a ``bot.yaml``."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

from arena.bots.bot_yaml import FILE_NAME
from arena.bots.bundled import bundled_folder
from arena.bots.find import check_submission_name
from arena.values.arguments import PathLike, path_of
from arena.values.errors import BotError, hint
from engines import Game, load_game


class Kit(NamedTuple):
    """A kit that lets others play: its file, what program it starts, and in which games."""

    source: str
    program: str = ""
    games: str = ""


KITS = {
    "chat": Kit("chat/bot.py"),
    "uci": Kit("kit/adapters/uci.py", "stockfish", "openspiel"),
    "gtp": Kit(
        "kit/adapters/gtp.py",
        'gnugo, --mode, gtp, --level, "1", --chinese-rules, --capture-all-dead',
        "openspiel",
    ),
    "botzone": Kit("kit/adapters/botzone.py", "./my_program"),
}

PLACEHOLDER = "my-bot"  # the name that the kits give themselves
CHOOSE = "    if not match.legal:\n"  # what the kit for Python begins to choose with
WIDTH = 90  # columns of a comment
LOOK_AHEAD = """\
    # To look ahead, where the game is installed (arena help engines):
    #   import engines
    #   game = engines.load_game(match.game)
    #   state = game.sample_state(match.observation, match.seat, match.rng)
    #   after = state.apply_action(match.seat, match.legal[0])
"""


def kit_languages() -> list[str]:
    """Return the languages that there is a kit for, sorted."""
    return sorted(
        kit.name for kit in (bundled_folder() / "kit").iterdir() if any(kit.glob("[Bb]ot.*"))
    )


def kit_file(language: str) -> Path:
    """Return the source of the kit for a language."""
    # Java's file has the name of its class
    (source,) = (bundled_folder() / "kit" / language).glob("[Bb]ot.*")
    return source


def new_bot(
    name: str,
    parent: PathLike,
    *,
    language: str = "python",
    game: str | None = None,
    kit: str | None = None,
) -> Path:
    """Make a folder with a bot that plays as it is: a random legal action, or what a kit does.

    Returns its one source file, in the folder.

    Args:
        name: of the bot, and of its folder.
        parent: where the folder is made.
        language: one that there is a kit for.
        game: the only one that it plays; any, if left out.
        kit: make one in Python instead that lets others play, by its name in ``KITS``.

    Raises:
        BotError: no bot can have this name, there is no kit for the language, or something of that
            name lies there already; then it is as it was.
        UnknownGame: there is no such game.
    """
    folder = path_of(parent, "parent") / check_submission_name(name, said="NAME")
    if language not in kit_languages():
        raise BotError(f'there is no kit for "{language}"{hint(language, kit_languages())}')
    source = kit_file(language) if kit is None else bundled_folder() / KITS[kit].source
    words, games = ("", "") if kit is None else KITS[kit][1:]
    reads = ""
    if game is not None:
        rules = load_game(game)
        games, reads = f'"{rules}"', _reads(rules)
    lines = [f"name: {name}", f"language: {language}"]
    if words:
        lines.append(f"start: [python, bot.py, {words}]")
    if games:
        lines.append(f"games: [{games}]")
    try:
        folder.mkdir()
    except FileExistsError:
        raise BotError(f"{folder} is there already; choose another name") from None
    text = re.sub(rf"\b{PLACEHOLDER}\b", name, source.read_text("utf-8"))
    text = text.replace(CHOOSE, reads + LOOK_AHEAD + CHOOSE, 1)
    (folder / FILE_NAME).write_text("\n".join(lines) + "\n", "utf-8")
    made = folder / ("bot.py" if words else source.name)
    made.write_text(text, "utf-8")
    if words:
        (folder / "kit.py").write_text(kit_file("python").read_text("utf-8"), "utf-8")
    return made


def _reads(rules: Game) -> str:
    """Return comments with what a position looks like to a player who begins."""
    state = rules.new_initial_state(rules.setup(1))
    observation = state.observation(state.players_to_act()[0])
    lines = textwrap.wrap(observation, WIDTH, break_long_words=False, break_on_hyphens=False)
    head = (
        f"    # match.observation, at the begin of {rules} (arena games {rules.name} explains it):"
    )
    return "".join(f"{line}\n" for line in (head, *(f"    #   {line}" for line in lines)))
