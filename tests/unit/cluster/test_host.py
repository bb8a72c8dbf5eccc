"""A host: what it refuses, what it keeps, and that it plays as a runner at home does."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.bot_files import write
from support.environments import PYTHON, bot, venv
from support.host_terms import FIRST, GAME, MATCHES, SLEEPER, terms, with_bots
from support.needs import working
from support.waiting import is_gone, until

from arena.bots.environments import add_environment, list_environments, packages_in
from arena.bots.program import describe
from arena.bots.travel import pack_bot
from arena.cluster import host as tasks
from arena.cluster.host import Host
from arena.cluster.signs import Doing
from arena.cluster.terms import ChunkAnswer, Terms
from arena.packed.record_text import unpack_text
from arena.record.record import parse_record
from arena.session.match_session import play_match
from arena.values.model import Clock
from arena.values.tables import MatchRow
from arena.workers.fork_server import start_fork_server
from engines import load_game


@pytest.fixture(autouse=True, scope="module")
def fork_server() -> None:
    """Start the fork server of this process, which stays, before a test counts its children."""
    start_fork_server()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A bot as the coordinator has it."""
    return write(tmp_path / "source" / "first.py", FIRST)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setattr("socket.gethostname", lambda: "lab-7")
    made = Host(tmp_path / "home", "none")
    yield made
    made.rest(10.0)


def archives(*sources: Path) -> dict[str, bytes]:
    """Return bots as a coordinator sends them."""
    return {one.hash: pack_bot(one) for one in map(describe, sources)}


def play(host: Host, agreed: Terms, *sources: Path) -> ChunkAnswer:
    """Have a host play two matches."""
    return host.play(agreed, archives(*sources), MATCHES)


def text_of(played: Any) -> str:
    assert isinstance(played, MatchRow)
    return unpack_text(0, played.data, b"")


class TestRefusals:
    """Why a host plays no match of a run."""

    def test_other_rules_are_refused_with_both_versions(self, host: Host, source: Path) -> None:
        """The sentence has the host, the game, and what either side has."""
        here = load_game(GAME).rules_version
        answer = play(host, terms(source, rules=((GAME, 99),)), source)
        for word in ("lab-7", GAME, f"rules_version {here}", "rules_version 99"):
            assert word in answer.refusal
        assert (answer.results, answer.lasting) == ((), True)

    def test_a_game_that_is_not_here_is_refused(self, host: Host, source: Path) -> None:
        """A plug-in of the coordinator must be installed on the host as well."""
        answer = play(host, terms(source, rules=(("pebbles(players=2)", 1),)), source)
        assert all(word in answer.refusal for word in ("lab-7", "pebbles(players=2)", "install"))

    def test_two_named_levels_must_be_the_same(self, tmp_path: Path, source: Path) -> None:
        """Neither side's word is weakened."""
        host = Host(tmp_path / "home", working("limits"))
        try:
            answer = play(host, terms(source, sandbox="none"), source)
            assert '"limits"' in answer.refusal
            assert '"none"' in answer.refusal
            answer = play(host, terms(source, key="l", sandbox="limits"), source)
            assert [parse_record(text_of(one)).sandbox for one in answer.results] == ["limits"] * 2
        finally:
            host.rest(10.0)

    def test_a_bad_archive_is_a_refusal(self, host: Host, source: Path) -> None:
        """What is not the bot of that hash is not kept, and nothing is played."""
        answer = host.play(terms(source), {describe(source).hash: b"no archive"}, MATCHES)
        assert answer.refusal.startswith("lab-7: oak: ")

    def test_a_toolchain_that_is_missing_is_a_refusal(self, host: Host, tmp_path: Path) -> None:
        """It names the host, the bot and the tool."""
        text = "{name: b, start: [./b], build: [no-such-tool, -x]}"
        folder = write(tmp_path / "built" / "bot.yaml", text).parent
        answer = play(host, terms(folder), folder)
        assert all(word in answer.refusal for word in ("lab-7", "oak", "no-such-tool"))

    def test_an_environment_must_be_named_on_the_host(
        self, host: Host, disk: Path, tmp_path: Path
    ) -> None:
        """What the coordinator has named counts there; the host says what to do on this machine."""
        place = venv(disk / "site")
        source = bot(disk / "reader", place / PYTHON)
        add_environment(tmp_path / "coordinator", "site", place)
        answer = play(host, terms(source), source)
        assert all(word in answer.refusal for word in ("lab-7", "oak", "environments add"))
        add_environment(host.home, "site", place)
        answer = play(host, terms(source, key="named"), source)
        assert (answer.refusal, len(answer.results)) == ("", 2)

    def test_an_environment_has_the_packages_of_the_coordinators(
        self, host: Host, disk: Path
    ) -> None:
        """A name alone does not do, also where packages have changed since the host began."""
        place = venv(disk / "torch")
        add_environment(host.home, "torch", place)
        [packages] = map(packages_in, list_environments(host.home))
        source = bot(disk / "reader", "python3", environment="torch")
        for key, given in (("same", packages), ("other", f"sha256:{'0' * 64}")):
            asked = with_bots(terms(source, key=key), environment="torch", packages=given)
            answer = play(host, asked, source)
            assert len(answer.results) == (2 if given == packages else 0)
            assert ("torch has other packages" in answer.refusal) is (given != packages)


class TestBots:
    """Bots that a coordinator sends."""

    def test_a_bot_that_must_be_built_is_built_once(
        self, host: Host, tmp_path: Path, own_cache: Path
    ) -> None:
        """What was built for one run is there for the others."""
        build = 'sh, -c, "cp first.py made.py"'
        text = f"{{name: b, language: python, start: ['{{tool}}', made.py], build: [{build}]}}"
        folder = write(tmp_path / "built" / "bot.yaml", text).parent
        write(folder / "first.py", FIRST)
        assert play(host, terms(folder), folder).refusal == ""
        [made] = own_cache.glob("*/made.py")
        before = made.stat().st_ino
        assert play(host, terms(folder, key="later"), folder).refusal == ""
        assert made.stat().st_ino == before


class TestPlay:
    """Matches that a coordinator sends."""

    def test_it_plays_as_at_home(self, host: Host, source: Path) -> None:
        """Its records have its name and level, and are else those of a runner at home.

        It does so in a thread that is not the first, as all tasks of Dask are.
        """
        agreed = terms(source)
        found: list[Any] = []

        def as_a_task() -> None:
            for _ in range(2):  # chunk by chunk
                found.extend(play(host, agreed, source).results)

        thread = threading.Thread(target=as_a_task)
        thread.start()
        thread.join()
        assert [one.number for one in found] == [0, 1, 0, 1]
        assert (host.report()["run"], host.report()["played"]) == ("open", 4)
        start, folder = (sys.executable, "./first.py"), str(describe(source).folder)
        here = with_bots(agreed, start=start, folder=folder)
        for match, one in zip(MATCHES, found, strict=False):
            there = parse_record(text_of(one))
            at_home = play_match(here.jobs(match)).record
            assert (there.host, there.sandbox) == ("lab-7", "none")
            for what in ("id", "actions", "ranks", "players"):
                assert getattr(there, what) == getattr(at_home, what)

    @pytest.mark.slow
    @pytest.mark.usefixtures("no_process_left")
    def test_what_nobody_waits_for_is_cut_short(self, host: Host, tmp_path: Path) -> None:
        """A match for an hour ends as soon as its coordinator is gone, with its processes.

        Meanwhile the host says how far it is, and for how long that may stay so.
        """
        file = write(tmp_path / "sleeper.py", SLEEPER)
        agreed = terms(file, clock=Clock(move_ms=3_600_000, start_ms=10_000))
        pids: list[int] = []
        said: list[Doing] = []
        wanted = [True]

        def give_up() -> None:
            pids.extend(until(lambda: workers_of(host)))
            until(lambda: host.doing.what.startswith("match"))
            said.append(host.doing)
            wanted[0] = False

        leaving = threading.Thread(target=give_up)
        leaving.start()
        with pytest.raises(tasks._Cancelled):
            host.play(agreed, archives(file), MATCHES, lambda: wanted[0])
        leaving.join()
        assert len(pids) == 1
        until(lambda: is_gone(pids[0]))
        assert said == [Doing("match number 0, decision 0", 2 * (10 * 3605 + 5))]
        assert host.doing == Doing()

    @pytest.mark.slow
    def test_two_runs_keep_their_bots(self, host: Host, source: Path) -> None:
        """Each has a worker process of its own, which stays while they take turns; a third ends it.

        So two runs that share a host do not start their bots again at each turn.
        """
        play(host, terms(source, key="1"), source)
        play(host, terms(source, key="2"), source)
        both = workers_of(host)
        assert len(both) == 2
        play(host, terms(source, key="1"), source)
        assert sorted(workers_of(host)) == sorted(both)
        play(host, terms(source, key="3"), source)
        assert len(workers_of(host)) == 2
        until(lambda: sum(map(is_gone, both)) == 1)


def workers_of(host: Host) -> list[int]:
    """Return the worker processes of a host."""
    runs = [run.workers for run in host._runs.values()]
    return [pid for workers in runs if workers is not None for pid in workers.pids()]


def test_a_process_that_is_no_host() -> None:
    """Says so to those who ask."""
    assert tasks.here() is None
