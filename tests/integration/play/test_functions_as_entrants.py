"""Functions of a program as entrants, among themselves and beside programs."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.timeless import without_times

import arena
from arena.record.record import format_record
from engines.core.registry import look_again


def first(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
    return str(match.legal[0])


def by_chance(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
    return str(match.rng.choice(match.legal))


def named(name: str, function: Any, version: str = "1") -> dict[str, Any]:
    return {"name": name, "function": function, "version": version}


@pytest.fixture
def home(tmp_path: Path) -> arena.OpenHome:
    return arena.open_home(tmp_path / "home")


def run(home: arena.OpenHome, *bots: Any, **keys: Any) -> arena.Summary:
    given = {"name": "cup", "game": "leaves", "rounds": 3, "seed": 1, **keys}
    return home.run(bots=list(bots), **given)


def test_functions_alone_start_no_process(
    home: arena.OpenHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Functions among themselves play in the caller's thread, and start no process."""
    from arena.workers.local import Workers

    def refuse(*given: Any, **more: Any) -> None:
        raise AssertionError("nothing is to be started")

    monkeypatch.setattr(Workers, "__init__", refuse)
    pids = set()

    def noting(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
        pids.add(os.getpid())
        return by_chance(match, left_ms, limit_ms)

    summary = run(home, named("noting", noting), named("first", first))
    assert summary.played == 6
    assert pids == {os.getpid()}
    assert [problems for _, problems in home.verify()] == [[]] * 6
    record = home.record(home.matches()[0].id)
    assert [player.sandbox for player in record.players] == ["function", "function"]


def test_function_goes_on_with_its_version(home: arena.OpenHome) -> None:
    """A function goes on with its version, and another version is another edition."""
    assert run(home, named("net", first, "step-1"), named("chance", by_chance)).played == 6
    assert run(home, named("net", first, "step-1"), named("chance", by_chance)).played == 0
    with pytest.raises(arena.TournamentChanged):
        run(home, named("net", first, "step-2"), named("chance", by_chance))


@pytest.mark.parametrize(("net", "new"), [(named("net", first), {"new": True}), (first, {})])
def test_function_starts_another_edition(home: arena.OpenHome, net: Any, new: Any) -> None:
    """``new=True``, or a function without a version, starts another edition at each call."""
    for edition in (1, 2):
        assert run(home, net, named("chance", by_chance), **new).played == 6
        assert len(home.tournaments()) == edition


def test_function_beside_program_is_marked_in_record(home: arena.OpenHome) -> None:
    """Beside a function a program is isolated as ever, and the record says what each seat is."""
    summary = run(home, named("chance", by_chance), "greedy", rounds=1)
    assert summary.played == 2
    record = home.record(home.matches()[0].id)
    levels = {player.bot: player.sandbox for player in record.players}
    assert levels == {"chance": "function", "greedy": ""}
    assert all(player.env == () for player in record.players)
    assert [problems for _, problems in home.verify()] == [[], []]


@pytest.mark.parametrize("other", [named("first", first), "random"])
def test_info_of_function_is_kept(home: arena.OpenHome, other: Any) -> None:
    """A function may return ``info`` beside its action; costs in it are counted."""

    def reports(match: Any, left_ms: int | None, limit_ms: int | None) -> Any:
        return match.legal[0], {"score": 0.5, "calls": 2}

    run(home, named("reports", reports), other, rounds=1)
    rows = [row for row in home.records(decisions=True) if row["bot"] == "reports"]
    assert {row["info_score"] for row in rows} == {0.5}
    frame = {row.bot: row.costs.calls for row in home.leaderboard().rows}
    assert frame["reports"] == 2 * len(rows)


def test_invalid_answer_of_function_loses(home: arena.OpenHome) -> None:
    """A function whose answer is not legal loses, unless ``rethink`` lets it try again."""
    tries = Counter[str]()

    def wrong_at_first(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
        tries[match.observation] += 1
        return "nonsense" if tries[match.observation] == 1 else str(match.legal[0])

    run(home, named("none", lambda *_: None), named("first", first), rounds=1)
    assert {row.by for row in home.matches()} == {"illegal"}
    run(home, named("w", wrong_at_first), named("first", first), rounds=1, name="r", rethink=1)
    assert {row.by for row in home.matches("r")} == {"rules"}


def test_slow_function_is_out_of_time(home: arena.OpenHome) -> None:
    """A function that answers after its time limit loses the match by `time`."""

    def slow(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
        assert limit_ms is not None
        time.sleep(2 * limit_ms / 1000)
        return str(match.legal[0])

    clock = {"move": "20ms", "first": "0ms", "margin": "1ms"}
    run(home, named("slow", slow), named("first", first), rounds=1, clock=clock)
    assert {row.by for row in home.matches()} == {"time"}


class _Silent(Exception):
    """An error that cannot say what is wrong."""

    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize("other", [named("first", first), "random"])
def test_function_that_raises_has_crashed(
    home: arena.OpenHome, other: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever a function raises, it loses by crash; the traceback is in each log, and told once.

    Also if that is an error of a file, is long, or cannot become text; nothing is void.
    """
    errors = [_Silent(), FileNotFoundError(2, "gone", "elm"), ValueError("\x1b[31m")]
    errors += [ValueError("x" * 70_000), ValueError("oak\n" * 1500)]

    def fails(match: Any, left_ms: int | None, limit_ms: int | None) -> Any:
        if errors:
            raise errors.pop()
        return _Silent()

    assert not run(home, named("fails", fails), other).undecided
    rows = home.matches()
    assert Counter(row.by for row in rows) == {"crash": 6}
    assert home.leaderboard().rows[-1].bot == "fails"
    details = " ".join(home.record(row.id).faults[0].detail for row in rows)
    for word in ("FileNotFoundError:", "_Silent:", "text", "[31m", "xxx", "oak oak"):
        assert word in details
    for row in rows:
        said = "".join(map(str, home.log(row.id).passages))
        assert "Traceback" in said or "oak" in said  # of 1500 lines the last
    (told,) = [one.getMessage() for one in caplog.records if "fails" in one.getMessage()]
    assert "ValueError" in told


@pytest.mark.parametrize("other", [named("first", first), "random"])
@pytest.mark.parametrize(
    ("more", "info"),
    [(" 99", {}), ("\nplay", {}), (" 1", {}), ("", {"a": "b\nlog"}), ("", {"a b": 1})],
)
def test_answer_of_two_words_is_protocol_fault(
    home: arena.OpenHome, more: str, info: dict[str, Any], other: Any
) -> None:
    """A function whose answer has more than an action, or bad ``info``, loses by ``protocol``."""
    asked = Counter[str]()

    def wordy(match: Any, left_ms: int | None, limit_ms: int | None) -> Any:
        asked[match.observation] += 1
        if asked[match.observation] > 9:
            raise KeyboardInterrupt
        return (f"{match.legal[0]}{more}", info) if info else f"{match.legal[0]}{more}"

    run(home, named("wordy", wordy), other, rounds=1)
    assert {row.by for row in home.matches()} == {"protocol"}


def test_what_functions_played_before_ctrl_c_is_kept(home: arena.OpenHome) -> None:
    """Short matches are packed together, and Ctrl-C in one of them costs that one alone."""
    begun: list[Any] = []
    usual, met = gc.get_threshold(), set()

    def stops(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
        met.add(gc.get_threshold()[0])
        if match not in begun:
            begun.append(match)
        if len(begun) > 3:
            raise KeyboardInterrupt
        return str(match.legal[0])

    with pytest.raises(KeyboardInterrupt):
        run(home, named("stops", stops), named("first", first), rounds=5)
    assert len(home.matches()) == 3
    assert min(met) > usual[0], "garbage is looked for less often"
    assert gc.get_threshold() == usual, "and as before afterwards"


def test_rethink_of_function_has_remaining_time(
    home: arena.OpenHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With ``rethink``, all tries of a function's decision have one limit."""
    now_ms = 0
    limits: list[int | None] = []

    def thinks(match: Any, left_ms: int | None, limit_ms: int | None) -> str:
        nonlocal now_ms
        now_ms += 120
        limits.append(limit_ms)
        return "nonsense" if len(limits) % 2 else str(match.legal[0])

    clock = SimpleNamespace(time_ns=time.time_ns, monotonic_ns=lambda: now_ms * 1_000_000)
    monkeypatch.setattr("arena.session.functions.time", clock)
    bots = named("thinks", thinks), named("first", first)
    run(home, *bots, rounds=1, rethink=1, clock={"move": "200ms", "first": "0ms", "margin": "1ms"})
    assert {row.by for row in home.matches()} == {"time"}
    assert limits == [200, 80] * 2


def test_match_of_functions_is_verified_only(home: arena.OpenHome, tmp_path: Path) -> None:
    """A match of functions is verified, also in another home, and not reproduced."""
    run(home, named("chance", by_chance), named("first", first))
    with pytest.raises(arena.UsageError, match=r"function of a program.*verify"):
        arena.reproduce(home.matches()[0].id, home.path)
    home.bundle(tmp_path / "cup.bundle")
    assert arena.verify_bundle(tmp_path / "cup.bundle", rerun=2).reruns == ()
    there = arena.open_home(tmp_path / "there")
    arena.import_bundle(tmp_path / "cup.bundle", there.path)
    assert there.leaderboard() == home.leaderboard()
    assert [problems for _, problems in there.verify()] == [[]] * 6


@pytest.mark.slow
@pytest.mark.usefixtures("small_games")
def test_bundle_of_missing_game_asks_for_its_package(
    home: arena.OpenHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the package of its game is not installed, a bundle is refused with that reason."""
    run(home, named("chance", by_chance), named("one", first), named("two", first), game="pebbles")
    home.bundle(tmp_path / "cup.bundle")
    monkeypatch.undo()
    look_again()
    with pytest.raises(arena.BundleError, match=r"no game \"pebbles\".*package"):
        arena.verify_bundle(tmp_path / "cup.bundle")


def test_compare_takes_functions(home: arena.OpenHome) -> None:
    """``compare`` plays functions, and goes on with those that have a version."""
    answer = home.compare(named("one", first), named("two", by_chance), "leaves", rounds=4)
    assert answer.answer.blocks == 4
    before = len(home.matches())
    home.compare(named("one", first), named("two", by_chance), "leaves", rounds=4)
    assert len(home.matches()) == before
    assert home.compare("random", first, "leaves", rounds=1).first == "random"


@pytest.mark.parametrize("bot", [7, None, ["a"], {"function": "no function"}])
def test_entrant_of_wrong_type_is_refused(home: arena.OpenHome, bot: Any) -> None:
    """An entrant that is neither bot nor function is an ``ArenaError`` with a sentence."""
    with pytest.raises(arena.ArenaError, match=r"expected|function"):
        run(home, bot, "random")
    with pytest.raises(arena.ArenaError, match=r"expected|function"):
        home.compare(bot, "random", "leaves")


def test_file_with_function_is_refused(tmp_path: Path) -> None:
    """A tournament file that names a function is refused."""
    file = tmp_path / "cup.yaml"
    file.write_text("name: cup\ngame: leaves\nbots:\n  - {name: f, function: a}\n  - random\n")
    with pytest.raises(arena.TournamentFileError, match="comes from Python"):
        arena.read_tournament(file)


def test_records_are_as_those_of_programs(home: arena.OpenHome) -> None:
    """But for times, two runs with the same versions leave the same text."""
    run(home, named("chance", by_chance), named("first", first), rounds=1)
    again = arena.open_home(home.path.with_name("again"))
    run(again, named("chance", by_chance), named("first", first), rounds=1)
    texts = [
        sorted(without_times(format_record(one.record(row.id))) for row in one.matches())
        for one in (home, again)
    ]
    assert texts[0] == texts[1]
