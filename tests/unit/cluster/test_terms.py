"""Versions of two sides of a cluster, compared before anything else is sent."""

from __future__ import annotations

import platform

from arena.cluster.terms import skew, versions
from arena.version import __version__


def test_equal_versions_are_no_skew() -> None:
    """The same arena and Python on both sides: nothing to say, whatever the hosts are called."""
    ours = {"host": "a", "arena": "1.4", "python": "3.12"}
    assert skew(ours, {**ours, "host": "b"}, python=True) == []


def test_a_refusal_names_both_versions_and_the_host() -> None:
    """Each difference is one sentence with the host, its version and ours."""
    ours = {"host": "a", "arena": "1.4", "python": "3.12"}
    found = skew(ours, {"host": "lab7", "arena": "1.3", "python": "3.11"}, python=True)
    assert len(found) == 2
    for sentence, words in zip(found, (("1.3", "1.4"), ("3.11", "3.12")), strict=True):
        assert all(word in sentence for word in ("lab7", *words))


def test_python_counts_where_bots_run_on_it() -> None:
    """Without bots in Python its version changes nothing."""
    ours = {"arena": "1.4", "python": "3.12"}
    assert skew(ours, {**ours, "python": "3.11"}, python=False) == []


def test_a_host_that_says_nothing_is_refused() -> None:
    """A version that is not said is another version."""
    assert len(skew({"arena": "1.4", "python": "3.12"}, {}, python=True)) == 2


def test_what_this_side_says() -> None:
    """Plain texts: the arena's version, and Python's without the patch level."""
    said = versions()
    assert said["arena"] == __version__
    assert said["python"] == platform.python_version().rpartition(".")[0]
    assert said["host"]
