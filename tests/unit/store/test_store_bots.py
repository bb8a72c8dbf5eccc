"""Submitted bots in the store: versions count up, equal content is the same version."""

from __future__ import annotations

import pytest

from arena.store import Store
from arena.values.errors import BotRetired, UsageError
from arena.values.model import Bot


def submit(store: Store, name: str, digest: str) -> int:
    version = store.bots.version_for(name, digest)
    folder = f"/bots/{name}/{version}"
    bot = Bot(name, version, digest, ("./run", "-x"), folder, "submitted", "c", ("leaves",))
    return store.bots.add(bot).version


def test_retiring_and_restoring(store: Store) -> None:
    """One version, or all that are left; submitting one again changes nothing."""
    for digest in ("h1", "h2", "h3"):
        submit(store, "oak", digest)
    assert store.bots.set_retired("oak", 2, retired=True) == [2]
    assert [bot.retired for bot in store.bots.versions("oak")] == [False, True, False]
    assert submit(store, "oak", "h2") == 2
    assert [bot.retired for bot in store.bots.versions("oak")] == [False, True, False]
    assert store.bots.set_retired("oak", retired=True) == [1, 3]
    assert store.bots.set_retired("oak", retired=True) == []
    assert store.bots.set_retired("oak", 2, retired=False) == [2]
    assert [bot.retired for bot in store.bots.versions("oak")] == [True, False, True]
    assert store.bots.set_retired("oak", retired=False) == [1, 3]
    assert store.bots.set_retired("oak", retired=False) == []
    with pytest.raises(UsageError, match='no bot "oka" was submitted; did you mean "oak"'):
        store.bots.set_retired("oka", retired=False)


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
