"""Bots that are refused: wrong files, names and archives have exit code 2 and a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.archive_texts import gz, tar, zip_of
from support.arena_command import ROOT, as_json, output, refused, tournament


@pytest.mark.slow
def test_edited_bot_is_another_bot(tmp_path: Path) -> None:
    """A run with a bot edited since its first match is refused; its old copy can be played."""
    bot = (ROOT / "bots" / "kit" / "python" / "bot.py").read_text()
    (tmp_path / "bot.py").write_text(bot)
    file = tournament(tmp_path, "[random, {name: oak, run: bot.py}]", workers=1)
    home = tmp_path / "home"
    output(home, "run", file)
    (tmp_path / "bot.py").write_text(bot + "\n# edited\n")
    done = refused(home, "run", file)
    assert "oak" in done
    assert "run it with --new" in done
    match = as_json(home, "matches")["rows"][0]["id"]
    assert output(home, "reproduce", match).startswith("identical (")


def test_archive_is_same_bot_as_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder and archives of it are one version; a name that differs in case is taken."""
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
    done = refused(home, "submit", tmp_path / "oak.tgz", "--name", "Oak")
    assert '"Oak" would be taken for "oak", which was submitted before' in done
    done = refused(home, "play", "leaves", "oak", str(tmp_path / "oak.zip"))
    assert "an archive; unpack it and name its folder" in done
