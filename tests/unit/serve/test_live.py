"""What is known of a tournament at a moment, and how often it is looked for."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from support import finished

from arena.schedule.plan import Meeting, Plan
from arena.serve import events
from arena.serve.events import News
from arena.serve.live import LAST, Live, live_page, look, per_minute
from arena.serve.pages import ReportPages
from arena.store import Store, open_store, runner_lock
from arena.values.errors import StoreError
from arena.values.moments import moment_ms
from arena.values.tables import EditionState, MatchRow

CONFIG = {"format": "round-robin", "games": ["leaves"], "seed": 1}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with two editions of a tournament: one of 60 matches, and one of 2."""
    with open_store(tmp_path, create=True) as store:
        for count in (60, 2):
            edition = store.tournaments.create(
                "open", f"print {count}", CONFIG, finished.entrants(["a", "b"]), 1
            )
            matches = [
                finished.match(
                    1000 * edition.id + number, ["a", "b"], [1, 2], tournament=edition.label
                )
                for number in range(count)
            ]
            finished.add(store, edition.id, *reversed(matches))
    return tmp_path


def test_live_page_of_empty_home_knows_nothing(tmp_path: Path) -> None:
    """The live page of an empty home shows nothing, and makes nothing there."""
    assert look(tmp_path / "home", None, Live(), board=True) == Live()
    assert not (tmp_path / "home").exists()


def test_newest_matches_are_last_by_arrival(home: Path) -> None:
    """The newest matches are those stored last, and known ones are not read again."""
    seen = look(home, "open#1", Live(), board=False)
    assert [row.number for row in seen.rows] == [1000 + number for number in range(LAST)]
    assert seen.pages == {row.id for row in seen.rows}
    marked = replace(seen, rows=(seen.rows[0]._replace(game="known before"), *seen.rows[1:]))
    assert look(home, "open#1", marked, board=False).rows[0].game == "known before"
    others = look(home, "open#2", marked, board=False)
    assert [row.game for row in others.rows] == ["leaves", "leaves"]
    with open_store(home, create=True) as store:  # at its end all may be public
        store.tournaments.end(store.tournaments.find("open#1").id)
    again = look(home, "open#1", replace(seen, pages=frozenset()), board=False)
    assert again.pages == seen.pages


def resting(store: Store, edition: int) -> None:
    """Have a ladder find no further batch."""
    store.rounds.go_on(edition, "", Plan(1, (0,), (Meeting(("a", "b")),)).to_text())
    store.rounds.go_on(edition, "[]", None)


def stopped(store: Store, edition: int) -> None:
    """Have a tournament reach an early stop."""
    store.tournaments.stop(edition, 2)
    store.tournaments.end(edition)


def closed(store: Store, edition: int) -> None:
    config = {**store.tournaments.get(edition).config, "closed": True}
    store.tournaments.close(edition, config, 2, None)


SAID = {
    EditionState.RUNNING: "Running.",
    EditionState.FINISHED: "Finished.",
    EditionState.DECIDED: "Decided: its test gave an answer.",
    EditionState.ENDED: "Ended before all was played.",
    EditionState.RESTING: "All is played for now; newer versions of its bots bring more matches.",
    EditionState.UNFINISHED: "Not running now; the command that started it continues it.",
}
BRING_ABOUT: Mapping[EditionState, Callable[[Store, int], None]] = {
    EditionState.RUNNING: lambda store, edition: None,
    EditionState.FINISHED: lambda store, edition: store.tournaments.end(edition),
    EditionState.DECIDED: stopped,
    EditionState.ENDED: closed,
    EditionState.RESTING: resting,
    EditionState.UNFINISHED: lambda store, edition: None,
}


@pytest.mark.parametrize("state", BRING_ABOUT)
def test_state_is_shown_on_live_page_and_report(tmp_path: Path, state: EditionState) -> None:
    """The live page says the state in a sentence, the report in a word."""
    config = {**CONFIG, "format": "ladder"}
    with open_store(tmp_path, create=True) as store, contextlib.ExitStack() as opened:
        edition = store.tournaments.create("open", "f", config, finished.entrants(["a", "b"]), 1)
        matches = [finished.match(number, ["a", "b"], [1, 2]) for number in range(2)]
        finished.add(store, edition.id, *matches)
        BRING_ABOUT[state](store, edition.id)
        if state is EditionState.RUNNING:
            opened.enter_context(runner_lock(tmp_path, "open"))
        live = look(tmp_path, None, Live(), board=True)
        assert live.state is state
        page = live_page(live, public=False)
        assert f'role="status">{SAID[state]}</p>' in page
        word = "unfinished" if state is EditionState.RUNNING else state
        index = ReportPages(tmp_path, public=False).page(live)
        assert re.search(f"2 matches,\n(<strong>)?{word}(</strong>)?\\.", index)


@pytest.mark.parametrize(("live", "said"), [
    (Live("a", matches=30, of=48, undecided=1, rate=123.4, left=9.0),
     "30 of 48 matches played · 1 undecided · 120 a minute · about 9 s left"),
    (Live("a", matches=30), "30 matches played"),
])  # fmt: skip
def test_page_says_how_far_tournament_is(live: Live, said: str) -> None:
    """What is not known is left out of the line."""
    page = live_page(replace(live, state=EditionState.REMOVING), public=False)
    assert f'<p id="facts">{said}</p>' in page
    assert 'role="status">It is being removed.</p>' in page
    assert "Waiting for the first tournament: arena run FILE." in live_page(Live(), public=True)


def row(started: str) -> MatchRow:
    """Return a match that began at a time."""
    return MatchRow((1, 1), (), (), started_ms=moment_ms(started))


def test_unreadable_store_keeps_last_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the store cannot be read, the last state stays, and the reason is logged once."""
    said: list[str] = []
    monkeypatch.setattr(events.log, "warning", lambda form, error: said.append(str(error)))
    monkeypatch.setattr(events, "LOOK_SECONDS", 0.0)
    seen: list[Live | StoreError] = [
        Live("a", matches=1),
        StoreError("/a/path"),
        StoreError("/a/path"),
        Live("a", matches=2),
    ]

    def look(before: Live, board: bool) -> Live:
        found = seen.pop(0)
        if isinstance(found, StoreError):
            raise found
        return found

    async def work() -> list[int]:
        news = News(look)
        return [(await news.refresh()).matches for _ in range(4)]

    assert asyncio.run(work()) == [1, 1, 1, 2]
    assert said == ["/a/path"]


def test_matches_a_minute() -> None:
    """Three that began within six seconds are two in six seconds; earlier runs do not count."""
    times = ["2026-01-01T00:00:10.000Z", "2026-01-01T00:00:06.000Z", "2026-01-01T00:00:04.000Z"]
    rows = [*map(row, times), row("2025-12-31T00:00:00.000Z"), row("")]
    assert per_minute(rows, "2026-01-01T00:00:00Z") == 20
    assert per_minute(rows, "2026-01-01T00:00:10Z") is None
    assert per_minute([row(times[0])] * 3, "2026-01-01T00:00:00Z") is None
    assert per_minute([], "2026-01-01T00:00:00Z") is None
