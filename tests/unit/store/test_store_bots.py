"""Submitted bots in the store: versions count up, equal content is the same version."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import Store, open_store
from arena.values.errors import BotRetired, StoreError, UsageError
from arena.values.model import Bot


def submit(store: Store, name: str, digest: str) -> int:
    version = store.bots.version_for(name, digest)
    bot = Bot(name, version, digest, ("./run", "-x"), f"/bots/{name}/{version}", "submitted", "c")
    return store.bots.add(bot, ["leaves"]).version


def test_versions_count_up(store: Store) -> None:
    """New content of a name is its next version; another name counts for itself."""
    versions = [submit(store, *bot) for bot in (("oak", "h1"), ("oak", "h2"), ("elm", "h1"))]
    assert versions == [1, 2, 1]
    assert [(bot.name, bot.version) for bot in store.bots.all()] == [
        ("elm", 1),
        ("oak", 1),
        ("oak", 2),
    ]


def test_equal_content_is_the_same_version(store: Store) -> None:
    """Submitting what is there already adds nothing."""
    assert [submit(store, "oak", digest) for digest in ("h1", "h2", "h1")] == [1, 2, 1]
    assert [bot.version for bot in store.bots.versions("oak")] == [1, 2]


def test_everything_is_kept(store: Store) -> None:
    """What a version is comes back, in another process, too."""
    submit(store, "oak", "h1")
    with open_store(store.path.parent, create=False) as other:
        (bot,) = other.bots.versions("oak")
        assert other.bots.versions("elm") == []
    assert bot.start == ("./run", "-x")
    assert bot.games == ("leaves",)
    assert (bot.folder, bot.language, bot.hash, bot.retired) == ("/bots/oak/1", "c", "h1", False)


def test_the_same_number_twice(store: Store) -> None:
    """Whoever comes second with a number that was given meanwhile is asked to come again."""
    submit(store, "oak", "h1")
    late = Bot("oak", 1, "h2", ("./run",), "/bots/oak/1")
    with pytest.raises(StoreError, match='another "oak" was submitted'):
        store.bots.add(late)
    assert [bot.hash for bot in store.bots.versions("oak")] == ["h1"]


def test_retiring(store: Store) -> None:
    """One version, or all that are left; submitting one again changes nothing."""
    for digest in ("h1", "h2", "h3"):
        submit(store, "oak", digest)
    assert store.bots.set_retired("oak", 2, retired=True) == [2]
    assert [bot.retired for bot in store.bots.versions("oak")] == [False, True, False]
    assert submit(store, "oak", "h2") == 2
    assert [bot.retired for bot in store.bots.versions("oak")] == [False, True, False]
    assert store.bots.set_retired("oak", retired=True) == [1, 3]
    assert store.bots.set_retired("oak", retired=True) == []


def test_a_retired_name_takes_nothing(store: Store) -> None:
    """Neither what it had nor what is new, until the name or one of its versions is restored."""
    submit(store, "oak", "h1")
    for version in (None, 1):
        store.bots.set_retired("oak", retired=True)
        for digest in ("h1", "h2"):
            with pytest.raises(BotRetired, match="arena bots restore oak"):
                submit(store, "oak", digest)
        assert [bot.retired for bot in store.bots.versions("oak")] == [True]
        store.bots.set_retired("oak", version, retired=False)
        store.bots.check_open("oak")
    assert submit(store, "oak", "h2") == 2


def test_a_name_whose_versions_are_retired_one_by_one_is_open(store: Store) -> None:
    """The next version plays."""
    submit(store, "oak", "h1")
    store.bots.set_retired("oak", 1, retired=True)
    assert submit(store, "oak", "h2") == 2
    assert [bot.retired for bot in store.bots.versions("oak")] == [True, False]


def test_restoring(store: Store) -> None:
    """It undoes retiring, of one version or of all that are retired."""
    for digest in ("h1", "h2", "h3"):
        submit(store, "oak", digest)
    store.bots.set_retired("oak", retired=True)
    assert store.bots.set_retired("oak", 2, retired=False) == [2]
    assert [bot.retired for bot in store.bots.versions("oak")] == [True, False, True]
    assert store.bots.set_retired("oak", retired=False) == [1, 3]
    assert store.bots.set_retired("oak", retired=False) == []
    with pytest.raises(UsageError, match='no bot "oka" was submitted; did you mean "oak"'):
        store.bots.set_retired("oka", retired=False)


def test_retiring_what_is_not_there(store: Store) -> None:
    """An unknown name or version is a mistake."""
    submit(store, "oak", "h1")
    with pytest.raises(UsageError, match='no bot "oka" was submitted; did you mean "oak"'):
        store.bots.set_retired("oka", retired=True)
    with pytest.raises(UsageError, match='"oak" has no version 7'):
        store.bots.set_retired("oak", 7, retired=True)


def test_no_bots_without_a_store(tmp_path: Path) -> None:
    """Where there is no store there are no bots, and none appears."""
    with open_store(tmp_path / "home", create=False) as store:
        assert store.bots.versions("oak") == []
    assert not (tmp_path / "home").exists()
