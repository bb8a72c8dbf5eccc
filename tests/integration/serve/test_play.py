"""Matches that people play on pages, by HTTP: what each link may do, and what it may know."""

from __future__ import annotations

import json
import re
import select
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from support.bot_programs import program
from support.serving import Playing, Serving
from support.waiting import is_gone, until

from arena.machine.procfs import descendants
from arena.record.record import parse_record
from arena.record.replay import rules_difference
from arena.review.reproduction import positions

pytestmark = [pytest.mark.timeout(120), pytest.mark.slow]
ENDING = 4.0  # seconds that a server may take to end; on a calm machine it takes 0.4
JSON = {"Content_Type": "application/json"}


class Match(Playing):
    """A match on pages that a test plays by requests."""

    def state(self, link: str, *, after: int | None = None, seat: int | None = None) -> Any:
        query = "" if after is None else f"&after={after}"
        query += "" if seat is None else f"&seat={seat}"
        return json.loads(self.text(f"{link}state?{query}"))

    def turn(self, link: str, *, over: bool = False) -> Any:
        """Return the state when this link is asked, or the match is over."""
        state = self.state(link)
        while not (state.get("decision") or state.get("over")):
            state = self.state(link, after=state["version"])
        assert over or not state.get("over"), state
        return state

    def play(self, link: str, index: int = 0) -> Any:
        """Play a legal action at this link, when it is its turn; return what was seen before."""
        state = self.turn(link, over=True)
        if not state.get("over"):
            action = state["choices"][index % len(state["choices"])]
            asked = {"seat": state["seat"], "decision": state["decision"], "action": action}
            assert self.post(f"{link}act", **asked) == (200, {})
        return state


def done(state: Any) -> list[Any]:
    """Return the actions that a page knows of, by whom and which."""
    return [act for step in state["steps"] for act in step["acts"]]


def test_link_allows_its_own_seat_only(tmp_path: Path) -> None:
    """A link moves for its own seat, once, by the rules; a refused request changes nothing."""
    with Match(tmp_path, "connect_four", "human", "human") as match:
        _, first, second, watch = match.links
        state = match.turn(first)
        good = {"seat": 0, "decision": 1, "action": "a"}
        refused: list[tuple[str, dict[str, Any], int]] = [
            (second, good, 403),  # somebody else's seat
            (second, {**good, "seat": 1}, 409),  # it is not its turn
            (first, {**good, "decision": 2}, 409),
            (first, {**good, "action": "h"}, 422),
            (first, {**good, "action": "a\nresign"}, 422),
            (first, {**good, "action": None}, 400),
            (first, {**good, "seat": True}, 400),
            (watch, good, 403),
            ("/not-a-link-of-this-match/", good, 404),
        ]
        for link, asked, status in refused:
            assert match.post(f"{link}act", **asked)[0] == status, (link, asked)
        odd = match.ask(f"{first}act", "POST", "x" * 5000, **JSON)[0].status
        other_site = match.ask(f"{first}act", "POST", "{}", Origin="http://evil", **JSON)[0].status
        form = match.ask(f"{first}act", "POST", "{}", Content_Type="text/plain")[0].status
        assert (odd, other_site, form) == (413, 403, 415)
        assert match.state(first) == state
        assert match.post(f"{first}act", **good) == (200, {})
        assert match.post(f"{first}act", **good)[0] == 409  # that decision was answered
        mine = match.state(first)
        while not done(mine):  # the process of the match says so; it is not asked again before
            mine = match.state(first, after=mine["version"])
        assert done(mine) == [[0, "a"]]
        assert mine["board"] != state["board"]
        assert done(match.turn(second)) == [[0, "a"]]
        assert match.state(watch)["board"]
        assert match.state(watch)["choices"] == []
        match.post(f"{first}undo", seat=0)
        assert match.state(second)["undo"] == "agree"
        match.play(second)
        assert match.state(second)["undo"] == ""  # whoever plays on does not agree


def test_what_to_choose_next_is_told_to_who_is_asked(tmp_path: Path) -> None:
    """After each click; to nobody else, and nothing odd is taken for clicks."""
    with Match(tmp_path, "leaves", "human", "human") as match:
        _, first, second, watch = match.links
        state = match.turn(first)
        answers = [
            match.post(f"{first}prompt", seat=0, clicks=clicks)
            for clicks in ([], ["north side, column 1"])
        ]
        assert [status for status, _ in answers] == [200, 200]
        assert answers[0][1]["said"] == state["prompt"]
        refused: list[tuple[str, dict[str, Any], int]] = [
            (second, {"seat": 0, "clicks": []}, 403),  # somebody else's seat
            (watch, {"seat": 0, "clicks": []}, 403),
            (second, {"seat": 1, "clicks": []}, 409),  # it is not its turn
            (first, {"seat": 0}, 400),
            (first, {"seat": 0, "clicks": "north side, column 1"}, 400),
            (first, {"seat": 0, "clicks": [1]}, 400),
            (first, {"clicks": []}, 400),
            (first, {"seat": 0, "clicks": ["x" * 5000]}, 413),
        ]
        for link, asked, status in refused:
            assert match.post(f"{link}prompt", **asked)[0] == status, (link, asked)
        odd = ["nowhere", "<b>", "", "{0}", "?"]
        assert match.post(f"{first}prompt", seat=0, clicks=odd)[0] == 200
        assert match.state(first) == state


def test_hand_is_hidden_from_other_links(tmp_path: Path) -> None:
    """No link is sent a tile of the other hand before it is played."""
    with Match(tmp_path, "the_tree", "human", "human") as match:
        _, first, second, watch = match.links
        told: dict[str, list[Any]] = {first: [], second: [], watch: []}
        version = None
        while True:
            told[watch].append(match.state(watch, after=version))
            version = told[watch][-1]["version"]
            if told[watch][-1].get("over"):
                break
            for link in (first, second):
                told[link].append(match.state(link))
                if told[link][-1].get("decision"):
                    match.play(link, version)
        record = parse_record(match.text(f"{first}record.json"))
        hands = [_hands(str(state.observation(None))) for state in positions(record)]
        for player, link in enumerate((first, second, watch)):
            for state in told[link]:
                if state.get("over"):
                    continue
                owned = enumerate(hands[len(done(state))])
                hidden = set().union(*[tiles for p, tiles in owned if p != player])
                named = re.findall(r"hand: tile (\d) (\d)", state.get("board", ""))
                assert not hidden & {"".join(found) for found in named}, player
                choices = json.dumps(state.get("choices", []))
                assert not [tile for tile in hidden if f"{tile}@" in choices]


def _hands(truth: str) -> list[set[str]]:
    return [set(hand.split(",")) for hand in truth.split(" ")[1].split("/")]


def test_a_decision_is_taken_back(tmp_path: Path) -> None:
    """The bot plays again as before, the person decides anew, and the record says so."""
    record = tmp_path / "record.json"
    with Match(tmp_path, "leaves", "human", "greedy", "--record", str(record)) as match:
        link = match.links[0]
        assert match.post(f"{link}undo", seat=0)[0] == 409  # there is nothing yet
        before = [match.play(link) for _ in range(3)]
        again = match.turn(link)
        assert match.post(f"{link}undo", seat=0) == (200, {})
        state = match.turn(link)
        while state["decision"] != 3:
            state = match.state(link, after=state["version"])
        assert done(state) == done(before[2])
        assert done(state) == done(again)[:-2]
        status, hint = match.post(f"{link}hint", seat=0, decision=3)
        assert status == 200
        assert hint["action"] in state["choices"]
        assert match.post(f"{link}resign", seat=0, decision=3) == (200, {})
        assert "random" not in match.turn(link, over=True)["over"]["said"]
        while not record.exists():
            select.select([], [], [], 0.05)
        left = parse_record(record.read_text())
        assert left.by == "resign"
    assert len(left.actions) == 5


@pytest.mark.parametrize(("number", "times"), [(signal.SIGINT, 1), (signal.SIGTERM, 2)])
def test_signal_during_take_back_ends_server(tmp_path: Path, number: int, times: int) -> None:
    """A signal during a take-back ends the server and its processes."""
    with Match(tmp_path, "connect_four", "human", "random") as match:
        link = match.links[0]
        for _ in range(2):
            match.play(link)
        match.turn(link)
        for _ in range(times):
            assert match.post(f"{link}undo", seat=0) == (200, {})
        processes = [*descendants(match.process.pid)]
        begun = time.monotonic()
        assert match.end(number) == 128 + number
        assert time.monotonic() - begun < ENDING
        until(lambda: all(map(is_gone, processes)))


def test_take_back_needs_agreement(tmp_path: Path) -> None:
    """Of several persons in a match, the others must agree to a take-back."""
    with Match(tmp_path, "connect_four", "human", "human") as match:
        everybody, first, second, watch = match.links
        match.play(first)
        assert match.post(f"{first}undo", seat=0) == (200, {})
        assert match.state(first)["undo"] == "wait"
        assert match.state(second)["undo"] == "agree"
        assert match.post(f"{watch}agree", yes=True)[0] == 409
        assert match.post(f"{second}agree", yes=False) == (200, {})
        assert done(match.turn(second)) == [[0, "a"]]
        match.post(f"{first}undo", seat=0)
        assert match.post(f"{second}agree", yes=True) == (200, {})
        assert done(match.turn(first)) == []
        match.play(first, 3)
        taken = match.turn(second)
        assert done(taken) == [[0, "d"]]
        assert match.post(f"{second}resign", seat=1, decision=taken["decision"]) == (200, {})
        over = match.turn(first, over=True)
        assert "resigned" in over["over"]["said"]
        assert over["board"] not in ("", taken["board"])  # the last position, with its end
        decisions = json.loads(match.text(f"{first}record.json"))["decisions"]
        assert decisions[0]["info"] == {"taken_back": 1}
        assert "replay" in match.text(f"{first}match.html")
        assert match.post(f"{second}rematch") == (200, {})
        assert match.turn(second)["seat"] == 0  # the seats have changed
        assert match.post(f"{everybody}undo", seat=0)[0] == 409


@pytest.mark.parametrize(("game", "decisions"), [("connect_four", 1), ("build_your_arboretum", 2)])
def test_resignation_while_bot_thinks_ends_match(tmp_path: Path, game: str, decisions: int) -> None:
    """A person resigns while a bot decides that never answers; the record can be replayed."""
    record, bot = tmp_path / "record.json", tmp_path / "thinker.py"
    bot.write_text("print(input() and 'ready', flush=True)\nwhile input():\n    pass\n")
    words = "human", str(bot), "--clock", "move=1h", "--memory", "2GiB", "--record", str(record)
    with Match(tmp_path, game, *words) as match:
        link = match.links[0]
        for _ in range(decisions):
            match.play(link)
        assert match.post(f"{link}resign", seat=0, decision=0) == (200, {})
        assert "resigned" in match.turn(link, over=True)["over"]["said"]
        until(record.exists)
        left = parse_record(record.read_text())
    assert (left.by, left.ranks, left.actions[-1]) == ("resign", (2, 1), (0, None))
    assert left.players[1].memory_bytes == 2 << 30
    assert rules_difference(left) is None


def held(state: Any) -> Any:
    """Return what a page holds of the match, without the number of the news."""
    return {key: value for key, value in state.items() if key not in ("version", "away")}


def test_a_bid_stays_hidden(tmp_path: Path) -> None:
    """While one has bid, the other's page and a watcher's are as before; then all have both."""
    with Match(tmp_path, "build_your_arboretum", "human", "human") as match:
        _, first, second, watch = match.links
        until(lambda: any(match.state(link)["decision"] for link in (first, second)))
        starter = first if match.state(first)["decision"] else second
        match.play(starter)
        match.turn(second)
        state = match.turn(first)
        before = [held(match.state(link)) for link in (second, watch)]
        bids = [action for action in state["choices"] if action.count("-") > 1]
        asked = {"seat": 0, "decision": state["decision"], "action": bids[0]}
        assert match.post(f"{first}act", **asked) == (200, {})
        assert bids[0].removeprefix("bid:") in match.state(first)["board"]  # the own one
        assert match.state(first)["decision"] == 0
        assert [held(match.state(link)) for link in (second, watch)] == before
        steps = len(before[0]["steps"])
        query = f"position?at={steps - 1}&run={before[0]['run']}"
        assert bids[0].removeprefix("bid:") not in match.text(f"{second}{query}&seat=0")
        match.play(second)
        until(lambda: len(match.state(watch)["steps"]) > steps)
        for link in (first, second, watch):
            assert [0, bids[0]] in match.state(link)["steps"][steps]["acts"]


def test_person_not_asked_sees_board_without_choices(tmp_path: Path) -> None:
    """A person who is not asked sees the board without choices, and may resign."""
    with Match(tmp_path, "leaves", "human", "human") as match:
        _, first, second, watch = match.links
        match.play(first)
        match.play(second)
        match.turn(first)
        for link in (second, watch):
            state = match.state(link)
            assert (state["decision"], state["choices"], len(state["steps"])) == (0, [], 3)
            assert state["board"]
        mine, theirs = match.state(first), match.state(second)
        assert mine["steps"][1]["said"][0].startswith("You ")
        assert theirs["steps"][1]["said"][0].startswith("Person 1 ")
        assert match.post(f"{watch}resign", seat=1)[0] == 403
        assert match.post(f"{first}resign", seat=1)[0] == 403
        assert match.post(f"{second}resign", seat=1) == (200, {})
        match.play(first)  # which may come too late
        over = match.turn(second, over=True)
        assert over["over"]["said"].startswith("Person 1 won")
        assert len(over["steps"]) == 4  # what happened stays
        for at, status in ((0, 200), (3, 200), (4, 404)):
            place = f"position?at={at}&run={over['run']}"
            assert match.ask(f"{watch}{place}")[0].status == status


def shaky(folder: Path) -> tuple[Path, Path]:
    """Write a bot that crashes at its second decision while a file is there; return both."""
    unlucky, bot = folder / "unlucky", folder / "shaky.py"
    unlucky.touch()
    crash = f'if decision == "2" and os.path.exists({str(unlucky)!r}): sys.exit("out of luck")'
    bot.write_text(program(asked=crash))
    return unlucky, bot


def test_a_bot_that_crashed_is_started_again(tmp_path: Path) -> None:
    """The page says why the match is over; from there it goes on with the same answers."""
    unlucky, bot = shaky(tmp_path)
    with Match(tmp_path / "home", "leaves", "human", str(bot), "--sandbox", "none") as match:
        link, watch = match.links[0], match.links[-1]
        assert match.post(f"{link}go-on")[0] == 409
        match.play(link)
        match.play(link)
        over = match.turn(link, over=True)
        assert "crash" in over["over"]["said"]
        assert over["over"]["go"]
        assert over["over"]["why"]
        assert match.post(f"{watch}go-on")[0] == 409
        unlucky.unlink()
        assert match.post(f"{link}go-on") == (200, {})
        until(lambda: match.state(link)["decision"] == 3)
        state = match.state(link)
        assert done(state)[:3] == done(over)[:3]
        assert state["replayed"] >= 4


def test_hands_stay_hidden_while_a_match_can_go_on(tmp_path: Path) -> None:
    """After a bot's crash nobody sees what is hidden; after a look at the replay none goes on."""
    _, bot = shaky(tmp_path)
    with Match(tmp_path / "home", "the_tree", "human", str(bot), "--sandbox", "none") as match:
        link, watch = match.links[0], match.links[-1]
        while not (over := match.play(link)).get("over"):
            pass
        assert over["over"]["go"]
        last = f"position?at={len(over['steps']) - 1}&run={over['run']}"
        for place, state in ((link, over), (watch, match.state(watch))):
            assert json.loads(match.text(place + last))["board"] == state["board"]
        assert match.ask(f"{watch}match.html")[0].status == 200
        after = match.state(link)
        assert not after["over"]["go"]
        assert after["board"] != over["board"]
        assert match.post(f"{link}go-on")[0] == 409


def test_record_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """If the record cannot be written, the page says so, and play goes on."""
    record = str(tmp_path / "missing" / "record.json")
    with Match(tmp_path, "connect_four", "human", "random", "--record", record) as match:
        link = match.links[0]
        state = match.turn(link)
        assert match.post(f"{link}resign", seat=0, decision=state["decision"]) == (200, {})
        assert match.turn(link, over=True)["over"]["page"]
        assert "record.json is not written" in match.process.stderr.readline()
        assert match.post(f"{link}rematch") == (200, {})
        match.play(link)


def test_a_lobby_begins_matches(tmp_path: Path) -> None:
    """Only who has its address; bots are those of the home, by name, and each match has links."""
    with Serving(tmp_path, "--play") as lobby:
        assert "greedy" in lobby.text()

        for game, *seats in (
            ("chess", "human", "greedy"),
            ("leaves", "human"),
            ("leaves", "greedy", "greedy"),
            ("leaves", "human", "/bin/sh"),
            ("\ud800", "human", "greedy"),
        ):
            assert lobby.post("new", game=game, seats=seats)[0] == 422, seats
        status, said = lobby.post("new", game="leaves(tree=u)", seats=("human", "greedy"))
        assert status == 200
        link = said["link"].removeprefix("..")
        assert "Leaves" in lobby.text(link)
        assert "leaf" in lobby.text(f"{link}rules")
        assert lobby.post(f"{link}new")[0] == 404
        status, said = lobby.post(f"{link}nosuch", seat=0)  # which the page reads as it is
        assert (status, [*said]) == (404, ["refused"])
        assert lobby.post("/new")[0] == 404


def test_invitation_gives_one_free_seat(tmp_path: Path) -> None:
    """An invitation gives one person one free seat; a third person finds none.

    The lobby lists the match with those who play, until nobody is missing; its link plays for none.
    """
    with Serving(tmp_path, "--play") as lobby:
        post = lobby.post

        def state(link: str) -> dict[str, Any]:
            return dict(json.loads(lobby.text(f"{link}state")))

        assert "1 free seat" not in lobby.text()
        seats = ["human", "human"]
        begun = post("new", game="connect_four", seats=seats, name="<b>Ann</b>")[1]
        ann = begun["link"].removeprefix("..")
        page = lobby.text()
        assert "1 free seat" in page
        assert "&lt;b&gt;Ann&lt;/b&gt;" in page
        (invitation,) = re.findall(r'href="\.\.(/[\w-]+/)">Connect Four', page)
        assert invitation != ann
        assert invitation in lobby.text(ann)  # to copy, and as a picture
        assert 'class="segno"' in lobby.text(ann)
        assert state(ann) | {"seats": [0], "free": 1} == state(ann)
        assert state(invitation)["seats"] == []
        assert post(f"{invitation}act", seat=0, decision=1, action="d")[0] == 403
        assert post(f"{ann}join")[0] == 403
        assert post(f"{invitation}join", name=7)[0] == 400

        status, joined = post(f"{invitation}join", name="Bob")
        bob = joined["link"].removeprefix("..")
        assert (status, state(bob)["seats"]) == (200, [1])
        assert bob not in (ann, invitation)
        assert state(bob)["names"] == ["<b>Ann</b>", "you"]
        assert post(f"{bob}act", seat=0, decision=1, action="d")[0] == 403
        assert post(f"{invitation}join", name="Eve")[0] == 409
        assert "No seat is free" in lobby.text(invitation)
        assert "1 free seat" not in lobby.text()
        assert invitation not in lobby.text(ann)

        here = post("new", game="connect_four", seats=seats, here=True)[1]["link"]
        assert state(here.removeprefix(".."))["seats"] == [0, 1]
        assert "1 free seat" not in lobby.text()
