"""What is wrong with a person's files, names and archives is told in a sentence, exit code 2."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.archive_texts import gz, tar, zip_of
from support.arena_command import ROOT, arena, output
from support.hostile_names import HOSTILE

from arena.cli.main import main
from arena.terminal.stopping import STOPPING

Arena = Callable[..., str]


@pytest.fixture
def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Arena]:
    """Return a function that runs ``arena``, which must refuse; it returns what was told.

    Nothing may be printed to stdout, no control byte to stderr, and the home may not come to be.
    """
    handlers = {number: signal.getsignal(number) for number in STOPPING}
    home = tmp_path / "home"

    def run(*args: object) -> str:
        with pytest.raises(SystemExit) as caught:
            main([*map(str, args), "--home", str(home)])
        out, told = capsys.readouterr()
        assert caught.value.code == 2, told
        assert out == ""
        assert all(line.isprintable() for line in told.split("\n")), ascii(told)
        assert "Traceback" not in told
        assert not home.exists()
        return told

    yield run
    for number, handler in handlers.items():
        signal.signal(number, handler)


def test_a_bot_that_is_not_there_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every bot that is not there is told with file, line, column and key, all at once."""
    path = tmp_path / "t.yaml"
    path.write_text(
        "name: t\ngame: leaves\nbots:\n- randm\n- greedy@7\n- {name: a, bot: greedi}\n- random\n"
    )
    handlers = {number: signal.getsignal(number) for number in STOPPING}
    with pytest.raises(SystemExit) as caught:
        main(["run", str(path), "--home", str(tmp_path / "home")])
    for number, handler in handlers.items():
        signal.signal(number, handler)
    assert caught.value.code == 2
    assert capsys.readouterr().err == (
        f'arena: {path}:4:3: bots[0]: there is no bot "randm"; did you mean "random"?\n'
        f'{path}:5:3: bots[1]: there is no version 7 of "greedy"; there is only 1\n'
        f'{path}:6:18: bots[2].bot: there is no bot "greedi"; did you mean "greedy"?\n'
    )


@pytest.mark.slow
def test_a_bot_for_other_games(tmp_path: Path) -> None:
    """A bot enters only what its ``bot.yaml`` names; all variants, if that names none of them."""
    bot = tmp_path / "oak"
    bot.mkdir()
    (bot / "bot.py").write_text((ROOT / "bots/random_python/bot.py").read_text())
    file = tmp_path / "t.yaml"
    file.write_text(
        "name: t\ngames: [treeblox, leaves(tree=plus)]\nrounds: 1\n"
        "bots: [{name: oak, run: oak}, random]\n"
    )
    for games, told in {
        "leaves": '"oak" plays leaves, as its bot.yaml says, and not treeblox',
        "leaves(tree=plus), treeblok": '"oak" plays leaves(tree=plus), treeblok, as',
        "treeblox": '"oak" plays treeblox, as its bot.yaml says, and not leaves(tree=plus)',
        '"leaves(tree=plus)", treeblox': "",
        "leaves, treeblox": "",
    }.items():
        words = "".join(f"\n- {game.strip()}" for game in games.split(", "))
        (bot / "bot.yaml").write_text(f"name: oak\nlanguage: python\ngames:{words}\n")
        home = tmp_path / "home"
        done = arena(home, "run", file, "--new")
        assert done.returncode == (2 if told else 0), done.stderr
        if told:
            assert f"{file}:4:25: bots[0].run: {told}" in done.stderr
    (bot / "bot.yaml").write_text("name: oak\nlanguage: python\ngames: [treeblox]\n")
    done = arena(home, "play", "leaves", bot, "random", "--seed", "1")
    assert (done.returncode, '"oak" plays treeblox' in done.stderr) == (2, True)


@pytest.mark.parametrize("name", [name for name in HOSTILE if "\ud800" not in name], ids=ascii)
def test_a_hostile_name(name: str, tmp_path: Path, refused: Arena) -> None:
    """No bot is submitted under it, and what is told of it is short and can be seen."""
    (tmp_path / "bot.py").write_text("x")
    message = refused("submit", tmp_path / "bot.py", f"--name={name}")
    assert message.startswith("arena: --name: ")
    assert len(message) < 300


@pytest.mark.slow
def test_an_edited_bot_is_another_bot(tmp_path: Path) -> None:
    """A bot edited after some matches: the run is refused, and the old copy can still be played."""
    bot = (ROOT / "bots" / "kit" / "python" / "bot.py").read_text()
    (tmp_path / "bot.py").write_text(bot)
    (tmp_path / "t.yaml").write_text(
        "name: t\ngame: leaves\nbots: [random, {name: oak, run: bot.py}]\nworkers: 1\n"
    )
    home = tmp_path / "home"
    output(home, "run", tmp_path / "t.yaml")
    (tmp_path / "bot.py").write_text(bot + "\n# edited\n")
    done = arena(home, "run", tmp_path / "t.yaml")
    assert done.returncode == 2
    assert "oak" in done.stderr
    assert "run it with --new" in done.stderr
    match = json.loads(output(home, "matches", "--json"))["rows"][0]["id"]
    assert output(home, "reproduce", match).startswith("identical (")


def test_an_archive_is_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder and archives of it are one version of one bot; a name in other case is taken."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    bot = (ROOT / "bots" / "kit" / "python" / "bot.py").read_bytes()
    (tmp_path / "oak.zip").write_bytes(zip_of(("oak/bot.py", bot)))
    (tmp_path / "oak.tgz").write_bytes(gz(tar(("bot.py", bot))))
    home = tmp_path / "home"
    said = output(home, "submit", tmp_path / "oak.zip", "--name", "oak")
    assert said.startswith("oak version 1 is submitted")
    said = output(home, "submit", tmp_path / "oak.tgz", "--name", "oak")
    assert said == "oak version 1 has this content already\n"
    assert os.listdir(tmp_path / "scratch") == []
    done = arena(home, "submit", tmp_path / "oak.tgz", "--name", "Oak")
    assert done.returncode == 2
    assert '"Oak" would be taken for "oak", which was submitted before' in done.stderr
    done = arena(home, "play", "leaves", "oak", str(tmp_path / "oak.zip"))
    assert done.returncode == 2
    assert "an archive; unpack it and name its folder" in done.stderr
