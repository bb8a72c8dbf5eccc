"""Fixtures that tests of several packages share."""

from __future__ import annotations

import hashlib
import importlib
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from support import small_games as games
from support.environments import distribution, on_disk

from arena.process.cache import cache_folder
from arena.process.launcher import dismiss_launcher, strays
from arena.process.stop_all import children
from engines.core.registry import look_again

# how long an example takes says how busy the machine is; --hypothesis-profile=nightly tries many
hypothesis.settings.register_profile("here", deadline=None, max_examples=25)
hypothesis.settings.register_profile("nightly", deadline=None, max_examples=2000)
hypothesis.settings.register_profile(
    "checks", deadline=None, max_examples=25, derandomize=True, print_blob=True, database=None
)
hypothesis.settings.load_profile("checks" if "CI" in os.environ else "here")

# what may not be skipped here: `bwrap,landlock`, or `everything`
REQUIRED = {*filter(None, os.environ.get("ARENA_TESTS_REQUIRE", "").split(","))}
ISOLATION = ("bwrap", "landlock")

MEMORY = "/dev/shm"
ROOM = 4 << 30  # what is left of the last three runs stays there: some 300 MB each


def pytest_configure() -> None:
    """Have programs under test start as they do for a user: compiled once, and ended by signals.

    A shell has its background jobs ignore Ctrl-C, and ``nohup`` has them ignore the end of the
    terminal. Programs do not inherit a handler; so the suite goes on, and they end. Where there is
    memory for them, the folders of tests lie in it: thousands of times a store waits until what it
    has written is on the disk.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if _has_room(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _own_folder())
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: None)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Give a worker whole files, where nobody said how tests are spread: fixtures are shared."""
    options = config.option
    if getattr(options, "numprocesses", None) and options.dist == "no":
        options.dist = "loadfile"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of test processes for ``pytest -n auto``: one for each core.

    With more processes than cores the whole takes longer, as each process imports all tests.
    """
    return len(os.sched_getaffinity(0))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a test fail that is skipped, where what it needs must be here."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        by_others = os.geteuid() != 0 and "only root can" in reason
        if _level(reason) in REQUIRED or ("everything" in REQUIRED and not by_others):
            report.outcome, report.longrepr = "failed", f"it may not be skipped here: {reason}"
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say at the end which levels of isolation were not tested, and why."""
    skipped = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", ())]
    reasons = Counter(reason.removeprefix("Skipped: ") for reason in skipped)
    for reason, count in sorted(reasons.items()):
        if _level(reason):
            terminalreporter.write_line(f"isolation was not tested ({count} tests): {reason}")


def _level(reason: str) -> str:
    """Return the level of isolation that a test was skipped for, if it was for one."""
    level = reason.partition(":")[0]
    return level if level in ISOLATION else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that may take longest: at the end nobody waits for the last of them."""
    items.sort(key=_limit, reverse=True)


def _limit(item: pytest.Item) -> float:
    return max((float(mark.args[0]) for mark in item.iter_markers("timeout")), default=0.0)


def _own_folder() -> str:
    """Make and return a folder in memory for this checkout and this Python environment.

    In a shared one another run of pytest would close to root's bots what tests have opened to them.
    """
    whose = f"{os.geteuid()} {Path(__file__).parent} {sys.prefix}"
    folder = f"{MEMORY}/arena-{hashlib.blake2b(os.fsencode(whose), digest_size=3).hexdigest()}"
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)  # whatever the mask takes away
    return folder


def _has_room(folder: str) -> bool:
    """Return whether a folder is there for us, with room for a run, and programs can run in it."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    runs = not found.f_flag & (os.ST_NOEXEC | os.ST_RDONLY) and os.access(folder, os.W_OK)
    return runs and found.f_bavail * found.f_frsize > ROOM


@pytest.fixture(scope="session")
def of_all_workers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all workers of this run of tests have together."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session", autouse=True)
def cache_of_tests(of_all_workers: Path) -> Iterator[None]:
    """Have bots built in a folder of the tests' own, once, and never in the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        folder = of_all_workers / "cache"
        folder.mkdir(exist_ok=True)
        _open_to_all(folder)
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield


@pytest.fixture(scope="session")
def calm(of_all_workers: Path) -> Path:
    """Return a folder for undisturbed runs, each of which is played once."""
    folder = of_all_workers / "calm"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give one test a cache of its own, which is empty; return it."""
    folder = tmp_path / "own-cache"
    folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return cache_folder()


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """Return the folder of a test, open to all users."""
    _open_to_all(tmp_path)
    return tmp_path


def _open_to_all(path: Path) -> None:
    """Let root's bots, which are users of their own, read a folder for tests."""
    if os.geteuid() == 0:
        for folder in (path, *path.parents):
            folder.chmod(folder.stat().st_mode | 0o055)
            if folder.name.startswith("pytest-of-"):
                break


@pytest.fixture
def disk() -> Iterator[Path]:
    """Yield a folder on a disk that all users can enter; ``tmp_path`` may lie in memory."""
    with on_disk() as folder:
        yield folder


@pytest.fixture
def no_process_left() -> Iterator[None]:
    """Assert that the test leaves no child of this process behind."""
    before = {*children(os.getpid())}
    yield
    assert not [*strays()]
    dismiss_launcher()
    assert {*children(os.getpid())} <= before


Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return what installs games as a plug-in does, here and in child processes.

    It takes a distribution, the lines of its entry points, and the texts of its modules, which go
    into ``plugins``, a folder on ``sys.path`` and in ``PYTHONPATH``.
    """
    folder = tmp_path / "plugins"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    )

    def put(name: str, *points: str, **modules: str) -> None:
        distribution(folder, name, games="".join(f"{point}\n" for point in points))
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)
            monkeypatch.delitem(sys.modules, module, raising=False)
        importlib.invalidate_caches()
        look_again()

    yield put
    monkeypatch.undo()
    look_again()


@pytest.fixture
def small_games(tmp_path: Path, install: Install, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install the games of ``small_games.py``; return the folder with a copy of that module."""
    points = [f"{name} = small_games:{cls.__name__}" for name, cls in games.ENTRY_POINTS.items()]
    install("small-games", *points, small_games=Path(games.__file__).read_text())
    # here the plug-in is the module that tests import, so that they can change its classes
    monkeypatch.setitem(sys.modules, "small_games", games)
    look_again()
    return tmp_path / "plugins"
