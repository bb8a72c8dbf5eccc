"""Records of matches that no bot played: actions drawn from a number, with times and numbers."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from support import finished

from arena.values.model import Decision, Fault, Record, Termination
from engines import load_game


def recorded(
    game: str,
    seed: int = 2,
    *,
    most: int = 1000,
    fault: Fault | None = None,
    setup: str | None = None,
    info: tuple[tuple[str, float | str], ...] | None = None,
    bots: tuple[str, ...] = ("oak", "elm", "ash", "fir"),
    **more: Any,
) -> Record:
    """Return the record of a match.

    Args:
        game: its text.
        seed: what the deal and the actions are drawn from.
        most: the match ends after so many decisions.
        fault: how one of the players is dropped in the end.
        setup: instead of the seed's.
        info: what each decision has; left out: a score.
        bots: names, seat by seat.
        more: other fields.
    """
    rules, rng = load_game(game), random.Random(seed)
    setup = rules.setup(seed) if setup is None else setup
    state = rules.new_initial_state(setup)
    actions: list[tuple[int, str | None]] = []
    decisions: list[Decision] = []
    while state.players_to_act() and len(actions) < most:
        player = state.players_to_act()[0]
        action = state.sample_action(player, rng)
        state = state.apply_action(player, action)
        ms = len(actions) + 1.5
        said: tuple[tuple[str, float | str], ...] = (("score", len(actions) / 8 - 1),)
        actions.append((player, action))
        decisions.append(Decision(ms, ms / 2, ms, info=said if info is None else info))
    by = Termination.MAXMOVES
    if fault is not None:
        state = state.drop_player(fault.player)
        actions.append((fault.player, None))
        decisions.append(Decision(900.0, 1.0, 900.0))
        by = fault.code
    elif state.is_terminal():
        by = Termination.RULES
    names = bots[: rules.num_players]
    fields: dict[str, Any] = {
        "game": str(rules),
        "seed": seed,
        "setup": setup,
        "actions": tuple(actions),
        "decisions": tuple(decisions),
        "scores": state.scores() if by is Termination.RULES else None,
        "by": by,
        "faults": () if fault is None else (fault,),
    }
    return replace(finished.record(1, names, state.ranks()), **{**fields, **more})
