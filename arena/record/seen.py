"""A record as one of its players may know it: what was hidden from the player is not in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.record.recorded import check_seat
from arena.record.replay import nodes
from arena.values.costs import NO_COSTS
from arena.values.model import Record
from engines import State

UNKNOWN = "only that player was told more"


def seen_record(record: Record, states: Sequence[State], player: int) -> Record:
    """Return a record without what a player was not told, for people; it proves nothing any more.

    The setup is the player's first observation, an action what the player may know of it once its
    node is over. Of others there are no numbers by `info` and no details of faults, since they may
    say what is hidden, nor is there any seed.

    Args:
        record: of a match that the rules accept.
        states: its positions, from the setup's on.
        player: whose eyes they are.

    Raises:
        UsageError: there is no such player.
    """
    check_seat(record, player)
    seen = [*_seen(record, states, player)]
    count = len(record.opening)
    return replace(
        record,
        seed=None,
        setup=states[0].observation(player),
        opening=tuple((who, action or "") for who, action in seen[:count]),
        actions=tuple(seen[count:]),
        decisions=tuple(
            decision if who == player else decision._replace(info=())
            for (who, _), decision in zip(record.actions, record.decisions, strict=True)
        ),
        faults=tuple(
            fault if fault.player == player else replace(fault, detail=UNKNOWN, stderr="")
            for fault in record.faults
        ),
        players=tuple(
            seat if number == player else replace(seat, args=(), env=(), seed=0, costs=NO_COSTS)
            for number, seat in enumerate(record.players)
        ),
    )


def _seen(record: Record, states: Sequence[State], viewer: int) -> Iterator[tuple[int, str | None]]:
    """Yield who did what, as a viewer may know it after all who owed an action there have acted."""
    done = [*record.opening, *record.actions]
    for start, end in nodes(done, states):
        for player, action in done[start:end]:
            known = None if action is None else states[end].action_seen(viewer, player, action)
            yield player, known
