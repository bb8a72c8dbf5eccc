"""What the project is checked by, as sessions: ``nox -l`` lists them, ``nox -s NAME`` runs one.

What follows ``--`` is for pytest. A session that needs what is not here, such as a Python or root,
is skipped with a line that says so. ``.ci/run`` calls all of them in a clean copy of the project,
with wheels that were built once (``PIP_FIND_LINKS``).
"""

from __future__ import annotations

import functools
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nox
from nox import Session

ROOT = Path(__file__).parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# a time limit, and warnings as errors, are of checks, and not of whoever runs a single test;
# trueskill 0.4.5 has one invalid escape sequence in a docstring, seen at its first compile
STRICT = ("--timeout=120", "-Werror", "-Wignore:invalid escape sequence")
STRICT_TESTS = {"PYTEST_ADDOPTS": " ".join(f'"{word}"' for word in STRICT)}
NEEDED = "ARENA_TESTS_REQUIRE"  # what the tests of may not be skipped: see tests/conftest.py
EVERYTHING = {NEEDED: "everything"} if os.environ.get(NEEDED) else {}
HOLDS = "tests/integration/workers/test_held_pipes.py::test_bot_that_holds_its_pipe_"
CLOCKS = (
    "tests/integration/session/test_clocks.py",
    "tests/integration/session/test_fairness.py",
    f"{HOLDS}is_charged",
    f"{HOLDS}too_long_loses[2.4-stdin]",
    f"{HOLDS}too_long_loses[2.4-stderr]",
    "tests/integration/serve/test_serve.py::test_idle_connections_block_no_reader",
)
BOTS = (  # folders of tests that start bots
    "unit/bots", "unit/process", "unit/sandbox", "integration/bots", "integration/check",
    "integration/process", "integration/sandbox", "integration/session", "integration/workers",
)  # fmt: skip
# a few files hold most of the long tests, which wait a part of their time
SPREAD = ("--dist=load", "--maxschedchunk=1")
USER = 61499  # an ordinary user without a name, who owns nothing but a copy of the project
AS_USER = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--")
IS_ROOT = os.geteuid() == 0
DOCS = nox.project.dependency_groups(nox.project.load_toml(ROOT / "pyproject.toml"), "docs")

nox.options.default_venv_backend = "venv"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["lint", "types", "tests-3.11"]


@functools.cache
def interpreter(version: str = "3") -> str | None:
    """Return a Python of this machine that can make environments, or ``None``.

    Root's bots are users of their own, so a Python that every user can run is preferred.
    """
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    folders = ["/usr/bin"] * IS_ROOT + os.environ["PATH"].split(":")
    found = [*(f"{folder}/python{version}" for folder in folders)]
    found += sorted(glob.glob(f"{pyenv}/versions/{version}.*/bin/python3"))
    test = "import ensurepip, sqlite3, ssl, sys; sys.exit(sys.version_info < (3, 11))"
    for words in [AS_USER, ()] if IS_ROOT else [()]:
        for place in filter(os.path.exists, found):
            command = [*words, place, "-I", "-c", test]
            if not subprocess.run(command, capture_output=True, cwd="/", check=False).returncode:
                return place
    return None


MAIN = interpreter() or sys.executable


def pytest(session: Session, *words: str, extra: str = "slow-tests", **env: str) -> None:
    """Run tests, strictly, with what was written after ``--``."""
    session.install("-q", "-e", f".[{extra}]")
    session.run("pytest", "-q", "-rs", *words, *session.posargs, env={**STRICT_TESTS, **env})


@contextmanager
def copies(owner: int | None = None) -> Iterator[Path]:
    """Make a folder with a copy of the project, without environments and reports: ``copy``."""
    made = shutil.ignore_patterns(".git", ".venv*", ".nox", ".site", ".*_cache", "*.pyc.*")
    with tempfile.TemporaryDirectory(prefix="checks-") as folder:
        Path(folder).chmod(0o755)
        shutil.copytree(ROOT, f"{folder}/copy", ignore=made, symlinks=True)
        if owner is not None:
            subprocess.run(["chown", "-R", f"{owner}:{owner}", folder], check=True)
        yield Path(folder)


def readme(name: str) -> str:
    """Return the commands of README.md in the block below the line ``<!-- NAME -->``."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.split(f"<!-- {name} -->\n```sh\n")[1].split("```")[0]


def run_readme(session: Session, name: str, *words: str, **env: str) -> None:
    """Run commands of README, word for word, in this folder; ``words`` come before them."""
    path = f"{Path(MAIN).parent}:{os.environ['PATH']}"
    command = [*words, "bash", "-euo", "pipefail", "-c", readme(name)]
    print(readme(name))
    session.run(*command, external=True, env={**STRICT_TESTS, "PATH": path, **env})


def as_user(session: Session, home: Path) -> tuple[str, ...]:
    """Return the words that begin a command of the ordinary user."""
    if not IS_ROOT:
        session.skip("only root can become another user")
    others = ("-u", "TMPDIR", "-u", "XDG_RUNTIME_DIR", "-u", "UV_CACHE_DIR")
    env = ("env", *others, f"HOME={home}", "USER=checks")
    return (*AS_USER, *env, f"PATH={Path(MAIN).parent}:/usr/local/bin:/usr/bin:/bin")


def tests(session: Session) -> None:
    """Run the default tests on a Python; ``-- PATH`` runs a part of them."""
    pytest(session, "-nauto", extra="dev")


for version in PYTHONS:
    nox.session(name=f"tests-{version}", python=interpreter(version) or version)(tests)
nox.session(name="tests-main", python=MAIN, default=False)(tests)


@nox.session(python=MAIN)
def slow(session: Session) -> None:
    """Run the slow tests, but for clocks, hostile bots and pages."""
    left_out = [f"--deselect={place}" for place in ("tests/hostile", "tests/browser", *CLOCKS)]
    pytest(session, "-m", "slow and not nightly", *SPREAD, "-nauto", *left_out)


@nox.session(python=MAIN)
def clocks(session: Session) -> None:
    """Run the slow tests of time; nothing else may run beside them."""
    pytest(session, "-m", "slow and not nightly", *CLOCKS)


@nox.session(python=MAIN)
def hostile(session: Session) -> None:
    """Run wicked bots and attacks at every level of isolation."""
    more = (*SPREAD, "-nauto", "tests/hostile")
    pytest(session, "-m", "slow or not slow", *more, **EVERYTHING)


@nox.session(python=MAIN)
def pages(session: Session) -> None:
    """Run the tests of pages in Chromium, those of the site too."""
    session.install("-q", *DOCS)
    pytest(session, "-m", "not nightly", "-nauto", "tests/browser", **EVERYTHING)


@nox.session(python=MAIN)
def bridges(session: Session) -> None:
    """Run the tests of OpenSpiel and PettingZoo, which README's command does not install."""
    pytest(session, "-nauto", "tests/unit/bridges")


@nox.session(name="readme", python=False)
def readme_commands(session: Session) -> None:
    """Run README's two commands, word for word, in a copy of the project."""
    with copies() as folder, session.chdir(folder / "copy"):
        run_readme(session, "run")
        run_readme(session, "tests")


@nox.session(python=MAIN)
def lint(session: Session) -> None:
    """Look for what ruff finds, imports that go up, an old picture, a wrong workflow."""
    session.install("-q", "-e", ".[dev]", "check-jsonschema>=0.29", "import-linter>=2.5")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", "--no-cache")
    session.run("python", "tools/rooms.py", "--check")
    workflows = glob.glob(".github/workflows/*.yml")
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)


@nox.session(python=MAIN)
def types(session: Session) -> None:
    """Check the types of all programs here."""
    session.install("-q", "-e", ".[dev]", "nox")
    session.run("mypy")
    session.run("mypy", "noxfile.py")


@nox.session(python=MAIN)
def site(session: Session) -> None:
    """Build every page, with search; a link that leads nowhere is an error."""
    session.install("-q", "-e", ".", *DOCS)
    session.run("mkdocs", "build", "--strict", "-q", env={"NO_MKDOCS_2_WARNING": "1"})


@nox.session(python=MAIN)
def wheel(session: Session) -> None:
    """Build the wheel, install it, and run the arena outside the source tree."""
    folder = Path(session.create_tmp())
    session.install("-q", "hatchling>=1.25")
    session.run("hatchling", "build", "-t", "wheel", "-d", str(folder), silent=True)
    (built,) = folder.glob("*.whl")
    for name in zipfile.ZipFile(built).namelist():
        if name.startswith(("benchmarks/", "tests/", "tools/")):
            session.error(f"{name} does not belong into the wheel")
    session.install("-q", str(built))
    built.unlink()
    with session.chdir(folder):
        session.run("arena", "play", "leaves", "greedy", "random", "--seed=1", "--html=match.html")
        session.run("arena", "games", "leaves", silent=True)


@nox.session(python=MAIN)
def sdist(session: Session) -> None:
    """Build the archive of sources, and run tests in it; ``-- PATH`` runs a part of them."""
    folder = Path(session.create_tmp()) / "sdist"
    shutil.rmtree(folder, ignore_errors=True)
    session.install("-q", "hatchling>=1.25")
    session.run("hatchling", "build", "-t", "sdist", "-d", str(folder), silent=True)
    (archive,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(archive, folder)
    with session.chdir(folder / archive.name.removesuffix(".tar.gz")):
        pytest(session, "-nauto", extra="dev")


@nox.session(python=False)
def user(session: Session) -> None:
    """Run a tournament, tests that start bots, and hostile bots as an ordinary user."""
    with copies(USER) as home, session.chdir(home / "copy"):
        tools = f"{home}/copy/.venv/bin:{Path(sys.executable).parent}"
        path = f"PATH={tools}:/usr/local/bin:/usr/bin:/bin"
        words = (*as_user(session, home), "env", path)
        uv = os.environ.get("NOX_DEFAULT_VENV_BACKEND") == "uv"
        pip = ("uv", "pip") if uv else ("pip",)
        here = ("nox", "--no-venv", "--no-install", "-s")
        for command in (
            ("uv", "venv", "-q", "-p", MAIN, ".venv") if uv else (MAIN, "-m", "venv", ".venv"),
            (*pip, "install", "-q", "-e", ".[slow-tests]", "nox"),
            ("arena", "run", "tournaments/quickstart.yaml"),
            (*here, "tests-main", "--", *(f"tests/{room}" for room in BOTS)),
            (*here, "hostile"),
        ):
            session.run(*words, *command, external=True)


@nox.session(python=False)
def bare(session: Session) -> None:
    """Run README's commands, as root and as an ordinary user, where nothing is but Python."""
    machine = ("bash", str(ROOT / "tools/bare"))
    with copies() as folder, session.chdir(folder / "copy"):
        folder.chmod(0o700)  # it is closed to the users that root's bots run as
        for name in ("run", "tests"):
            run_readme(session, name, *machine, **{NEEDED: ""})
    with copies(USER) as home, session.chdir(home / "copy"):
        for name in ("run", "tests"):
            run_readme(session, name, *machine, *as_user(session, home), "nohup", **{NEEDED: ""})


@nox.session(python=MAIN, default=False)
def nightly(session: Session) -> None:
    """Run the long campaigns, one by one; they print their figures."""
    pytest(session, "-m", "nightly", "-s", "--timeout=7200")
