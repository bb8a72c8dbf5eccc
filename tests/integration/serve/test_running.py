"""Matches on the live page while they are played."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from support.arena_command import output
from support.held_up import held_up
from support.running import Running
from support.serving import Serving
from support.waiting import until

from arena.record.record import parse_record
from arena.record.replay import replay_states
from arena.store import open_store
from arena.values.running import parse_running, running_folder

FORGED = json.dumps(["0" * 16, "seen", "leaves", ["<b>", "slow"], 1, "no position"])


@pytest.mark.slow
@pytest.mark.parametrize("game", ["leaves", "the_tree"])
def test_running_match_is_on_live_page(tmp_path: Path, game: str) -> None:
    """A match is on the live page while it is played, without hidden things."""
    home = tmp_path / "home"
    open_store(home, create=True).close()
    file, gate = held_up(tmp_path, game)
    running_folder(home).mkdir(parents=True)
    wrong = {running_folder(home) / f"{pid}.json" for pid in (os.getpid(), os.getppid())}
    for path, text in zip(wrong, (FORGED, '["'), strict=True):
        path.write_text(text)
    run = Running(home, "run", file, "--workers", "1")
    with Serving(home) as serving:
        until(lambda: serving.text().count(", after ") == 2)
        (own,) = {*running_folder(home).glob("*.json")} - wrong
        held = parse_running(own.read_text())
        answer, picture = serving.ask(f"running/{held.id}.svg")
        forged, _ = serving.ask(f"running/{'0' * 16}.svg")
        page = serving.text()
        assert "&lt;b&gt;" in page
        assert forged.status == serving.ask("running/0123456789abcdef.svg")[0].status == 404
        gate.touch()
        assert run.end() == 0
        record = parse_record(output(home, "show", held.id, "--json"))
        state = replay_states(record)[held.decisions]
        if game == "leaves":
            assert answer.headers["Content-Type"] == "image/svg+xml"
            assert picture == state.draw(names=held.bots)
            assert held.position == state.observation(None)
        else:
            assert (answer.status, held.position) == (404, None)
            assert "what is hidden stays so until it is over" in page
        until(lambda: serving.ask(f"running/{held.id}.svg")[0].status == 404)
    assert {*running_folder(home).iterdir()} == wrong
