"""``arena doctor``: rows for people and for programs, and an exit code that agrees with them."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.arena_command import arena

from arena.cli.main import arena as program
from arena.cluster import joined
from arena.cluster.addresses import Scheduler
from arena.doctor import Checkup, Finding, State
from arena.doctor.hosts import HostCheckup
from arena.process.languages import all_languages
from arena.sandbox import LEVELS

TOPICS = {
    "kernel",
    "user",
    "python",
    "shared memory",
    "control groups",
    "isolation",
    "honest clocks",
    "timers",
    "workers",
    "disk",
    "leftovers",
}


@pytest.mark.slow
def test_a_real_machine(tmp_path: Path) -> None:
    """The rows of this machine have all topics once, and the exit code follows from them."""
    done = arena(tmp_path / "home", "doctor", "--json")
    assert done.returncode in (0, 1), done.stderr
    told = json.loads(done.stdout)
    rows = {row["topic"]: row for row in told["rows"]}
    assert len(rows) == len(told["rows"])
    assert rows.keys() >= TOPICS
    assert rows.keys() >= {f"level {name}" for name in LEVELS}
    assert rows.keys() >= {f"language {language.name}" for language in all_languages()}
    red = [row for row in told["rows"] if row["state"] == "red"]
    assert all(row["remedy"] for row in told["rows"] if row["state"] != "green")
    works = {name for name in LEVELS if rows[f"level {name}"]["data"]["works"]}
    isolates = bool(works & {"bwrap", "landlock"})
    assert told["isolates"] is isolates
    assert told["ok"] is (isolates and not red)
    assert done.returncode == (0 if told["ok"] else 1)
    assert told["level"] == next(name for name in LEVELS if name in works)
    assert told["move_ms"] >= 20
    assert told["workers"] >= 1
    assert not (tmp_path / "home").exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("state", "code"), [(State.GREEN, 0), (State.YELLOW, 0), (State.RED, 1)])
def test_table_has_line_a_topic(monkeypatch: pytest.MonkeyPatch, state: State, code: int) -> None:
    """The table has a line a topic, the remedies below, and a verdict at its end."""
    asked = []

    def doctor(home: Path, *, sweep: bool) -> Checkup:
        asked.append((home, sweep))
        remedy = "" if state is State.GREEN else "write this:\n  a profile {\n\x1b[2J}"
        odd = Finding("two", "odd", {}, remedy, red=state is State.RED)
        return Checkup((Finding("one", "all right", {}), odd), "bwrap", 3, 25)

    monkeypatch.setattr(sys.modules["arena.doctor"], "doctor", doctor)
    done = CliRunner().invoke(program, ["doctor", "--sweep", "--home", "h"], standalone_mode=False)
    assert done.exception is None
    assert done.return_value == code
    assert asked == [(Path("h"), True)]
    lines = done.output.splitlines()
    assert lines[0].split() == ["state", "topic", "what"]
    assert lines[2].split() == [state.value, "two", "odd"]
    assert ("What to do:" in lines) is (state is not State.GREEN)
    assert ("  two: write this:" in lines) is (state is not State.GREEN)
    assert ("      a profile {" in lines) is (state is not State.GREEN)
    assert "\x1b" not in done.output
    assert "3 workers" in lines[-1]
    assert "25 ms" in lines[-1]


def test_unusable_host_is_shown_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster's host that cannot play is shown with what is wrong, escaped."""
    well = HostCheckup("ann", "192.0.2.1", 4, 4.0, ("bwrap", "limits"), "3.12.1", "0.1")
    wrong, remedies = ("disk: \x1b[1mfull",), (("di\x1b[sk", "make\x1b[s room"),)
    ill = HostCheckup("\x1b[2Jbea", "192.0.2.2", 1, wrong=wrong, remedies=remedies)
    where, opened = "tcp://127.0.0.1:8786", []

    def client_of(where: Scheduler) -> contextlib.AbstractContextManager[None]:
        opened.append(str(where))
        return contextlib.nullcontext()

    monkeypatch.setattr(joined, "client_of", client_of)
    monkeypatch.setattr(sys.modules["arena.doctor.hosts"], "look_at_hosts", lambda _: [well, ill])
    done = CliRunner().invoke(program, ["doctor", "--cluster", where], standalone_mode=False)
    assert done.exception is None
    assert (opened, done.return_value) == ([where], 1)
    assert "\x1b" not in done.output
    assert "full" in done.output.splitlines()[2]
    assert " room" in done.output.splitlines()[-1]
