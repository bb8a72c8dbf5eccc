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
        seen = next(told for told in serving.news() if len(told["running"]) == 2)["running"]
        match = next(one for one in seen if one["id"] != "0" * 16)
        answer, picture = serving.ask(f"running/{match['id']}.svg")
        forged, _ = serving.ask(f"running/{'0' * 16}.svg")
        assert "&lt;b&gt;" in serving.text()
        assert forged.status == serving.ask("running/0123456789abcdef.svg")[0].status == 404
        (own,) = {*running_folder(home).glob("*.json")} - wrong
        held = json.loads(own.read_text())
        gate.touch()
        assert run.end() == 0
        record = parse_record(output(home, "show", match["id"], "--json"))
        state = replay_states(record)[match["decisions"]]
        if game == "leaves":
            assert answer.headers["Content-Type"] == "image/svg+xml"
            assert picture == state.draw(names=match["bots"])
            assert held[-1] == state.observation(None)
        else:
            assert (answer.status, held[-1]) == (404, None)
        until(lambda: serving.ask(f"running/{match['id']}.svg")[0].status == 404)
    assert {*running_folder(home).iterdir()} == wrong


@pytest.mark.parametrize("name", ["\ud800" * 16, "../" * 5 + "x", "A" * 16, "0" * 15])
def test_id_of_forged_match_fits_into_a_link(name: str) -> None:
    """A file with an odd id is no match that is being played."""
    with pytest.raises(ValueError, match="no match"):
        parse_running(FORGED.replace("0" * 16, name.encode("unicode_escape").decode()))
