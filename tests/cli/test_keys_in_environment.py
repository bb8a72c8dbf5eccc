"""Keys in the environment of bots: commands that write them out warn, and no page shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.arena_command import arena, messages, output, tournament

from arena.store import open_store
from arena.tournament.secret_variables import is_key

KEY, LEVEL, OTHER = "sk-test-1234", "level-5678", "sk-other-90"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the home of a tournament that was played with a key."""
    bots = f"[random, {{name: llm, bot: random, env: {{LLM_KEY: {KEY}, LEVEL: {LEVEL}}}}}]"
    file, home = tournament(tmp_path, bots, seed=7, sandbox="none", workers=1), tmp_path / "home"
    done = arena(home, "run", file)
    assert done.returncode == 0, done.stderr
    (said,) = [line for line in done.stderr.splitlines() if "LLM_KEY" in line]
    assert "of llm" in said
    assert KEY not in done.stdout + done.stderr
    return home


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, True) for name in ("API_KEY", "APIKEY", "HF_TOKEN", "db.password", "AUTH-SECRET")),
        *((name, True) for name in ("AWS_SECRET_ACCESS_KEY", "KEY_2", "GOOGLE_CREDENTIALS")),
        *((name, False) for name in ("MAX_TOKENS", "TOKENIZERS_PARALLELISM", "LEVEL", "KEYBOARD")),
    ],
)
def test_variable_named_like_key_is_recognised(name: str, expected: bool) -> None:
    """A variable is taken for a key if a word of its name ends like one."""
    assert is_key(name) is expected


def test_commands_that_write_keys_warn(home: Path, tmp_path: Path) -> None:
    """``export``, ``bundle create`` and ``show --json`` warn of a key by its name."""
    with open_store(home, create=False) as store:
        match = next(store.matches.read(None)).id
    for words in (
        ("export",),
        ("export", "--all"),
        ("bundle", "create", "-o", tmp_path / "keys.arena"),
        ("show", match, "--json"),
    ):
        done = messages(home, *words)
        (said,) = [line for line in done.splitlines() if "LLM_KEY of llm" in line]
        assert "LEVEL" not in said
        assert KEY not in done
    assert KEY not in output(home, "show", match)
    assert KEY not in output(home, "export", "--all", "-o", tmp_path / "records.jsonl")


@pytest.mark.parametrize("public", [(), ("--public",)])
def test_report_hides_variables(home: Path, tmp_path: Path, public: tuple[str, ...]) -> None:
    """No page has a variable's value, and a public one not even its name."""
    site = tmp_path / "site"
    assert "LLM_KEY" not in messages(home, "report", "-o", site, "--pages", "all", *public)
    pages = "".join([path.read_text() for path in site.rglob("*.html")])
    assert KEY not in pages
    assert LEVEL not in pages
    assert ("LLM_KEY" in pages) is (not public)
