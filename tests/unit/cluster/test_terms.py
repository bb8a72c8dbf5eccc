"""Which hosts fit a tournament, by what they say of themselves."""

from __future__ import annotations

import platform
from dataclasses import replace
from pathlib import Path

import pytest
from support.host_terms import FIRST, terms

from arena.cluster.terms import ISOLATES, Terms, misfits, resources, skew, versions
from arena.values.version import __version__


@pytest.fixture
def agreed(tmp_path: Path) -> Terms:
    """Terms of a tournament with a bot in Python that must be isolated."""
    file = tmp_path / "first.py"
    file.write_text(FIRST)
    return terms(file, sandbox="auto", isolates=True)


def test_equal_versions_are_no_skew() -> None:
    """The same arena and Python on both sides: nothing to say, whatever the host is called."""
    assert skew({**versions(), "host": "b"}) == []


def test_a_refusal_names_both_versions_and_the_host() -> None:
    """Each difference is one sentence with the host, its version and ours."""
    found = skew({"host": "lab7", "arena": "1.3", "python": "2.7"})
    assert len(found) == 2
    for sentence, words in zip(found, (("1.3", __version__), ("2.7", "3.")), strict=True):
        assert all(word in sentence for word in ("lab7", *words))


def test_python_counts_where_bots_run_on_it() -> None:
    """Without bots in Python its version changes nothing."""
    assert skew({**versions(), "python": "2.7"}, python=False) == []


def test_a_host_that_says_nothing_is_refused(agreed: Terms) -> None:
    """It is a worker of Dask's own, which knows no bots."""
    [refusal] = misfits({}, agreed)
    assert "arena cluster worker" in refusal


def test_a_host_that_does_not_isolate_is_refused_where_it_must(agreed: Terms) -> None:
    """And nowhere else."""
    says = {**versions(), "host": "lab7", "level": "limits", "isolates": False}
    [refusal] = misfits(says, agreed)
    assert all(word in refusal for word in ("lab7", "limits", "isolated"))
    assert misfits(says, replace(agreed, isolates=False)) == []
    assert misfits({**says, "isolates": True}, agreed) == []


def test_what_is_asked_for_is_what_a_host_declares() -> None:
    """A host that isolates has all; Python's version is asked for only if a bot needs it."""
    declared = resources(isolates=True)
    assert ISOLATES in declared
    for isolates in (True, False):
        for python in (True, False):
            asked = resources(isolates=isolates, python=python)
            assert asked.items() <= declared.items()
            assert (ISOLATES in asked) is isolates
            assert any("python" in name for name in asked) is python


def test_what_this_side_says() -> None:
    """Plain texts: the arena's version, and Python's without the patch level."""
    said = versions()
    assert said["arena"] == __version__
    assert said["python"] == platform.python_version().rpartition(".")[0]
