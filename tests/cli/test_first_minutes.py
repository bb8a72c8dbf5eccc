"""The first commands that somebody types: demo, help, a tournament without or with a file."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import finished
from support.arena_command import arena, as_json, output, process, refused
from support.needs import tool

from arena.cli.main import GROUPS
from arena.store import open_store
from arena.tournament.parse import read_tournament
from arena.values.shipped import page_names, shipped_folder


@pytest.mark.slow
def test_the_demo_ends_with_a_table_and_what_comes_next(tmp_path: Path) -> None:
    """Each bot has met both others in both seats four times; run again, nothing is played."""
    done = output(tmp_path / "home", "demo")
    rows = [line.split() for line in done.splitlines() if line.split()[1:2]]
    names = [row[1] for row in rows[1:4]]
    assert set(names) == {"careful", "greedy", "random"}
    assert names[-1] == "random"
    for word in ("arena matches", "arena show", "arena report", "arena init", "arena new"):
        assert word in done
    assert output(tmp_path / "home", "demo") == done


@pytest.mark.slow
def test_a_tournament_without_a_file(tmp_path: Path) -> None:
    """Names and paths are entered, in so many rounds, with that seed."""
    kit = Path(__file__).parents[2] / "bots" / "kit" / "python" / "bot.py"
    words = ("run", "--game", "leaves", "--bots", f"random,{kit}", "-n", "2", "-j", "1")
    output(tmp_path / "home", *words, "--seed", "7")
    with open_store(tmp_path / "home", create=False) as store:
        assert [one.seed for one in store.tournaments.all()] == [7]
    board = as_json(tmp_path / "home", "leaderboard")
    assert [row["games"] for row in board["rows"]] == [4, 4]
    # other bots are another tournament
    output(tmp_path / "home", *words[:4], "random,greedy", "-j", "1")


def test_missing_home_names_home_of_folder_above(tmp_path: Path) -> None:
    """In a folder below a home's, a command names the home with ``--home``."""
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    with open_store(tmp_path / "home", create=True):
        pass
    for words in (("matches",), ("tournaments",), ("show", "1ac9"), ("check", "elm")):
        said = arena(Path("home"), *words, cwd=below).stderr
        assert "; there is a home in ../..: --home ../../home" in said, words
        assert "there is a home" not in arena(Path("../../home"), *words, cwd=below).stderr


def test_command_without_store_has_exit_code_2(tmp_path: Path) -> None:
    """In a home without a store, questions have exit code 2, and lists are empty."""
    (tmp_path / "home").mkdir()  # a folder makes no home
    asked = (
        "leaderboard", "leaderboard --all", "leaderboard --bracket", "matches", "matches --all",
        "verify", "verify --ratings", "verify 1ac9", "export", "export --all", "report -o out",
        "serve --port 0", "show 1ac9", "log 1ac9", "explain 1ac9", "reproduce 1ac9",
        "bundle create x",
    )  # fmt: skip
    for words in asked:
        if words.startswith("serve") and importlib.util.find_spec("uvicorn") is None:
            continue  # the extra of that name is not installed
        said = f"there is no arena home at {tmp_path / 'home'}"
        assert said in refused(tmp_path / "home", *words.split(), cwd=tmp_path)
    for words in ("bots", "games", "tournaments"):
        assert "rows" in as_json(tmp_path / "home", words), words
    assert not [*(tmp_path / "home").iterdir()]


def test_run_without_file_runs_only_tournament_of_folder(tmp_path: Path) -> None:
    """``arena run`` alone runs the file of ``arena new tournament`` in that folder."""
    output(tmp_path, "new", "tournament", "tournament.yaml", "--game", "leaves", cwd=tmp_path)
    file = tmp_path / "tournament.yaml"
    read = read_tournament(file)
    assert (read.name, read.games, read.rounds, read.opening.plies) == (
        "tournament", ("leaves",), 10, 2,
    )  # fmt: skip
    assert [entry.ref for entry in read.bots] == ["greedy", "random"]
    file.write_text(file.read_text().replace("rounds: 10", "rounds: 1"))
    assert "greedy" in output(tmp_path / "home", "run", cwd=tmp_path)
    refused(tmp_path, "new", "tournament", "tournament.yaml", "--game", "leaves", cwd=tmp_path)
    assert "rounds: 1 " in file.read_text()


def test_help_is_grouped_and_leads_to_pages(tmp_path: Path) -> None:
    """Each group has a heading; a command's help and a page come by their names."""
    every = arena(tmp_path, "help").stdout
    assert [group for group in GROUPS if f"\n{group}:\n" not in every] == []
    assert arena(tmp_path, "help", "bots", "retire").stdout.startswith("Usage: arena bots retire")
    assert {"protocol", "tournament-file", "first-bot"} <= set(page_names())
    page = (shipped_folder("docs") / "reference" / "protocol.md").read_text()
    assert arena(tmp_path, "help", "protocol").stdout.strip() == page.strip()
    both = arena(tmp_path, "help", "bots").stdout  # a command, and the page that messages name
    assert both.startswith("Usage: arena bots")
    assert '"protocol hello"' in refused(tmp_path, "help", "protocol", "hello")
    assert (shipped_folder("docs") / "reference" / "bots.md").read_text().strip() in both


COMPLETE = {  # a shell: a program in it that prints what could be meant by "arena bundle " and Tab
    "bash": """eval "$(_ARENA_COMPLETE=bash_source arena)"
        COMP_WORDS=(arena bundle ""); COMP_CWORD=2
        _arena_completion arena; printf '%s\\n' "${COMPREPLY[@]}" """,
    "fish": "_ARENA_COMPLETE=fish_source arena | source; complete -C 'arena bundle '",
    # what Tab calls needs a terminal: that it is there, and what it asks
    "zsh": """autoload -Uz compinit; compinit -u -D; eval "$(_ARENA_COMPLETE=zsh_source arena)"
        [ "$_comps[arena]" = _arena_completion ] || exit 1
        COMP_WORDS="arena bundle " COMP_CWORD=2 _ARENA_COMPLETE=zsh_complete arena""",
}


@pytest.mark.parametrize("shell", COMPLETE)
def test_a_shell_completes(shell: str, tmp_path: Path) -> None:
    """What docs/install.md has a person write into the file that the shell reads works."""
    tool(shell)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {"PATH": path, "HOME": str(tmp_path)}
    words = [shell, *(["-f"] if shell == "zsh" else []), "-c", COMPLETE[shell]]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60)
    found = {word for line in done.stdout.splitlines() for word in line.split()}
    assert {"create", "import", "verify"} <= found, done.stderr
    page = (shipped_folder("docs") / "install.md").read_text()
    assert f"_ARENA_COMPLETE={shell}_source arena" in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("arena play conn", "connect_four"),
        ("arena play connect_four gre", "greedy"),
        ("arena leaderboard cu", "cup"),
        ("arena tournaments remove cu", "cup"),
        ("arena bots retire oa", "oak"),
        ("arena show 0", f"{0:016x}"),
        ("arena verify cu", "cup"),
    ],
)
def test_names_are_completed(line: str, offered: str, tmp_path: Path) -> None:
    """A shell is offered the games, bots, tournaments and ids of matches of the home."""
    entrants = finished.entrants(["oak", "elm"])
    with open_store(tmp_path, create=True) as store:
        store.bots.add(entrants[0].bot)
        edition = store.tournaments.create("cup", "f", {}, entrants)
        match = finished.match(0, ["oak", "elm"], [1, 2], id=f"{0:016x}", tournament="cup")
        finished.add(store, edition.id, match)
    at = str(line.count(" "))
    done = process(tmp_path, COMP_WORDS=line, COMP_CWORD=at, _ARENA_COMPLETE="bash_complete")
    assert done.stdout.splitlines() == [f"plain,{offered}"], done.stderr
