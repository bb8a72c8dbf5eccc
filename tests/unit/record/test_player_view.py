"""A player's view of a finished match: what the player was told in it, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support import drawn_matches
from support.recorded import recorded

from arena.record.recorded import blocks_sent
from arena.record.replay import replay_states
from arena.record.seen import seen_record
from arena.values.errors import UsageError
from arena.values.model import Fault, Opening, Termination


@pytest.mark.usefixtures("small_games")
@pytest.mark.parametrize("number", range(12))
def test_player_view_has_actions_of_did_lines(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player's view of a record has the actions as told in ``did`` lines, in their order."""
    opening = Opening(plies=number % 3)
    result, _ = drawn_matches.play(monkeypatch, number, straight=True, opening=opening)
    record = result.record
    states = replay_states(record)
    wanting = tuple(replace(player, want=("did",)) for player in record.players)
    fell = {fault.player for fault in record.faults}
    compared = 0
    for player in range(len(record.players)):
        blocks = blocks_sent(replace(record, players=wanting), player)
        lines = [data.decode("ascii") for block in blocks for _, data in block.lines]
        told = [line[4:] for line in lines if line.startswith("did ")]
        seen = seen_record(record, states, player)
        done = [*seen.opening, *seen.actions]
        known = [f"{who} {action}" for who, action in done if action is not None]
        assert told == (known[: len(told)] if player in fell else known)
        compared += len(told)
    assert compared


def test_player_view_has_own_faults() -> None:
    """A player's view has the details of the player's own faults."""
    fault = Fault(1, Termination.ILLEGAL, 3, "expected plant:J5:A1", stderr="I hold J5")
    record = recorded("build_your_arboretum", most=4, fault=fault)
    assert seen_record(record, replay_states(record), 1).faults == record.faults


@pytest.mark.usefixtures("small_games")
def test_simultaneous_bids_are_shown_as_after_their_node() -> None:
    """A bid of a simultaneous node is shown to each player as it was told after the node."""
    record = recorded("auction", most=2)
    states = replay_states(record)
    for viewer in (0, 1):
        seen = seen_record(record, states, viewer)
        for (player, action), (_, known) in zip(record.actions, seen.actions, strict=True):
            assert action is not None
            assert known == states[2].action_seen(viewer, player, action)


@pytest.mark.parametrize("player", [-1, 2])
def test_view_of_missing_player_is_refused(player: int) -> None:
    """A view of a player that the match has not is a ``UsageError``."""
    record = recorded("leaves", most=1)
    with pytest.raises(UsageError, match="0 to 1"):
        seen_record(record, replay_states(record), player)
