"""The league of the how-to: three models behind a server, search, a person, and an outage."""

from __future__ import annotations

import os
import pty
import re
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import as_json, output
from support.chat_server import KEY, ChatServer
from support.doc_pages import Page, commands, read_page

PAGE = read_page(Path("docs/how-to/a-league-of-models.md"))


class Person:
    """Somebody who types the first legal action at a terminal of their own, but leaves once."""

    def __init__(self) -> None:
        self._screen, self._keys = pty.openpty()
        tty.setraw(self._keys)
        self.terminal = os.ttyname(self._keys)
        self.typed = 0
        self._thread = threading.Thread(target=self._play)
        self._thread.start()

    def _play(self) -> None:
        seen = b""
        while True:
            seen += os.read(self._screen, 4096)
            if b"over" in seen:
                return
            if seen.endswith(b"later: "):
                self.typed += 1
                # the columns that are not full are those with a dot in the highest line
                top = seen.decode().splitlines()[-9].split()
                action = "abcdefg"[top.index(".")]
                os.write(self._screen, b"later\n" if self.typed == 3 else action.encode() + b"\n")
                seen = b""

    def end(self) -> None:
        os.write(self._keys, b"over")
        self._thread.join()
        os.close(self._screen)
        os.close(self._keys)


@pytest.fixture
def person() -> Iterator[Person]:
    """A person at a terminal."""
    person = Person()
    yield person
    person.end()


def league(page: Page, folder: Path, person: Person, server: ChatServer) -> None:
    """Do what the page says, with this server and this terminal; two seatings a pair."""
    files = {block.file: block.text for block in page.blocks if block.file}
    (folder / "me.py").write_text(files["me.py"])
    text = files["league.yaml"].replace("rounds: 2", "rounds: 1")
    for shown, here in (
        ("https://models.example/v1", server.url),
        ("/dev/pts/3", person.terminal),
        ("CHAT_MODEL:", f"CHAT_CASSETTE: {folder / 'answers'}, CHAT_MODEL:"),
    ):
        assert shown in text
        text = text.replace(shown, here)
    (folder / "league.yaml").write_text(text)


def rows(home: Path, *words: object) -> Any:
    return as_json(home, *words)["rows"]


@pytest.mark.nightly
@pytest.mark.timeout(300)
def test_league_of_models_survives_outage(
    tmp_path: Path, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a league with models and a person nobody loses by an outage of the server."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    home = tmp_path / ".arena"
    shown = [
        command.text
        for block in PAGE.blocks
        if block.language == "sh"
        for command in commands(block)
    ]
    run = [line.split()[1:] for line in shown if line.startswith("arena ")]
    init, play, table, matches, log, again = run
    output(home, *init, cwd=tmp_path)
    with ChatServer(["ok"] * 20 + ["429 3600"] * 3 + ["nonsense"] * 4 + ["503", "cut"]) as server:
        league(PAGE, tmp_path, person, server)
        output(home, *play, cwd=tmp_path)
        found = {row["bot"]: row for row in rows(home, "leaderboard")}
        assert len(found) == 6
        assert all(row["games"] == 10 and not row["faults"] for row in found.values())
        asked = server.answered[200]
    models = [found[name] for name in ("small", "medium", "large")]
    calls = sum(row["costs"]["calls"] for row in models)
    # an answer that was cut is paid for, and known to nobody; so are those of interrupted matches
    assert asked - 30 < calls <= asked
    tokens = found["large"]["costs"]["prompt_tokens"], found["large"]["costs"]["completion_tokens"]
    assert found["large"]["costs"]["cost"] == pytest.approx((3 * tokens[0] + 15 * tokens[1]) / 1e6)
    assert "costs" not in found["mcts-1"] or not found["mcts-1"]["costs"]
    unable = sum(row["unable"]["matches"] for row in found.values() if "unable" in row)
    assert unable >= 2, "the outage, and the person who left"
    assert found["me"]["unable"]["matches"] >= 1
    for line in output(home, *table).splitlines()[1:7]:
        assert line.split()[0] in found
    assert output(home, "verify").endswith("verified: all right\n")
    # the server is gone: all answers come from the cassette
    mine = rows(home, *matches)
    assert len(mine) == 3
    one = next(row for row in rows(home, "matches") if {*row["bots"]} == {"large", "mcts-1"})
    named = {"MATCH": one["id"]}
    assert "identical" in output(home, *[named.get(word, word) for word in again])
    seat = one["bots"].index("large")
    words = [named.get(word, word) for word in log[:-1]]
    assert "The centre is better." in output(home, *words, seat)
    assert KEY not in output(home, "export") + (tmp_path / "answers").read_text()
    assert re.search(r"[0-9a-f]{16} \d+ 0 ", (tmp_path / "answers").read_text())
