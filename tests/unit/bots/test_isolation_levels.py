"""Which level a tournament's bots run at, on machines that offer more or less."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.needs import only_these_work
from support.submitted import Submitted, version
from support.told import told

from arena.bots.isolation import level_for, must_isolate, untrusted_among
from arena.check.submit import submit
from arena.isolation import choose
from arena.sandbox.interface import LevelProblem
from arena.values.errors import Lack, MachineLacks, UsageError
from arena.values.model import BotEntry

BUNDLED = (BotEntry("random", ref="random"), BotEntry("greedy", ref="greedy@1"))
STRANGER = BotEntry("oak", run="/somewhere/oak.py")


def test_auto_takes_the_strongest(monkeypatch: pytest.MonkeyPatch) -> None:
    """With landlock and limits working, auto is landlock, also for strangers."""
    only_these_work(monkeypatch, "landlock", "limits", "none")
    assert level_for("auto", untrusted_among([*BUNDLED, STRANGER], Submitted())) == "landlock"


def test_auto_refuses_strangers_where_nothing_isolates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal names the bot, why each level does not work, and both ways on."""
    only_these_work(monkeypatch, "limits", "none")
    message = told(UsageError, level_for, "auto", ["oak"])
    assert message.startswith('"oak" did not come with the arena')
    assert "bwrap: no bwrap here; install bwrap" in message
    assert "landlock: no landlock here; install landlock" in message
    assert "--allow-unsafe" in message


def test_bundled_bot_runs_at_any_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundled bot needs no isolation."""
    only_these_work(monkeypatch, "limits", "none")
    assert level_for("auto", untrusted_among(BUNDLED, Submitted())) == "limits"


def test_a_named_level_is_never_weakened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level that was named and does not work is refused, with what to do."""
    only_these_work(monkeypatch, "limits", "none")
    with pytest.raises(UsageError, match="no bwrap here\ninstall bwrap"):
        level_for("bwrap", [], allow_unsafe=True)


def test_a_submitted_bot_is_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that somebody submitted is not bundled, whatever it is called."""
    only_these_work(monkeypatch, "limits", "none")
    untrusted = untrusted_among([BotEntry("me", ref="mine@2")], Submitted([version("mine", 2)]))
    with pytest.raises(UsageError, match='"me" did not come'):
        level_for("auto", untrusted)


def test_an_imported_bot_is_a_stranger(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bundle can call any program as one that came with the arena."""
    only_these_work(monkeypatch, "limits", "none")
    with pytest.raises(UsageError, match='"greedy" did not come'):
        level_for("auto", untrusted_among(BUNDLED, Submitted(), ["greedy"]))


@pytest.mark.parametrize("wanted", ["auto", "bwrap"])
def test_probe_with_lack_is_failure(monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    """If a level cannot be tried for a lack, the arena fails, and takes no weaker one."""

    def problem_with(name: str) -> LevelProblem | None:
        lacks = LevelProblem("[Errno 24] Too many open files", "try again", Lack.DESCRIPTORS)
        return lacks if name == "bwrap" else None

    monkeypatch.setattr(choose, "problem_with", problem_with)
    with pytest.raises(MachineLacks) as caught:
        level_for(wanted, [])
    assert caught.value.exit_code == 3
    assert caught.value.lack is Lack.DESCRIPTORS
    assert '"bwrap"' in str(caught.value)


# on a cluster, where each host has a level of its own

OPEN = "tcp://127.0.0.1:8786"


@pytest.mark.parametrize("level", ["limits", "none"])
def test_no_stranger_meets_an_open_scheduler(level: str) -> None:
    """Not even with consent: the refusal names the bot, the scheduler and each way on."""
    for allow_unsafe in (False, True):
        said = told(UsageError, must_isolate, level, ["oak"], OPEN, allow_unsafe=allow_unsafe)
        for word in ('"oak"', f'"{level}"', OPEN, "tls://", "local:N", "--sandbox"):
            assert word in said


def test_hosts_must_isolate_strangers() -> None:
    """With an open scheduler always, else unless somebody agreed to less."""
    assert must_isolate("auto", ["oak"], OPEN, allow_unsafe=True)
    assert must_isolate("auto", ["oak"])
    assert not must_isolate("auto", ["oak"], allow_unsafe=True)
    assert not must_isolate("limits", ["oak"])
    assert not must_isolate("landlock", ["oak"], OPEN)


# submitting where nothing isolates: the bot is refused before any of it runs


def test_a_submission_is_refused_where_nothing_isolates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A machine with no level fit for strangers does not run, build or keep what is submitted."""
    only_these_work(monkeypatch, "none")
    bot, home, ran = tmp_path / "oak.py", tmp_path / "home", tmp_path / "ran"
    bot.write_text(f"open({str(ran)!r}, 'w')\n")
    with pytest.raises(UsageError, match="--allow-unsafe"):
        submit(bot, "oak", home)
    assert not ran.exists()
    assert not list(home.glob("bots/oak/*"))
