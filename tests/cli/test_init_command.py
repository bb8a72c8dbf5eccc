"""``arena init``: what it makes plays, and what it must not do is refused."""

from __future__ import annotations

import sys
import tomllib
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest
from support.arena_command import arena, output, process, refused
from support.doc_pages import read_page
from support.environments import distribution
from support.kits import KITS
from support.needs import toolchain

from arena.bots import new_game
from arena.bots.new_bot import LOOK_AHEAD
from arena.bots.program import describe


@pytest.mark.slow
@pytest.mark.parametrize("language", KITS)
def test_new_bot_passes_check(tmp_path: Path, language: str) -> None:
    """A bot made by ``init`` passes ``check`` as it is, in each language."""
    toolchain(language)
    output(tmp_path / "home", "init", "oak", "--language", language, cwd=tmp_path)
    for _ in range(5):  # where another test has used up the memory, nothing is known: exit code 3
        done = arena(tmp_path / "home", "check", "./oak", "leaves", cwd=tmp_path)
        if done.returncode != 3:
            break
    assert done.returncode == 0, done.stdout + done.stderr
    assert "answers" in done.stdout
    assert "FAILED" not in done.stdout


def test_new_bot_plays(tmp_path: Path) -> None:
    """A bot made by ``init`` without a language is Python, and the commands shown play it.

    What it shows of looking ahead works as well.
    """
    said = output(tmp_path, "init", "elm", "--game", "leaves(turns=single)", cwd=tmp_path)
    assert describe(tmp_path / "elm").games == ("leaves(turns=single)",)
    assert "arena play 'leaves(turns=single)' ./elm random" in said
    assert "as in: #/#/#/#/# 0 10,10 1 *\n" in said
    source = tmp_path / "elm" / "bot.py"
    text = source.read_text()
    source.write_text(text.replace(LOOK_AHEAD, LOOK_AHEAD.replace("#   ", "")))
    play = ("play", "leaves(turns=single)", "./elm", "random", "--seed", "1", "--sandbox", "none")
    assert "by rules" in output(tmp_path, *play, cwd=tmp_path)
    refused(tmp_path, "play", "treeblox", "./elm", "random", cwd=tmp_path)


@pytest.fixture(params=[*new_game.LIKE])
def made(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return the folder of a new game."""
    said = output(tmp_path, "init", "--game", "pebble_row", "--like", request.param, cwd=tmp_path)
    assert "pip install -e ./pebble_row" in said
    return tmp_path / "pebble_row"


def test_a_new_game_has_its_name_everywhere(made: Path) -> None:
    """Nothing is left of the one that it is made from."""
    text = "\n".join(path.read_text() for path in made.rglob("*") if path.is_file())
    names = {*new_game.LIKE.values()}
    assert not [word for word in names if word in text or f"{word.lower()}_game" in text]
    build = tomllib.loads((made / "pyproject.toml").read_text())
    assert build["tool"]["setuptools"]["packages"] == ["pebble_row_game"]


@pytest.mark.slow
def test_a_new_game_keeps_its_promises(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is made is a package that brings a game, and bots play it."""
    build = tomllib.loads((made / "pyproject.toml").read_text())
    # as an installer writes it
    ((name, value),) = build["project"]["entry-points"]["engines.games"].items()
    distribution(made, "pebble-row-game", "0.1.0", games=f"{name} = {value}\n")
    monkeypatch.setenv("PYTHONPATH", str(made))
    done = process(tmp_path, "conformance", "pebble_row")
    assert done.stdout == "pebble_row keeps its promises\n", done.stderr
    assert "# Pebble Row" in process(tmp_path, "games", "pebble_row").stdout
    (page,) = made.rglob("rules/*.md")
    others = ["random"] * (2 if "Three players" in page.read_text() else 1)
    play = ("play", "pebble_row", "greedy", *others, "--seed", "1", "--sandbox", "none")
    assert "by rules" in process(tmp_path, *play).stdout


def test_the_new_game_is_the_one_of_the_how_to() -> None:
    """The page explains what the command makes, text for text."""
    blocks = read_page(Path("docs/how-to/add-a-game.md")).blocks
    shown = {block.file: block.text for block in blocks}
    template = Path(new_game.__file__).parent / "game_template"
    assert shown["engines/nim.py"] == f"{(template / 'nim.txt').read_text()}\n\nGAME = Nim\n"
    assert shown["docs/rules/nim.md"] == (template / "nim_rules.txt").read_text()


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (("--game", "leaves"), "already"),
        (("--game", "small"), "module"),
        (("--game", "My-Game"), "small letters"),
        (("--game", "class"), "small letters"),
        (("--game", "there"), "is there already"),
        ((), "NAME"),
    ],
)
def test_invalid_new_game_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], word: str
) -> None:
    """``init --game`` with a bad name has exit code 2, and files there stay."""
    (tmp_path / "there").mkdir()
    monkeypatch.setitem(sys.modules, "small_game", ModuleType("small_game"))
    monkeypatch.setattr(sys.modules["small_game"], "__spec__", ModuleSpec("small_game", None))
    assert word in refused(tmp_path, "init", *words, cwd=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
