"""What is read of a home is of one moment, however much a runner writes meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support import finished
from support.reported import filled_home

from arena.database.sqlite import Database
from arena.results.history import bot_history
from arena.results.home import list_tournaments
from arena.results.matches import list_matches
from arena.results.rows import load_records
from arena.results.standings import read_crosstable, read_leaderboard
from arena.schedule.plan import Meeting, Plan
from arena.serve.live import Live, look
from arena.site.collect import gather
from arena.store import Store, open_store
from arena.values.model import Bot, Entrant

NAMES = ("oak", "elm", "fir")
PLAN = Plan(1, (0,), (Meeting(("oak", "elm")),)).to_text()

READS: dict[str, Callable[[Path], object]] = {
    "history": lambda home: bot_history(home, "oak"),
    "matches": lambda home: list_matches(home, merged=True),
    "newest matches": lambda home: list_matches(home, merged=True, limit=5, scores=True),
    "leaderboard": lambda home: read_leaderboard(home, "open", seats=True, late=True),
    "leaderboard of all": lambda home: read_leaderboard(home, merged=True),
    "crosstable": read_crosstable,
    "report": lambda home: gather(home, None, pages="all"),
    "live page": lambda home: look(home, None, Live(), board=True),
    "tournaments": list_tournaments,
    "records": load_records,
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a ladder, of which one batch is over."""
    filled_home(tmp_path, NAMES, ended=False)
    with open_store(tmp_path, create=True) as store:
        edition = store.tournaments.find("open")
        store.tournaments.write_again(edition.id, {**edition.config, "format": "ladder"})
        store.rounds.go_on(edition.id, "", PLAN)
    return tmp_path


def steps_of(store: Store) -> Iterator[None]:
    """Write what a runner writes: matches of newer versions, and who is suspended, again."""
    for number in count(100):
        newer = f"oak@{number}"
        bot = Bot("b0", number, f"sha256:{number:064x}", ("run",), "")
        store.rounds.go_on(1, "[]", PLAN, [("oak", Entrant(newer, bot))])
        finished.add(store, 1, finished.match(number, [newer, "fir"], [2, 1]))
        yield
        store.tournaments.suspend(1, {"fir": "3 faults in a row", newer: "3 faults in a row"})
        yield
        store.tournaments.suspend(1, {"elm": "3 faults in a row"})
        yield


@pytest.mark.parametrize("read", READS)
def test_a_runner_that_writes_before_every_query(
    read: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answer is that of the moment at which the store was opened; the next one has it all."""
    ask, asked = READS[read], 0
    before = ask(home)
    with open_store(home, create=True) as runner:
        steps = steps_of(runner)

        def meanwhile(real: Callable[..., Any]) -> Callable[..., Any]:
            def query(self: Database, *words: Any) -> Any:
                nonlocal asked
                if self is not runner._database and self._reads:
                    asked += 1
                    next(steps)
                return real(self, *words)

            return query

        with monkeypatch.context() as patch:
            for name in ("row", "rows"):
                patch.setattr(Database, name, meanwhile(getattr(Database, name)))
            assert ask(home) == before
        assert asked > 1
        next(steps)
    assert ask(home) != before
