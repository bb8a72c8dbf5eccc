"""From what a person writes to an entrant: names, versions, paths, and their near misses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.bot_files import write
from support.hostile_names import HOSTILE
from support.submitted import Submitted, version
from support.told import told

import arena.bots.bundled as bundled
from arena.bots.find import check_plays, check_submission_name, enter, parse_bot, recall
from arena.bots.program import describe
from arena.bots.snapshots import keep, kept_folder
from arena.store.bots import BotVersion
from arena.values.errors import BotError
from arena.values.model import Bot, BotEntry


class Store(Submitted):
    """Submitted bots in memory, with snapshots on disk."""

    def __init__(self, home: Path) -> None:
        super().__init__()
        self.home = home

    def submit(self, name: str, text: str, *, retired: bool = False) -> BotVersion:
        """Submit a Python bot of one line."""
        source = write(self.home / "source.py", text)
        number = len(self.versions(name)) + 1
        program = describe(source)
        keep(program, self.home)
        self.rows.insert(0, version(name, number, program.hash, retired=retired))
        return self.rows[0]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store in a home of its own."""
    return Store(tmp_path)


@pytest.fixture
def two_bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have two bundled bots, ``greedy`` and ``random``, in place of ours."""
    folder = tmp_path / "bundled"
    for name in ("random", "greedy"):
        write(folder / name / "bot.yaml", f"{{name: {name}, language: python}}")
        (folder / name / "bot.py").write_text("pass\n")
    monkeypatch.setattr(bundled, "bundled_folder", lambda: folder)
    return folder


def find_bot(ref: str, store: Store, home: Path) -> Bot:
    """Return the bot that a name means."""
    return enter(BotEntry(ref, ref=ref), store, home, level="none").bot


def refusal(ref: str, store: Store) -> str:
    """Return why a name means no bot."""
    return told(BotError, find_bot, ref, store, store.home)


def test_unknown_versions_are_told(store: Store, two_bundled: Path) -> None:
    """A version that is not there is told with those that are."""
    store.submit("oak", "1")
    store.submit("oak", "2")
    assert refusal("oak@7", store) == 'there is no version 7 of "oak": there are 1, 2'
    assert refusal("greedy@2", store) == 'there is no version 2 of "greedy": there is only 1'
    for text in ("oak@", "oak@x", "oak@-1", "oak@1@1", "oak@١"):
        assert "expected NAME@VERSION with a whole number" in refusal(text, store)


def test_a_tampered_or_lost_snapshot_is_refused(store: Store, two_bundled: Path) -> None:
    """What was submitted plays, or nothing does."""
    row = store.submit("oak", "1")
    assert find_bot("oak", store, store.home).hash == row.hash
    kept = kept_folder(store.home, row.hash) / "source.py"
    kept.chmod(0o644)
    kept.write_text("2")
    assert "was changed" in refusal("oak", store)
    kept.unlink()
    kept.parent.rmdir()
    assert "is gone; submit it again" in refusal("oak", store)


def test_a_record_finds_its_program_again(store: Store, two_bundled: Path) -> None:
    """By its hash, bundled, submitted and named bots are found; one that is gone is told."""
    store.submit("oak", "1", retired=True)
    source = write(store.home / "mine.py", "2")
    named = enter(BotEntry("mine", run=str(source)), store, store.home, level="none").bot
    oak = find_bot("oak@1", store, store.home)
    greedy = find_bot("greedy", store, store.home)
    assert recall("x", 0, named.hash, store.home).folder == named.folder
    assert recall("oak", 1, oak.hash, store.home) == oak
    assert recall("greedy", 1, greedy.hash, store.home) == greedy
    with pytest.raises(BotError, match=r'the program of "x" .* is not here any more'):
        recall("x", 0, "sha256:" + "0" * 64, store.home)
    with pytest.raises(BotError, match="expected a hash"):
        recall("x", 0, "sha256:../../*", store.home)


def test_command_line_names_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word is a path if it looks like one or is a file; else a name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain").write_text("x")
    (tmp_path / "random").mkdir()
    base = str(tmp_path)

    def read(text: str) -> tuple[str | None, str | None, tuple[str, ...]]:
        entry = parse_bot(text)
        assert entry.name == text
        return entry.ref, entry.run, entry.args

    assert read("random") == ("random", None, ())
    assert read("greedy@2 -v") == ("greedy@2", None, ("-v",))
    assert read("x.py") == (None, f"{base}/x.py", ())
    assert read("./random") == (None, f"{base}/random", ())
    assert read("/opt/x 'a b' c") == (None, "/opt/x", ("a b", "c"))
    assert read("plain") == (None, f"{base}/plain", ())
    assert read(".") == (None, base, ())
    (tmp_path / "anna's bot.py").write_text("x")
    assert read("anna's bot.py") == (None, f"{base}/anna's bot.py", ())
    (tmp_path / "it's.py").write_text("x")
    assert read("it's.py") == (None, f"{base}/it's.py", ())
    (tmp_path / 'a"q').write_text("x")
    assert read('./a"q') == (None, f'{base}/a"q', ())
    assert read("./anna's bot.py") == (None, f"{base}/anna's bot.py", ())
    assert read("'anna'\"'\"'s bot.py' -v") == (None, f"{base}/anna's bot.py", ("-v",))
    assert read("x.py " + "y" * 5000) == (None, f"{base}/x.py", ("y" * 5000,))
    for text in ("", "  ", "x 'y"):
        with pytest.raises(BotError):
            parse_bot(text)


def test_names_that_mean_something_else_cannot_be_submitted(two_bundled: Path) -> None:
    """Bundled names, the person's, commands', files' and those that are no names are refused."""
    for name in ("Oak-2.b_c", "é", "李明", "иван"):
        assert check_submission_name(name) == name
    for name, message in {
        "random": '"random" is the name of a bundled bot; choose another',
        "Random": "is the name of a bundled bot",
        "human": "the person at the keyboard",
        "retire": "a command of arena bots",
        "Restore": "a command of arena bots",
        "oak.py": "would be taken for a file",
        "../x": "cannot be a bot's name",
        "": "cannot be a bot's name",
        "a b": "cannot be a bot's name",
        "_run": "cannot be a bot's name",
        "é ü": "cannot be a bot's name",
        "e\u0301": "cannot be a bot's name",  # one letter in two characters
        "r\u0430ndom": "is the name of a bundled bot",  # a Cyrillic letter
    }.items():
        assert message in told(BotError, check_submission_name, name)
    for name in HOSTILE:
        said = told(BotError, check_submission_name, name)
        assert said.isprintable()
        assert len(said) < 300


@pytest.mark.parametrize(
    ("games", "said"),
    [
        (("treeblox",), '"oak" plays treeblox, as its bot.yaml says, and not leaves(tree=plus)'),
        (("leaves(tree=u)", "treeblok"), '"oak" plays leaves(tree=u), treeblok, as'),
    ],
)
def test_the_games_of_a_bot(games: tuple[str, ...], said: str) -> None:
    """All variants, if it names none of them; a name that means no game is shown as it is."""
    bot = Bot("oak", 0, "sha256:0", ("./oak",), "/x", games=games)
    check_plays(replace(bot, games=("leaves", *games)), "leaves(tree=plus)")
    check_plays(replace(bot, games=("leaves(tree=plus)", *games)), "leaves(tree=plus)")
    assert said in told(BotError, check_plays, bot, "leaves(tree=plus)")
