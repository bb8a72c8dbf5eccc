"""Does a question tell a player more than it may know? A record's questions, asked of other truths.

At every decision of a recorded match, positions are drawn that differ from the true one only in
what the player cannot see. What the player would be sent must be the same, line for line.
"""

from __future__ import annotations

import random

from arena.match.feed import Feed
from arena.record.replay import replay_states
from arena.values.model import Record
from engines import EngineError, State, load_game

DRAWS = 3  # other truths for each decision


def leaks(record: Record, draws: int = DRAWS) -> list[str]:
    """Return where a player was sent something that depends on what it may not know.

    Args:
        record: a match that ``verify`` accepts.
        draws: how many other positions each question is asked of.
    """
    game = load_game(record.game)
    try:
        states = replay_states(record)
    except EngineError as error:
        return [f"the rules do not accept it: {error}"]
    found: list[str] = []
    rng = random.Random(record.seed or 0)
    told = {p for p, seat in enumerate(record.players) if seat.want}
    for index, state in enumerate(states[len(record.opening) :], start=1):
        for player in sorted(told.intersection(state.players_to_act())):
            true, observation = _question(state, player, record), state.observation(player)
            others = (game.sample_state(observation, player, rng) for _ in range(draws))
            other = next((one for one in others if _question(one, player, record) != true), None)
            if other is not None:
                found.append(
                    f"before action {index} player {player} was sent what depends on hidden "
                    f"things: another position with the same observation, "
                    f'"{other.observation(None)}", gives other lines'
                )
    return found


def _question(state: State, player: int, record: Record) -> str:
    """Return the lines of a question, all of them: those the bot did not want might leak, too."""
    seed = record.players[player].seed
    return Feed(player, ("obs", "legal"), None, seed).ask(state, 1)[0]
