"""From which positions of a record a match can be played on."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.recorded import recorded

from arena.record.record import format_record
from arena.review.branch import branch_at
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
def test_position_to_play_on_from(record: Record, tmp_path: Path) -> None:
    """One before each action, or the nearest before that, which the message names."""
    file = tmp_path / "match.json"
    file.write_text(format_record(record))
    moved = 0
    for count, _ in enumerate(record.actions):
        begun = count
        try:
            branch_at(f"{file}#{count}", tmp_path)
        except UsageError as error:
            begun = int(str(error).rpartition("the position before is #")[2])
            moved += 1
        assert len(branch_at(f"{file}#{begun}", tmp_path).actions) == begun
        assert begun in (count, count - 1)
    if record.actions[-1][1] is None:
        with pytest.raises(UsageError, match="was dropped before"):
            branch_at(f"{file}#{len(record.actions)}", tmp_path)
    assert (moved > 0) == (record.game == "build_your_arboretum")
