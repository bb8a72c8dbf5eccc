"""A host: what it refuses, what it keeps, and that it plays as a runner at home does."""

from __future__ import annotations

import logging
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.host_terms import FIRST, GAME, MATCHES, SLEEPER, terms
from support.needs import working
from support.waiting import is_gone, until

from arena.bots.program import describe
from arena.bots.travel import pack_bot
from arena.cluster import host as tasks
from arena.cluster.host import Host, Place, Unwanted
from arena.cluster.terms import Terms, UnknownTerms
from arena.jobs import job_of
from arena.match.record import parse_record
from arena.model import Clock
from arena.packed.text import unpack_text
from arena.session.match_session import play_match
from arena.workers.local import Played
from engines import load_game


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A bot as the coordinator has it."""
    file = tmp_path / "source" / "first.py"
    file.parent.mkdir()
    file.write_text(FIRST)
    return file


@pytest.fixture
def wanted() -> list[bool]:
    """Whether somebody waits for what the host does."""
    return [True]


@pytest.fixture
def host(tmp_path: Path, wanted: list[bool], monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setattr("socket.gethostname", lambda: "lab-7")
    made = Host(Place(tmp_path / "home"), lambda: wanted[0])
    yield made
    made.close(10.0)


def agree(host: Host, agreed: Terms, *sources: Path) -> None:
    """Show a host terms and send it the bots that it lacks."""
    report = host.look(agreed)
    assert report.refusals == ()
    for source in sources:
        program = describe(source)
        assert program.hash in report.missing
        assert host.take_bot(agreed.key, program.hash, pack_bot(program)) == ""


class TestLook:
    """What a host says when it is shown terms."""

    def test_what_it_lacks_at_first(self, host: Host, source: Path) -> None:
        """It names itself, its level and the bots that it must be sent, each once."""
        report = host.look(terms(source))
        assert report.host == "lab-7"
        assert report.cores >= 1
        assert report.rules == ((GAME, load_game(GAME).rules_version),)
        assert (report.level, report.refusals) == ("none", ())
        assert report.missing == (describe(source).hash,)

    def test_other_rules_are_refused_with_both_versions(self, host: Host, source: Path) -> None:
        """The sentence has the host, the game, and what either side has."""
        here = load_game(GAME).rules_version
        [refusal] = host.look(terms(source, rules=((GAME, 99),))).refusals
        for word in ("lab-7", GAME, f"rules_version {here}", "rules_version 99"):
            assert word in refusal

    def test_a_game_that_is_not_here_is_refused(self, host: Host, source: Path) -> None:
        """A plug-in of the coordinator must be installed on the host as well."""
        report = host.look(terms(source, rules=(("pebbles(players=2)", 1),)))
        [refusal] = report.refusals
        assert all(word in refusal for word in ("lab-7", "pebbles(players=2)", "install"))
        assert report.rules == (("pebbles(players=2)", 0),)
        with pytest.raises(UnknownTerms):
            host.play("k", MATCHES)

    def test_a_level_that_does_not_isolate_is_refused(
        self, host: Host, source: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """Where bots must be isolated, a host that cannot says so on both sides."""
        host.place = replace(host.place, sandbox="limits")
        with caplog.at_level(logging.WARNING, "arena"):
            [refusal] = host.look(terms(source, sandbox="auto", isolates=True)).refusals
        assert '"limits"' in refusal
        assert refusal in caplog.text

    def test_only_one_process_of_a_machine_says_it_there(
        self, host: Host, source: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        """The others refuse silently."""
        host.place = replace(host.place, sandbox="limits", speaks=False)
        with caplog.at_level(logging.INFO, "arena"):
            assert host.look(terms(source, sandbox="auto", isolates=True)).refusals
        assert caplog.text == ""

    def test_two_named_levels_must_be_the_same(self, host: Host, source: Path) -> None:
        """Neither side's word is weakened."""
        host.place = replace(host.place, sandbox=working("limits"))
        [refusal] = host.look(terms(source, sandbox="none")).refusals
        assert '"limits"' in refusal
        assert '"none"' in refusal
        assert host.look(terms(source, sandbox="limits")).level == "limits"

    def test_last_terms_are_kept(self, host: Host, source: Path) -> None:
        """A few runs can have terms at a time; the oldest are forgotten first."""
        agree(host, terms(source, key="0"), source)
        for key in "1234":
            host.look(terms(source, key=key))
        with pytest.raises(UnknownTerms):
            host.take_bot("0", describe(source).hash, b"")
        with pytest.raises(UnknownTerms):
            host.play("0", MATCHES)


class TestBots:
    """Bots that a coordinator sends."""

    def test_a_bad_archive_is_a_refusal(self, host: Host, source: Path) -> None:
        """What is not the bot of that hash is not kept, and nothing is played."""
        host.look(terms(source))
        digest = describe(source).hash
        refusal = host.take_bot("k", digest, b"no archive")
        assert refusal.startswith("lab-7: oak, elm: ")
        with pytest.raises(UnknownTerms):
            host.play("k", MATCHES)

    def test_a_toolchain_that_is_missing_is_a_refusal(self, host: Host, tmp_path: Path) -> None:
        """It names the host, the bot and the tool; later a look says the same."""
        folder = tmp_path / "built"
        folder.mkdir()
        (folder / "bot.yaml").write_text("{name: b, start: [./b], build: [no-such-tool, -x]}")
        agreed = terms(folder)
        program = describe(folder)
        host.look(agreed)
        refusal = host.take_bot("k", program.hash, pack_bot(program))
        assert all(word in refusal for word in ("lab-7", "oak", "no-such-tool"))
        report = host.look(agreed)
        assert report.missing == ()
        assert any("no-such-tool" in one for one in report.refusals)

    def test_a_bot_is_kept_once_for_all_processes(self, host: Host, source: Path) -> None:
        """Another process of the same home, and other terms, need not be sent it again."""
        agree(host, terms(source), source)
        other = Host(host.place, lambda: True)
        assert other.look(terms(source, key="later")).missing == ()

    def test_a_bot_that_must_be_built_is_built_once(
        self, host: Host, tmp_path: Path, own_cache: Path
    ) -> None:
        """What was built for one process is there for the others."""
        folder = tmp_path / "built"
        folder.mkdir()
        build = 'sh, -c, "cp first.py made.py"'
        (folder / "bot.yaml").write_text(
            f"{{name: b, language: python, start: ['{{tool}}', made.py], build: [{build}]}}"
        )
        (folder / "first.py").write_text(FIRST)
        agree(host, terms(folder), folder)
        [made] = own_cache.glob("*/made.py")
        before = made.stat().st_ino
        assert Host(host.place, lambda: True).look(terms(folder)).missing == ()
        assert made.stat().st_ino == before

    def test_copies_that_somebody_removed_are_missed(
        self, host: Host, source: Path, own_cache: Path
    ) -> None:
        """No bot is at fault for it: the coordinator is asked for the bot once more."""
        agree(host, terms(source), source)
        shutil.rmtree(host.place.home / "bots")
        shutil.rmtree(own_cache)
        with pytest.raises(UnknownTerms):
            host.play("k", MATCHES)
        assert host.look(terms(source)).missing == (describe(source).hash,)


def text_of(played: Any) -> str:
    assert isinstance(played, Played)
    return unpack_text(0, played.packed.data, b"")


class TestPlay:
    """Matches that a coordinator sends."""

    def test_it_plays_as_at_home(self, host: Host, source: Path) -> None:
        """Its records have its name and level, and are else those of a runner at home.

        It does so in a thread that is not the first, as all tasks of Dask are.
        """
        agreed = terms(source)
        found: list[Any] = []

        def as_a_task() -> None:
            agree(host, agreed, source)
            for _ in range(2):  # chunk by chunk
                found.extend(host.play("k", MATCHES))

        thread = threading.Thread(target=as_a_task)
        thread.start()
        thread.join()
        assert [one.packed.number for one in found] == [0, 1, 0, 1]
        program = describe(source)
        entrants = {
            one.name: replace(
                one,
                bot=replace(
                    one.bot, start=(sys.executable, "./first.py"), folder=str(program.folder)
                ),
            )
            for one in agreed.entrants
        }
        for match, one in zip(MATCHES, found, strict=False):
            there = parse_record(text_of(one))
            job = job_of(match, agreed.tournament, "open", entrants, "none", (0, b""))
            at_home = play_match(job).record
            assert (there.host, there.sandbox) == ("lab-7", "none")
            assert (there.id, there.actions, there.ranks) == (
                at_home.id,
                at_home.actions,
                at_home.ranks,
            )
            assert there.players == at_home.players

    @pytest.mark.usefixtures("no_process_left")
    def test_what_nobody_waits_for_is_cut_short(
        self, host: Host, wanted: list[bool], tmp_path: Path
    ) -> None:
        """A match for an hour ends as soon as its coordinator is gone, with its processes."""
        file = tmp_path / "sleeper.py"
        file.write_text(SLEEPER)
        agreed = terms(file)
        slow = Clock(move_ms=3_600_000, start_ms=10_000)
        agreed = replace(agreed, tournament=replace(agreed.tournament, clock=slow))
        agree(host, agreed, file)
        pids: list[int] = []

        def give_up() -> None:
            pids.extend(until(lambda: [] if host._workers is None else host._workers.pids()))
            wanted[0] = False

        leaving = threading.Thread(target=give_up)
        leaving.start()
        with pytest.raises(Unwanted):
            host.play("k", MATCHES)
        leaving.join()
        assert len(pids) == 1
        until(lambda: is_gone(pids[0]))

    def test_at_rest_no_process_is_left(self, host: Host, source: Path) -> None:
        """A host that has nothing to do keeps no worker, and starts one when it has."""
        agree(host, terms(source), source)
        host.play("k", MATCHES)
        assert host._workers is not None
        [pid] = host._workers.pids()
        host.rest()
        until(lambda: is_gone(pid))
        assert len(host.play("k", MATCHES[:1])) == 1

    def test_one_tournament_after_the_other(self, host: Host, source: Path) -> None:
        """Other terms have another worker, which keeps nothing of the last ones."""
        agree(host, terms(source), source)
        host.look(terms(source, key="next"))
        host.play("k", MATCHES)
        assert host._workers is not None
        first = host._workers.pids()
        host.play("next", MATCHES)
        assert host._workers.pids() != first
        until(lambda: is_gone(first[0]))


@pytest.mark.parametrize(
    "call",
    [
        lambda: tasks.take_bot("k", "sha256:0", b""),
        lambda: tasks.play("k", ()),
    ],
)
def test_a_process_that_is_no_host_knows_no_terms(call: Callable[[], object]) -> None:
    """A worker of Dask's own refuses to play, and says what to start there instead."""
    assert tasks.place() is None
    with pytest.raises(UnknownTerms):
        call()


def test_a_process_that_is_no_host_refuses(source: Path) -> None:
    """A worker of Dask's own refuses to play, and says what to start there instead."""
    [refusal] = tasks.look(terms(source)).refusals
    assert "arena cluster worker" in refusal
