"""Whose bot is whose, in the store."""

from __future__ import annotations

from arena.store import Store
from arena.store.people import Person


def test_owner_of_bot_is_the_last_that_was_set(store: Store) -> None:
    """A bot has one owner, and people are sorted by their bots."""
    ada, bela = Person("ada", "Ada Adler", "red", "moodle 1"), Person("bela", "Béla", "")
    for person in (bela, Person("ada", "somebody"), ada):
        store.people.set(person)
    assert list(store.people.all().items()) == [("ada", ada), ("bela", bela)]


def test_last_try_is_remembered(store: Store) -> None:
    """The result of the last try is found by its key."""
    assert store.people.tried("k") is None
    store.people.note_tried("k", "step 2 failed", "it was silent")
    store.people.note_tried("k", "", "")
    found = store.people.tried("k")
    assert found is not None
    assert found[:2] == ("", "")
