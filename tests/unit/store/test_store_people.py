"""Whose bot is whose, in the store."""

from __future__ import annotations

from pathlib import Path

from arena.store import Store, open_store
from arena.store.people import Person


def test_persons_are_kept_by_bot(store: Store) -> None:
    """One a bot, the last one that was said; what is forgotten is gone."""
    ada, bela = Person("ada", "Ada Adler", "red", "moodle 1"), Person("bela", "Béla", "")
    for person in (bela, Person("ada", "somebody"), ada):
        store.people.set(person)
    assert list(store.people.all().items()) == [("ada", ada), ("bela", bela)]
    store.people.forget("ada")
    assert store.people.all() == {"bela": bela}


def test_what_was_tried_is_remembered(store: Store) -> None:
    """By its key, the last answer."""
    assert store.people.tried("k") is None
    store.people.note_tried("k", "step 2 failed", "it was silent")
    store.people.note_tried("k", "", "")
    found = store.people.tried("k")
    assert found is not None
    assert found[:2] == ("", "")


def test_nobody_in_no_store(tmp_path: Path) -> None:
    """Without a store nobody handed in anything."""
    with open_store(tmp_path, create=False) as store:
        assert store.people.all() == {}
        assert store.people.tried("k") is None
