"""The head of a match in text."""

from __future__ import annotations

from dataclasses import replace

from support import finished
from support.recorded import recorded

from arena.match.replay import replay_states
from arena.report.match_text import match_summary
from arena.report.replay_data import replay_of
from arena.report.replay_page import replay_page


def test_a_host_of_a_cluster_is_named_with_its_level() -> None:
    """Where a match was played stands there only if it was elsewhere; it may be from anybody."""
    here = finished.record(1, ["oak", "elm"], [1, 2])
    there = finished.record(1, ["oak", "elm"], [1, 2], host="lab-\x1b[1m7", sandbox="bwrap")
    assert "host" not in match_summary(here)
    assert r"on the host lab-\x1b[1m7 (bwrap)" in match_summary(there)


def test_a_page_names_the_host() -> None:
    """The page of a match says it as well."""
    here = recorded("leaves", most=1)
    states = replay_states(here)
    there = replace(here, host="lab-7")
    assert ("On the host", "lab-7") in replay_of(there, states, ()).facts
    assert "On the host" not in dict(replay_of(here, states, ()).facts)


def test_a_version_is_said_once() -> None:
    """Where an entrant's name has the version, as in a comparison, it is not said again."""
    record = recorded("leaves", bots=("willow@2", "oak"), most=3)
    record = replace(record, players=tuple(replace(one, version=2) for one in record.players))
    said = match_summary(record)
    assert "willow@2: rank" in said
    assert "oak@2: rank" in said
    page = replay_page(replay_of(record, replay_states(record), ()))
    assert "willow@2</th>" in page
    assert "oak@2</th>" in page
    assert "@2@2" not in said + page
