"""From which positions of a record a match can be played on."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.recorded import recorded

from arena.record.record import format_record
from arena.review.branch import branch_at, node_before
from arena.values.errors import UsageError
from arena.values.model import Fault, Record, Termination


@pytest.mark.parametrize(
    "record",
    [
        recorded("build_your_arboretum", most=30),  # in which both bid at the same time
        recorded("the_tree(players=3)", most=20),
        recorded("leaves", most=5, fault=Fault(0, Termination.TIME, 3, "too slow")),
    ],
    ids=lambda record: str(record.game),
)
def test_what_is_proposed_is_accepted(record: Record, tmp_path: Path) -> None:
    """The position before each action, or the nearest before that from which one can go on."""
    file = tmp_path / "match.json"
    file.write_text(format_record(record))
    moved = 0
    for count, (_, action) in enumerate(record.actions):
        begun = node_before(record, count)
        assert begun is not None
        assert len(branch_at(f"{file}#{begun}", tmp_path).actions) == begun
        for between in range(begun + 1, count + 1):
            with pytest.raises(UsageError):
                branch_at(f"{file}#{between}", tmp_path)
            moved += 1
        if action is None:
            assert node_before(record, count + 1) is None
    assert (moved > 0) == (record.game == "build_your_arboretum")
