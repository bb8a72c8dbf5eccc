"""A bot whose build makes something else each time: where it is built twice, that is said."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.arena_command import arena, output, tournament
from support.bot_programs import program

from arena import load_records
from arena.bots.built import built_hash, kept_built
from arena.bots.program import describe
from arena.bots.snapshots import forget
from arena.cluster.overview import cluster_status
from arena.isolation.trial import Trial

pytestmark = pytest.mark.usefixtures("own_cache")

SAID = "oak was built differently here"
PLAYS = "print('play', actions[{}], decision, flush=True)"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Play a tournament with a bot that plays its first action, and the last once it is rebuilt."""
    places = iter((0, -1, -1))

    def run(command: tuple[str, ...], folder: Path, *_: object) -> Trial:
        (folder / "made.py").write_text(program(answer=PLAYS.format(next(places))))
        return Trial("", "", 0, True)

    monkeypatch.setattr("arena.bots.build.run_build", run)
    folder = tmp_path
    bot = folder / "oak"
    bot.mkdir()
    line = "{name: oak, language: python, build: [python3, build.py], start: [python3, made.py]}"
    (bot / "bot.yaml").write_text(line)
    keys = {"rounds": 1, "seed": 3, "sandbox": "none"}
    file = tournament(folder, "[{name: oak, run: ./oak}, random]", **keys)
    output(folder / "home", "run", file, cwd=folder)
    return folder / "home"


@pytest.mark.slow
def test_changed_build_is_reported_by_reproduce(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``reproduce`` and ``bundle verify --rerun`` say that a bot was built differently."""
    match = str(load_records(home)[0]["id"])
    assert SAID not in output(home, "reproduce", match, "--sandbox", "none")
    file = tmp_path / "cup.arena"
    output(home, "bundle", "create", "cup", "-o", file)
    digest = describe(tmp_path / "oak").hash
    built = kept_built(home, digest)
    assert built is not None
    assert f'"{digest}": "{built}"'.encode() in gzip.decompress(file.read_bytes())
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert SAID in output(home, "reproduce", match, "--sandbox", "none", code=1)
    check = ("bundle", "verify", file, "--rerun", 1, "--sandbox", "none")
    assert SAID in output(tmp_path / "nobody", *check, code=1)
    arena(tmp_path / "third", "bundle", "import", file)
    assert kept_built(tmp_path / "third", digest) == built
    assert describe(tmp_path / "oak").hash == digest
    forget(home, digest)
    assert kept_built(home, digest) is None


def test_host_with_deviating_build_is_named() -> None:
    """Of several hosts the one whose build differs from most is named."""
    said: list[Any] = [{"built": {"sha256:1": ["oak", made]}} for made in "xxy"]
    said += [{"built": 7}, {"built": {"sha256:1": "z"}}, {}, None]
    workers = {f"tls://10.0.0.{k}:1": {"metrics": {"arena": one}} for k, one in enumerate(said)}
    client: Any = SimpleNamespace(scheduler_info=lambda n_workers: {"workers": workers})
    named = [(one["address"], one["built_differently"]) for one in cluster_status(client)]
    assert [pair for pair in named if pair[1]] == [("10.0.0.2", ("oak",))]


def test_built_hash_ignores_times(tmp_path: Path) -> None:
    """A build's hash ignores times, and counts content, names, executable bits and links."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/made").write_text("x")
    (tmp_path / "a/link").symlink_to("made")
    found = [built_hash(tmp_path / "a")]
    (tmp_path / "a/made").touch()
    assert built_hash(tmp_path / "a") == found[0]
    changes: tuple[Callable[[], object], ...] = (
        lambda: (tmp_path / "a/made").chmod(0o755),
        lambda: (tmp_path / "a/made").write_text("y"),
        lambda: (tmp_path / "a/made").rename(tmp_path / "a/other"),
        lambda: (tmp_path / "a/new").symlink_to("other"),
        lambda: (tmp_path / "a/new").replace(tmp_path / "a/link"),
    )
    for change in changes:
        change()
        found.append(built_hash(tmp_path / "a"))
    assert len({*found}) == 6
