"""Which hosts fit a tournament, by what they say of themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.host_terms import FIRST, terms, with_bots

from arena.cluster.terms import Terms, misfits, resources, skew, versions
from arena.values.origins import ASK
from arena.values.version import __version__


@pytest.fixture
def agreed(tmp_path: Path) -> Terms:
    """Terms of a tournament with a bot in Python that must be isolated."""
    file = tmp_path / "first.py"
    file.write_text(FIRST)
    return terms(file, sandbox="auto", isolates=True)


def test_dask_worker_is_refused(agreed: Terms) -> None:
    """A worker that says nothing of the arena is refused."""
    [refusal] = misfits({}, agreed)
    assert "arena cluster worker" in refusal


def test_a_host_that_does_not_isolate_is_refused_where_it_must(agreed: Terms) -> None:
    """And nowhere else."""
    says = {**versions(), "host": "lab7", "level": "limits", "isolates": False}
    [refusal] = misfits(says, agreed)
    assert all(word in refusal for word in ("lab7", "limits", "isolated"))
    assert misfits(says, replace(agreed, isolates=False)) == []
    assert misfits({**says, "isolates": True}, agreed) == []


def test_a_host_needs_the_same_packages_under_the_same_name(agreed: Terms) -> None:
    """Another hash, or none, is a refusal with the name; a bot that asks needs none there."""
    here, other = f"sha256:{'1' * 64}", f"sha256:{'2' * 64}"
    needing = with_bots(agreed, environment="torch", packages=here)
    says = {**versions(), "host": "lab7", "level": "bwrap", "isolates": True}
    for environments in ({}, {"torch": other}, {"numpy": here}):
        [refusal] = misfits({**says, "environments": environments}, needing)
        assert all(word in refusal for word in ("lab7", "torch", "arena environments list"))
    assert misfits({**says, "environments": {"torch": here}}, needing) == []
    assert misfits(says, with_bots(needing, origin=ASK)) == []
    asked = resources(needing.environments, isolates=True)
    assert asked.items() <= resources({"torch": here, "more": other}, isolates=True).items()
    for environments in ({}, {"torch": other}):
        assert not asked.items() <= resources(environments, isolates=True).items()


def test_a_refusal_names_both_versions_and_the_host() -> None:
    """Each version that differs is reported in a sentence with the host, its version and ours."""
    found = skew({"host": "lab7", "arena": "1.3", "python": "2.7"})
    assert len(found) == 2
    for sentence, words in zip(found, (("1.3", __version__), ("2.7", "3.")), strict=True):
        assert all(word in sentence for word in ("lab7", *words))
