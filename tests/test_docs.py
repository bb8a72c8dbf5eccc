"""What the pages show is true: commands run, tournaments are played, programs work, links lead on.

Each page is walked from top to bottom in a folder of its own, as by a reader who types everything:
in a copy of the files a checkout has, after the tournament of the README was run there.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.arena_command import arena
from support.bot_files import write
from support.doc_pages import ROOT, Block, Command, Page, all_pages, commands, read_page
from support.hand_ins import moodle
from support.made_once import made_once
from support.ran import PYTHON, printed, ran

from arena.bots.bot_yaml import parse_manifest
from arena.cli.main import COMMANDS
from arena.results.standings import read_leaderboard
from arena.tournament.yaml_text import load_yaml
from docs.generate import api_pages, cli_page, interface, notebook, primer_pictures
from docs.generate.cli_page import contexts
from engines.core.pages import primer
from engines.core.text import number_text

SHELLS = ("sh", "console")
PROGRAMS = {"python": ".py", "javascript": ".js", "c": ".c", "sh": ".sh", "awk": ".awk"}
SETUP = re.compile(
    r"python3 -m venv |\.venv/bin/pip |git clone |cd tree-arena$|\.venv/bin/pytest |just "
)
# a command that needs no shell runs in this process: most take less time than starting Python
ALONE = re.compile(r"""(?:\.venv/bin/)?arena ((?:[\w./:,=@%+ -]|"[^"$`\\]*")+)""")
LASTING = re.compile(r"arena (serve|cluster worker|cluster scheduler)\b|.* --web\b")
TOOL_MISSING = re.compile(r"needs .+ \(.+\); install .+")
PAGES = {str(path): read_page(path) for path in all_pages()}
SECONDS = 100


RUN_ALL = """\
import sys
from pathlib import Path

import arena

if __name__ == "__main__":
    for file in sys.argv[1:]:
        arena.run_tournament(arena.read_tournament(Path(file)), home=Path(".arena"))
"""


class ToolMissing(Exception):
    """This machine cannot run a program of some language; the arena said what to install."""


class Reader:
    """Somebody who follows a page in ``folder`` and does what it says.

    ``printed`` is what the commands of the last block wrote to stdout, ``missing`` what could not
    be tried as the machine lacks a tool, ``waiting`` the tournaments not run yet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = ""
        self.missing: list[str] = []
        self.waiting: list[str] = []
        self.tournaments: list[str] = []

    def follow(self, page: Page) -> None:
        """Do everything a page shows; what is wrong is told with the page and line."""
        for block in page.blocks:
            try:
                self.take(block)
            except ToolMissing as error:
                self.missing.append(str(error))
                if not is_bot(block) or block.file:
                    return  # what comes after may build on it
            except AssertionError as error:
                error.add_note(f"at {page.path}:{block.line}")
                raise
        if self.waiting:  # in one process, as starting is most of what a small run takes
            self.save("run_all.py", RUN_ALL)
            self.run(Command(f"python run_all.py {' '.join(self.waiting)}"))
        for name in self.tournaments:
            board = read_leaderboard(self.folder / ".arena", name)
            assert all(row.games and not row.faults for row in board.rows), board

    def take(self, block: Block) -> None:
        """Save, run, play or compare a block, whatever it is."""
        if block.mark.startswith("not run: "):
            return
        if block.mark == "output":
            assert self.printed.endswith(block.text), f"printed was:\n{self.printed}"
        elif block.language == "yaml":
            self.take_yaml(block)
        elif block.file:
            self.save(block.file, block.text)
        elif is_bot(block):
            self.play(block)
        elif block.language in SHELLS:
            self.printed = ""
            for command in commands(block):
                self.printed += self.run(command)
        elif block.language == "python":
            self.save("shown.py", block.text)
            self.run(Command("python shown.py"))
        elif block.language == "toml":
            tomllib.loads(block.text)

    def take_yaml(self, block: Block) -> None:
        """Save a tournament, to be run by a command or at the end; read a ``bot.yaml``."""
        value = load_yaml(block.text, "shown.yaml").value
        if "bots" not in value:
            parse_manifest(block.text.encode(), "bot.yaml")
            if block.file:
                self.save(block.file, block.text)
            return
        file = block.file or f"{value['name']}.yaml"
        self.save(file, re.sub(r"(?m)^rounds: [1-9][0-9]*", "rounds: 1", block.text))
        self.waiting.append(file)
        self.tournaments.append(value["name"])

    def play(self, block: Block) -> None:
        """Let a bot that is shown play one match, to an end by the rules."""
        file = f"shown{PROGRAMS[block.language]}"
        self.save(file, block.text)
        printed = self.run(Command(f"arena play leaves {file} random --seed 1"))
        assert "by rules" in printed, printed

    def save(self, name: str, text: str) -> None:
        """Write a file; a module of ``engines`` goes into a copy of that package."""
        path = self.folder / name
        if name.startswith("engines/") and not path.parent.exists():
            shutil.copytree(ROOT / "engines", path.parent)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, command: Command) -> str:
        """Run a command line without its set-up; return what it wrote to stdout.

        Raises:
            ToolMissing: it needs a compiler or interpreter that is not here.
        """
        steps = map(str.strip, command.text.split("&&"))
        text = " && ".join(step for step in steps if not SETUP.match(step))
        if not text:
            return ""
        plain = ALONE.fullmatch(text)
        if plain and not (self.folder / "engines").exists():
            done = arena(self.folder / ".arena", *shlex.split(plain[1]), cwd=self.folder)
        else:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", text],
                cwd=self.folder,
                env=environment(self.folder),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
                start_new_session=True,  # no debugger is to wait at the terminal of the tests
            )
        if missing := TOOL_MISSING.search(done.stderr):
            raise ToolMissing(missing.group())
        said = f"exit {done.returncode}: {text}\n{done.stdout}\n{done.stderr}"
        assert done.returncode == command.code, said
        assert "Traceback" not in done.stderr, said
        if command.output is not None:
            assert done.stdout == command.output, said
        self.waiting = [file for file in self.waiting if f"arena run {file}" not in text]
        return done.stdout


def environment(folder: Path) -> Mapping[str, str]:
    """Return the environment of a reader whose virtual environment is active."""
    paths = [str(folder)] if (folder / "engines").exists() else []
    # compiled modules are kept, as usual: most of what a page takes is starting Python
    dropped = ("ARENA_HOME", "PYTHONDONTWRITEBYTECODE")
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    return {
        **kept,
        "PATH": f"{folder}/.venv/bin{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([*paths, str(ROOT)]),
    }


def is_bot(block: Block) -> bool:
    """Return whether a program answers the arena."""
    return block.language in PROGRAMS and all(
        word in block.text for word in ("hello", "ready", "play")
    )


def reader_in(folder: Path, *, checkout: bool = False) -> Reader:
    """Give a reader a virtual environment that runs this arena; a few pages are of a checkout."""
    for part in ("bots", "tournaments", "tests/playthroughs", "tests/perft") if checkout else ():
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    programs = folder / ".venv" / "bin"
    for name, words in {"arena": "-P -m arena", "python": "", "python3": ""}.items():
        write(programs / name, f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', 0o755)
    return Reader(folder)


OF_A_CHECKOUT = ("README.md", "CONTRIBUTING.md")


@pytest.fixture(scope="module")
def quickstart(of_all_workers: Path) -> Path:
    """Return the home in which the first command of the README was run."""

    def run(folder: Path) -> None:
        (block,) = (block for block in PAGES["README.md"].blocks if block.mark == "run")
        reader_in(folder, checkout=True).take(block)

    return made_once(of_all_workers / "quickstart", run) / ".arena"


@pytest.fixture
def reader(tmp_path: Path, quickstart: Path) -> Reader:
    """Return somebody who has installed the arena, and has run its first tournament."""
    shutil.copytree(quickstart, tmp_path / ".arena")
    return reader_in(tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(600)  # one is an evening of a course
@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if page.blocks])
def test_page_is_true(name: str, reader: Reader) -> None:
    """Following a page from top to bottom works, and gives what it shows.

    Pages are for whoever has installed the wheel; those of a checkout say so by where they lie.
    """
    if name in OF_A_CHECKOUT:
        shutil.rmtree(reader.folder / ".venv")
        reader = reader_in(reader.folder, checkout=True)
    if name.endswith("run-a-course-tournament.md"):
        moodle(reader.folder / "downloads", 6)
    reader.follow(PAGES[name])
    if reader.missing:
        pytest.skip(f"all but what {'; '.join(reader.missing)}")


PYTHON_BOTS = [
    (f"{name}:{block.line}", block)
    for name, page in PAGES.items()
    for block in page.blocks
    if block.language == "python" and is_bot(block) and not block.mark
]
QUESTION = """\
hello abp 1
game 0123456789abcdef leaves
seat 0 2
clock move=1000
seed 7
obs #/#/#/#/# 0 10,10 1 *
legal E3 S1
go 5 limit=1000
quit
"""


def asked(program: str) -> subprocess.CompletedProcess[str]:
    """Ask a bot in Python for its fifth decision of a game of Leaves."""
    done = ran(PYTHON, "-u", "-c", program, given=QUESTION)
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize(
    "block", [block for _, block in PYTHON_BOTS], ids=[n for n, _ in PYTHON_BOTS]
)
def test_bots_of_the_pages_send_the_number_of_the_decision(block: Block) -> None:
    """As the protocol advises, so that a late answer is never taken for another question's."""
    answers = [line for line in asked(block.text).stdout.splitlines() if line.startswith("play ")]
    assert len(answers) == 1
    assert re.fullmatch(r"play \S+ 5", answers[0])


def test_the_debug_line_of_the_tutorial_works_where_it_stands() -> None:
    """The line that writes to standard error can be put into the program above it."""
    page = PAGES["docs/tutorial/first-bot.md"]
    (debug,) = (text for text in page.shown() if "file=sys.stderr" in text)
    program = next(block.text for block in page.blocks if block.language == "python")
    place = '    elif verb == "go":\n'
    assert place in program
    said = asked(program.replace(place, f"{place}        {debug}\n"))
    assert said.stderr == "hm\n"
    assert "\nplay " in said.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)  # it plays whole tournaments
def test_examples_of_help_run(reader: Reader) -> None:
    """Every command's help has examples, and typed one after the other they work."""
    shutil.copy(ROOT / "bots/kit/python/bot.py", reader.folder / "my_bot.py")
    (reader.folder / "handed-in").mkdir()
    shutil.copy(ROOT / "bots/kit/shell/bot.sh", reader.folder / "handed-in" / "bela.sh")
    for bundle in ("quickstart.arena", "league.arena"):
        reader.run(Command(f"arena bundle create quickstart -o {bundle}"))
    shutil.copy(ROOT / "engines/arborius/decks.txt", reader.folder / "my.decks")
    (reader.folder / "course.csv").write_text("pattern,name,person,group\nbela.sh,,Bela Behr,A\n")
    (reader.folder / "league.csv").write_text("white,black,result\noak,elm,1-0\nelm,oak,1-0\n")
    for name, result in (("games.pgn", "1-0"), ("more.pgn", "0-1")):
        tags = f'[White "stockfish"]\n[Black "oak"]\n[Result "{result}"]\n\n{result}\n'
        (reader.folder / name).write_text(tags)
    examples = dict[str, None]()  # each once, in their order
    for context in contexts():
        shown = re.findall(r"(?m)^ +(arena .*)$", (context.command.help or "").split("Example")[-1])
        assert shown, f"{context.command_path} --help shows no example"
        examples |= dict.fromkeys(shown)
    del examples["arena demo"]  # test_first_minutes.py runs it
    del examples["arena doctor"]  # docs/how-to/prepare-a-machine.md runs it
    for words in ("add science /opt/science", "remove science"):  # test_environments.py runs them
        del examples[f"arena environments {words}"]
    del examples["arena tournaments end course"]  # test_ending_command.py ends one
    del examples["arena bots remove mine --yes"]  # test_forgotten_bot.py removes one
    lasting = [one for one in examples if LASTING.match(one)]
    # these make what others need, or need what others make, or take it away
    making = ("arena cluster certificates", "arena new tournament")
    first = [one for one in examples if one.startswith(making)]
    last = [one for one in examples if one.startswith("arena tournaments remove")]
    rest = [one for one in examples if one not in (*first, *lasting, *last)]
    for example in first:
        reader.run(as_typed(example))
    ended = [Command(f"timeout --preserve-status -s INT 2 {one}", 130) for one in lasting]
    with ThreadPoolExecutor(1) as pool:  # one at a time, beside the others
        stopped = pool.map(reader.run, ended)
        for example in rest:
            reader.run(as_typed(example))
        assert len(list(stopped)) == len(lasting)
    for example in last:
        reader.run(as_typed(example))


def as_typed(example: str) -> Command:
    """Return an example as a command; what it says of this machine, or of bots, is no matter."""
    if re.match("arena (doctor --cluster|cluster status)", example):
        return Command(example, 3)  # nobody is there
    # how long it takes is no matter either
    example = re.sub(r"--(rounds|games) \d+", r"--\1 1", example)
    example = re.sub(r"--sims (\d+)0\b", r"--sims \1", example)
    example = re.sub(r"--elo1 50\b", "--elo1 200", example)
    example = example.replace("--seconds 60", "--seconds 2")
    if re.match("arena (rank|compare) (?!.*--(rounds|elo))", example):
        example += " --rounds 1"
    return Command(f"{example} || test $? = 1" if example.startswith("arena compare") else example)


def test_batch_system_starts_hosts(tmp_path: Path) -> None:
    """The job file is a script that starts a host as people do."""
    page = PAGES["docs/how-to/run-on-several-machines.md"]
    files = {block.file: block.text for block in page.blocks}
    job = write(tmp_path / "hosts.sbatch", files["hosts.sbatch"])
    write(tmp_path / "srun", '#!/bin/sh\nprintf "%s\\n" "$@"\n', 0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    host = printed("bash", job, env={"PATH": path, "SLURM_JOB_ID": "7"}).split()[2:]
    assert host[:3] == ["cluster", "worker", "tls://lab-01:8786"]


@pytest.mark.parametrize("package", ["arena", "engines"])
def test_reference_has_every_public_name(package: str) -> None:
    """The site's pages of reference have a heading for each name and for each command."""
    names = set(importlib.import_module(package).__all__) - {"__version__"}
    headings = set(re.findall(r"(?m)^## (.+)$", api_pages.described(package)))
    assert {f"{package}.{name}" for name in names} <= headings
    commands = {line for text in cli_page.pages().values() for line in text.splitlines()}
    assert {f"## arena {name}" for name in COMMANDS} <= commands


@pytest.mark.slow
@pytest.mark.parametrize("package", ["arena", "engines"])
def test_examples_of_the_api_are_true(package: str, reader: Reader) -> None:
    """Typed at Python's prompt one after the other, they give what the docstrings say."""
    examples = api_pages.examples(api_pages.described(package))
    assert examples.count(">>>") > 5
    reader.save("examples.txt", examples)
    reader.run(Command("arena new tournament quickstart.yaml --from quickstart"))
    reader.run(Command("python -m doctest examples.txt"))


def test_the_interface_is_fresh() -> None:
    """It is what ``python -m docs.generate.interface`` writes, with all that authors use."""
    page = interface.PAGE.read_text(encoding="utf-8")
    assert page == interface.page()
    named = set(re.findall(r"(?m)^(?:#+ |- `)([\w.]+)", page))
    assert named >= {
        "engines.WATCHER",
        "engines.NoView",
        "count_players",
        "knowledge",
        "features",
        "draw",
        "attributes",
        "frame",
        "Knowledge",
    }


def test_the_notebook_is_fresh() -> None:
    """It is what ``python docs/generate/notebook.py`` writes."""
    page = notebook.PAGE.read_text(encoding="utf-8")
    assert notebook.NOTEBOOK.read_text(encoding="utf-8") == notebook.notebook(page)
    assert len(notebook.programs(page)) == page.count("```python")


@pytest.mark.nightly
def test_the_notebook_runs(reader: Reader) -> None:
    """Its programs, which run alone on their page, work one after the other in one process."""
    for package in ("matplotlib", "pandas"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"no {package}: the extra `slow-tests`")
    cells = json.loads(notebook.NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    programs = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    text = "\n".join(programs)
    reader.run(Command(f"MPLBACKEND=Agg python -c {shlex.quote(text)}"))


@pytest.mark.parametrize("name", primer_pictures.GAMES)
def test_primer_is_true(name: str) -> None:
    """It begins with a screen of plain text; its game is legal and has the scores it says."""
    text = primer(name) or ""
    assert len(re.findall(r"\w\S*", re.sub(r"!\[.*\)", "", text))) <= 450
    _, *screen = text.partition("\n## ")[0].splitlines()
    assert len(screen) <= 22
    assert [line for line in screen if len(line) > 78 or re.search(r"[`|\[]|\*\*|^#", line)] == []
    actions = primer_pictures.GAMES[name].actions.split()
    states = [*primer_pictures.positions(name)]
    assert states[-1].is_terminal()
    scores = [state.scores() for state in states]
    decisions = re.findall(r"\b(\d+) `([^`]+)`(?: \((\d+)-(\d+)\))?", text)
    assert len(decisions) >= 6
    for number, action, *said in decisions:
        assert actions[int(number) - 1] == action
        assert said == ["", ""] or (*map(int, said),) == scores[int(number)]
    assert f"\nScores of Ann and Ben: {', '.join(map(number_text, scores[-1]))}.\n" in text
    pictures = dict(primer_pictures.drawn(name))
    assert set(re.findall(r"pictures/primer/([^)]+)\)", text)) == set(pictures)
    for file, picture in pictures.items():
        assert (primer_pictures.PICTURES / file).read_text(encoding="utf-8") == picture
        assert len(picture) < 40_000


def test_commands_in_running_text_exist() -> None:
    """A command named in a sentence is there, with the options that are named."""
    options: dict[str, set[str]] = {}
    for context in contexts():
        command = context.command_path.split(" ")[1:2]
        here = options.setdefault(command[0] if command else "", {"--help", "-h"})
        here.update(*(parameter.opts for parameter in context.command.params))
    for name, text in ((name, text) for name, page in PAGES.items() for text in page.shown()):
        if words := re.match(r"(?:\.venv/bin/)?arena(?: ([a-z]+))?(?= |$)", text):
            command_name = words.group(1) or ""
            assert command_name in options, f"{name}: `{text}`"
            for option in re.findall(r"(?<= )--?[a-z][a-z0-9-]*", text):
                known = options[command_name] | options[""]
                assert option in known, f"{name}: `{text}` has no {option}"


def test_decisions_stay_few() -> None:
    """There are at most 40 pages with 15,000 words, and the index leads to each of them."""
    texts = {p.name: p.read_text(encoding="utf-8") for p in (ROOT / "docs/decisions").glob("*.md")}
    index = texts["README.md"]
    assert len(texts) <= 40
    assert sum(len(text.split()) for text in texts.values()) <= 15_000
    for name in texts.keys() - {"README.md"}:
        assert f"- [{int(name[:4])}]({name}) " in index, f"{name} is not in the index"


def test_pages_stay_short() -> None:
    """The pages of ``docs/`` without decisions have at most 46,000 words."""
    pages = [path for path in (ROOT / "docs").rglob("*.md") if "decisions" not in path.parts]
    words = sum(len(path.read_text(encoding="utf-8").split()) for path in pages)
    assert words <= 46_000


def walk(title: str) -> list[tuple[str, str, str]]:
    """Return mark, file and function of each step of a walk in the design page."""
    page = (ROOT / "docs/design.md").read_text()
    text = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return re.findall(r"^(\d+\.|-) `(arena/\S+\.py)`, `(\w+)`", text, re.MULTILINE)


def names_in(file: str) -> set[str]:
    """Return what a file defines."""
    kinds = ast.FunctionDef | ast.ClassDef
    return {
        node.name
        for node in ast.walk(ast.parse((ROOT / file).read_text()))
        if isinstance(node, kinds)
    }


def test_walks_are_true() -> None:
    """A line passes at most eight files to the store, a tournament 15; each has its function."""
    line, tournament = walk("The walk of one line"), walk("The walk of a tournament")
    straight = sum(mark != "-" for mark, _, _ in line)
    assert 5 <= straight <= len(line) - 2 <= 8  # of the general way instead of its first two
    assert 10 <= len(tournament) <= 15
    for _, file, function in [*line, *tournament]:
        assert function in names_in(file), f"{file} has no {function}"


def test_places_are_true() -> None:
    """Each item of the list of places names files that are there, and things that are in them."""
    page = (ROOT / "docs/design.md").read_text().partition("## Where to look")[2]
    items = [" ".join(item.split()) for item in page.split("\n- ")[1:]]
    form = re.compile(r"\*\*(.*?)\*\*(?: \((.*?)\))?: (.*)")
    rows = [found.groups("") for item in items if (found := form.fullmatch(item))]
    assert len(rows) == len(items) > 20
    for question, names, places in rows:
        paths = [path for path in re.findall(r"`([^` ]+)`", places) if "/" in path]
        assert paths, question
        assert [path for path in paths if not (ROOT / path).exists()] == [], question
        there = {name for path in paths if path.endswith(".py") for name in names_in(path)}
        assert there.issuperset(re.findall(r"`(\w+)`", names)), question
