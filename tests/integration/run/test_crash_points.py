"""At every crash point of a runner a run dies, hangs or fails, and the next one makes it good."""

from __future__ import annotations

import hashlib
import os
import re
import signal
from pathlib import Path

import pytest
from support.arena_command import ROOT, as_json, output
from support.crash_points import KINDS, POINTS
from support.crash_runs import (
    FORGET,
    IMPORT,
    PRUNE,
    REMOVAL,
    RUNNER,
    SCENARIOS,
    SECRET_RUNS,
    WORKER,
    Case,
    acknowledged,
    at_end,
    disturbed,
    params,
    played_on,
    stored,
    undisturbed,
    with_seed,
)

from arena.bots.program import describe
from arena.bots.snapshots import keep, kept_programs, open_kept


@pytest.mark.parametrize(("case", "kind", "code"), params(RUNNER))
def test_run_survives_crash(case: Case, kind: str, code: int, tmp_path: Path, calm: Path) -> None:
    """A run killed at a crash point goes on with the same command; nothing is lost or doubled."""
    scenario, home = SCENARIOS[case.scenario], tmp_path / "home"
    words = scenario.prepare(tmp_path, home)
    end = disturbed(home, words, f"{case.crossing}:{kind}", tmp_path / "log")
    assert end.code == code, end.err
    there = stored(home)
    assert acknowledged(end.err) <= set(there)
    assert len(there) == len(set(there))
    played_on(scenario, home, words)
    assert at_end(home) == undisturbed(case.scenario, calm)


@pytest.mark.parametrize(("case", "kind", "code"), params(SECRET_RUNS))
def test_secret_seed_survives_crash(case: Case, kind: str, code: int, tmp_path: Path) -> None:
    """A run killed at a crash point keeps its secret seed, which is shown at the end."""
    home = tmp_path / "home"
    words = SCENARIOS["secret"].prepare(tmp_path, home)
    end = disturbed(home, words, f"{case.crossing}:{kind}", tmp_path / "log")
    assert end.code == code, end.err
    again = played_on(SCENARIOS["secret"], home, words)
    shown = re.findall(r"SHA-256 is ([0-9a-f]{64})", end.err + again)
    [seed] = re.findall(r"the seed was (\d+)", again)
    assert {*shown} == {hashlib.sha256(seed.encode()).hexdigest()}
    assert at_end(home) == with_seed(tmp_path, tmp_path / "other", seed)


THREE_AT_A_TIME = "import arena.store.removal; arena.store.removal.STEP = 3"


@pytest.mark.parametrize(("case", "kind", "code"), params(REMOVAL))
def test_removal_survives_crash(case: Case, kind: str, code: int, tmp_path: Path) -> None:
    """A removal killed at a crash point is finished by the same command; the rest stays."""
    home = tmp_path / "home"
    SCENARIOS[case.scenario].prepare(tmp_path, home)
    text = (tmp_path / "crash.yaml").read_text()
    (tmp_path / "other.yaml").write_text(text.replace("name: crash", "name: other"))
    for name in ("crash", "other"):
        output(home, "run", tmp_path / f"{name}.yaml")
    whole, other = at_end(home), output(home, "leaderboard", "other", "--json")
    alone = other.replace('"other"', "null", 1)
    words = ("tournaments", "remove", "crash", "--yes")
    fault = f"{case.crossing}:{kind}"
    end = disturbed(home, words, fault, tmp_path / "log", code=THREE_AT_A_TIME)
    assert end.code == code, end.err
    if case.point == "removal" and code:
        assert at_end(home) == whole
    elif code:
        rows = as_json(home, "tournaments")["rows"]
        assert [row["state"] for row in rows] == ["removing", "finished"]
        assert output(home, "leaderboard", "--all", "--json") == alone
        assert output(home, "leaderboard", "--json") == other, "the one run last"
        output(home, "verify")
    if code:
        output(home, *words)
    listed = as_json(home, "tournaments")["rows"]
    assert [row["tournament"] for row in listed] == ["other"]
    assert output(home, "leaderboard", "other", "--json") == other
    assert output(home, "leaderboard", "--all", "--json") == alone
    assert not list((home / "bots").glob("*/.arena-run-*"))
    output(home, "verify")


@pytest.mark.parametrize(("case", "kind", "code"), params(PRUNE))
def test_prune_survives_crash(case: Case, kind: str, code: int, tmp_path: Path) -> None:
    """``prune`` killed at a crash point leaves whole copies or none; run again it ends."""
    home = tmp_path / "home"
    output(home, *SCENARIOS[case.scenario].prepare(tmp_path, home))
    named = kept_programs(home)
    for name in ("oak", "elm"):
        (tmp_path / f"{name}.py").write_text(f"# {name}\n")
        keep(describe(tmp_path / f"{name}.py"), home)
    fault = f"{case.crossing}:{kind}"
    end = disturbed(home, ("bots", "prune"), fault, tmp_path / "log")
    assert end.code == code, end.err
    left = kept_programs(home)
    assert len(left) == {"aside": 2, "aside 2": 1}[case.crossing]
    assert [open_kept(home, digest, "x").hash for digest in left] == left
    output(home, "bots", "prune")
    assert kept_programs(home) == named
    assert [f"sha256:{name}" for name in os.listdir(home / "bots" / "_run")] == named


@pytest.mark.parametrize(("case", "kind", "code"), params(FORGET))
def test_forgetting_survives_crash(case: Case, kind: str, code: int, tmp_path: Path) -> None:
    """``bots remove`` killed at a crash point is finished by the same command."""
    home = tmp_path / "home"
    output(home, *SCENARIOS[case.scenario].prepare(tmp_path, home))
    command = ("bots", "remove", "player", "--yes")
    end = disturbed(home, command, f"{case.crossing}:{kind}", tmp_path / "log")
    assert end.code == code, end.err
    if code:  # it was not done
        assert "player" in output(home, "bots")
        output(home, *command)
    assert "player" not in output(home, "bots")
    assert kept_programs(home) == []
    output(home, "bots", "prune")  # of a copy that had lost its name
    assert os.listdir(home / "bots" / "_run") == []


@pytest.mark.parametrize(("case", "kind", "code"), params(IMPORT))
def test_import_survives_crash(
    case: Case, kind: str, code: int, tmp_path: Path, calm: Path
) -> None:
    """An import killed at a crash point left only right matches, and is finished again."""
    whole = undisturbed(case.scenario, calm)
    source = calm / f"undisturbed-{case.scenario}" / "home"
    home, bundle = tmp_path / "home", tmp_path / "crash.arena"
    output(source, "bundle", "create", "-o", bundle)
    steps = "import arena.bundle.carry; arena.bundle.carry.STEP = 3"
    fault, words = f"{case.crossing}:{kind}", ("bundle", "import", str(bundle))
    end = disturbed(home, words, fault, tmp_path / "log", code=steps)
    assert end.code == code, end.err
    if code:
        there = stored(home)
        assert there == stored(source)[: len(there)]
        output(home, "verify")
        output(home, *words)
    # the bots of a bundle are of its tournament alone, and nobody has submitted them here
    assert at_end(home) == whole._replace(bots=[])
    output(home, "verify")


# the points themselves


def crossed() -> set[str]:
    """Return the point of every call of ``cross`` in the arena, which is a word."""
    texts = [path.read_text() for path in (ROOT / "arena").rglob("*.py")]
    calls = re.findall(r"(?<!def )\bcross\(\s*([^,)]*)", "\n".join(texts))
    assert all(re.fullmatch(r'"[a-z-]+"', call) for call in calls), calls
    return {call.strip('"') for call in calls}


def test_every_point_is_crossed_and_tried() -> None:
    """A point that nothing crosses, or at which no test kills, is no net."""
    assert crossed() == set(POINTS)
    tried = {
        case.point
        for case in (*RUNNER, *WORKER, *REMOVAL, *PRUNE, *FORGET, *IMPORT)
        if "kill9" in case.codes
    }
    assert tried == set(POINTS)
    assert {kind for case in RUNNER for kind in case.codes} == set(KINDS)


# at every crash point of a worker it dies or fails: its match is played again, nothing is lost


@pytest.mark.parametrize(("case", "kind", "code"), params(WORKER))
def test_worker_crash_changes_nothing(
    case: Case, kind: str, code: int, tmp_path: Path, calm: Path
) -> None:
    """A worker killed at a crash point changes no result of the run."""
    scenario, home = SCENARIOS[case.scenario], tmp_path / "home"
    words = scenario.prepare(tmp_path, home)
    end = disturbed(home, words, f"{case.crossing}:{kind}", tmp_path / "log")
    assert end.code == code, end.err
    if code != scenario.code:  # the match was one of the command's own
        played_on(scenario, home, words)
    found = stored(home)
    assert len(found) == len(set(found))
    assert at_end(home) == undisturbed(case.scenario, calm)


@pytest.mark.slow
@pytest.mark.parametrize("crossing", ["message 2 of match 0", "hand-over of match 1"])
def test_a_worker_that_hangs(crossing: str, tmp_path: Path, calm: Path) -> None:
    """It is killed once it has shown no sign of life for long, here two seconds."""
    scenario, home = SCENARIOS["plain"], tmp_path / "home"
    words = scenario.prepare(tmp_path, home)
    shorter = "import arena.process.silence; arena.process.silence.LOST_SECONDS = 2.0"
    fault, log = f"{crossing}:hang", tmp_path / "log"
    end = disturbed(home, words, fault, log, code=shorter, stop=False)
    assert end.code == 0, end.err
    assert end.err.count("hangs and is killed") == 1
    assert "no sign of life" in end.err
    assert "somebody killed it" not in end.err
    assert at_end(home) == undisturbed("plain", calm)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("crossing", "scenario", "void"),
    [
        ("handed-over of match 0", "plain", False),
        ("taken of match 0", "plain", True),
        ("spawned of match 0", "alone", True),
        ("spawned of match 1", "alone", True),
    ],
)
def test_only_a_match_that_was_taken_is_void(
    crossing: str, scenario: str, void: bool, tmp_path: Path
) -> None:
    """A worker that dies before it takes the match that waits for it costs that match nothing."""
    home = tmp_path / "home"
    words = SCENARIOS[scenario].prepare(tmp_path, home)
    end = disturbed(home, words, f"{crossing}:kill9", tmp_path / "log")
    assert end.code == 0, end.err
    assert signal.SIGKILL.name in end.err
    assert ("is void" in end.err) == void
