"""The kit that asks a model, against a server that answers well, badly, late, or not at all."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.arena_command import output, tournament
from support.chat_server import KEY, ChatServer
from support.piped import Piped

from arena.bots.bundled import bundled_folder

LEGAL = ("a", "b", "c", "d")
GAME = ("game 852a606e70651445 connect_four", "seat 0 2", "clock move=5000", "seed 7")


class Kit(Piped):
    """The kit as a process, spoken with line by line."""

    def __init__(self, server: ChatServer, **more: str) -> None:
        variables = {**os.environ, **server.environment(**more)}
        env = {key: value for key, value in variables.items() if value}
        super().__init__([sys.executable, bundled_folder() / "chat" / "bot.py"], env=env)
        self.said: list[str] = []
        self.say("hello abp 1")
        self.hear("ready")
        self.say(*GAME)

    def hear(self, *verbs: str) -> str:
        """Return its next line that begins with one of some verbs."""
        for line in self.stdout:
            self.said.append(line.rstrip("\n"))
            if line.split()[0] in verbs:
                return self.said[-1]
        raise AssertionError(self.said)

    def decide(self, decision: int = 1, limit: int = 5000) -> str:
        """Ask for a decision."""
        self.say("obs -/-/-/-/-/-/- 0", f"legal {' '.join(LEGAL)}", f"go {decision} limit={limit}")
        return self.hear("play", "unable", "error")

    def info(self) -> dict[str, str]:
        """Return what it said of its last answer."""
        last = [line for line in self.said if line.startswith("info ")][-1]
        return dict(word.split("=") for word in last.split()[1:])

    def end(self) -> None:
        with self:
            self.say("quit")
        assert self.returncode == 0


@pytest.fixture
def server() -> Iterator[ChatServer]:
    """A server that answers well until it is told otherwise."""
    with ChatServer() as server:
        yield server


@pytest.fixture
def kit(server: ChatServer) -> Iterator[Any]:
    """What starts kits, which have ended after the test."""
    kits: list[Kit] = []

    def start(**more: str) -> Kit:
        kits.append(Kit(server, **more))
        return kits[-1]

    yield start
    for one in kits:
        one.end()


def test_the_model_is_told_the_rules_and_the_position(server: ChatServer, kit: Any) -> None:
    """The last JSON object of its answer counts; thoughts are logged, and costs reported."""
    one = kit(CHAT_MODEL="last", CHAT_PRICE="2,10", CHAT_MORE='{"temperature": 0}')
    assert one.decide() == "play d 1"
    (asked,) = server.asked
    assert (asked["model"], asked["temperature"]) == ("last", 0)
    rules, position = [message["content"] for message in asked["messages"]]
    assert "four in a line" in rules
    assert "Perft" not in rules
    assert "-/-/-/-/-/-/- 0" in position
    assert "log says: The centre is better." in one.said
    # 100 prompt tokens at 2 a million, and 10 at 10
    assert one.info() == {
        "prompt_tokens": "100",
        "completion_tokens": "10",
        "calls": "1",
        "cost": "0.0003",
        "outcome": "ok",
    }
    assert KEY not in "\n".join(one.said)


@pytest.mark.parametrize("trouble", ["429 0.1", "429 date", "500", "cut", "list"])
def test_temporary_failure_is_tried_again(trouble: str, server: ChatServer, kit: Any) -> None:
    """After a temporary failure the server is asked again, as soon as it says."""
    server.behaviours = [trouble, trouble]
    one = kit(CHAT_MODEL="first")
    assert one.decide(limit=10_000) == "play a 1"
    assert len(server.asked) == 3
    assert one.info()["calls"] == "1"


def test_nonsense_is_answered_three_times(server: ChatServer, kit: Any) -> None:
    """A model that answers nonsense is told so; after three answers a legal action is played."""
    server.behaviours = ["nonsense"]
    one = kit(CHAT_MODEL="last")
    assert one.decide() == "play d 1"
    assert one.info()["calls"] == "2"
    assert "no legal action" in server.asked[1]["messages"][-1]["content"]
    server.behaviours = ["nonsense"] * 3
    assert one.decide(2).split()[1] in LEGAL
    assert (one.info()["calls"], one.info()["outcome"]) == ("3", "fallback")


@pytest.mark.slow
def test_slow_server_gives_fallback_in_time(server: ChatServer, kit: Any) -> None:
    """If the server takes too long, a legal action is played within the limit."""
    server.behaviours = ["hang"]
    one = kit()  # which keeps half a second of such a limit: enough on a busy machine, too
    began = time.monotonic()
    assert one.decide(limit=4000).split()[1] in LEGAL
    assert time.monotonic() - began < 4
    assert one.info()["outcome"] == "late"


@pytest.mark.parametrize(
    ("behaviours", "word"),
    [
        (["503"] * 9, "503"),
        (["429 3600"], "429"),
        (["401"], "401"),
        (["cut"] * 9, "Error"),
        (["503", "hang"], "503"),
    ],
)
def test_failing_server_makes_bot_unable(
    behaviours: list[str], word: str, server: ChatServer, kit: Any
) -> None:
    """A server that cannot be reached makes the bot ``unable`` with the reason, not for good."""
    server.behaviours = behaviours
    one = kit()
    said = one.decide(limit=3000)
    assert said.startswith("unable ")
    assert word in said
    server.behaviours = []
    assert one.decide().startswith("play ")


def test_missing_server_or_key_makes_bot_unable(server: ChatServer, kit: Any) -> None:
    """Without a server, or with a wrong key, the bot says ``unable`` with the reason."""
    assert "refused" in kit(CHAT_URL="http://127.0.0.1:9").decide(limit=1000)
    assert "401" in kit(OPENAI_API_KEY="", OTHER="sk-other", CHAT_KEY_NAME="OTHER").decide()


@pytest.mark.slow
def test_cassette_repeats_answers(server: ChatServer, kit: Any, tmp_path: Path) -> None:
    """With a cassette the same match repeats answers and costs, and asks nobody."""
    cassette = str(tmp_path / "answers")

    def play() -> list[str]:
        one = kit(CHAT_CASSETTE=cassette)
        for decision, limit in ((1, 5000), (2, 1500), (3, 5000)):
            one.decide(decision, limit)
        return [line for line in one.said if not line.startswith("log the server")]

    server.behaviours = ["ok", "hang", *["nonsense"] * 3]
    first = play()
    asked = len(server.asked)
    assert play() == first
    assert len(server.asked) == asked == 5
    with open(cassette, "a") as file:
        file.write('852a606e70651445 4 0 {"text": "cut off in the mid')  # as by a power cut
    assert play() == first
    other = kit(CHAT_CASSETTE=cassette)
    other.say(GAME[0].replace("852a606e70651445", "0123456789abcdef"), *GAME[1:])
    other.decide()
    assert play() == first
    assert len(server.asked) == asked + 1, "another match has answers of its own"


def test_file_of_init_is_entered_by_ask(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot that ``init`` makes for a model plays in a tournament as the how-to enters it."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    output(tmp_path, "init", "gpt", "--kit", "chat", cwd=tmp_path)
    env = f'{{CHAT_URL: "{server.url}", CHAT_MODEL: llama3.2}}'
    model = f"{{name: gpt, ask: gpt/bot.py, env: {env}, secrets: [OPENAI_API_KEY]}}"
    file = tournament(tmp_path, f"[random, {model}]", game="connect_four", seed=1)
    output(tmp_path, "run", file, cwd=tmp_path)
    assert {asked["model"] for asked in server.asked} == {"llama3.2"}
    assert output(tmp_path, "leaderboard", "--columns", "bot,calls").count("gpt") == 1
