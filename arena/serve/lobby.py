"""What the page shows on which friends begin matches: a card for each game, and open matches."""

from __future__ import annotations

import random
import re
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from arena.serve.web_match import WebMatch
from arena.serve.web_matches import WebMatches
from engines import WATCHER, Game, NoView, State, game_names, load_game
from engines.core.drawing import header_height
from engines.core.pages import goal, rules_page

_CORNERS = re.compile(
    r'viewBox="([\d. ]+)" width="\d+" height="\d+"(?: data-pieces="([^"]+)")?', re.ASCII
)
SHOWN = 16  # actions that were played in the picture of a game
LEVELS = {  # bundled bots, the weakest first
    "random": "Beginner: random plays anything",
    "greedy": "Easy: greedy looks one move ahead",
    "careful": "Medium: careful looks two moves ahead",
    "mcts": "Strong: mcts searches",
}


def levels(bots: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return what to choose from, by heads: bots with their strength, and others by their names."""
    known = [(name, words) for name, words in LEVELS.items() if name in bots]
    return {"By strength": known, "Others": [(name, name) for name in bots if name not in LEVELS]}


@cache
def lobby_games() -> tuple[tuple[Game, Sequence[int], str], ...]:
    """Return all games that people can start, each with its numbers of players and a picture.

    Games with the shortest rules come first, and games without a primer come last. A picture is
    given as an address that contains it, or as an empty text if the game has none.
    """
    games = [load_game(name) for name in sorted(game_names(), key=_effort)]
    return tuple([(game, _players(game), _picture(game)) for game in games])


def _effort(name: str) -> tuple[bool, int]:
    return (False, len(rules_page(name))) if goal(name) else (True, 0)


def open_matches(matches: WebMatches) -> list[WebMatch]:
    """Return the matches with a free seat; their invitations give such a seat, and no other."""
    return [match for match in matches.playing() if match.free and match.left is None]


def names_of(match: WebMatch) -> list[str]:
    """Return who plays already."""
    bots = [seat for seat in match.seats if isinstance(seat, str)]
    return [match.called.get(n) or "somebody" for n in match.people if n not in match.free] + bots


def _players(game: Game) -> Sequence[int]:
    numbers = next((one.values for one in game.PARAMETERS if one.name == "players"), None)
    return numbers if isinstance(numbers, range) else [game.num_players]


def _picture(game: Game) -> str:
    """Return a position in the middle of a game, as somebody sees it who only watches."""
    rng = random.Random(3)
    state: State = game.new_initial_state(game.setup(1))
    for _ in range(SHOWN):
        players = state.players_to_act()
        if not players:
            break
        after = state.apply_action(players[0], rng.choice(state.legal_actions(players[0])))
        if after.is_terminal():
            break
        state = after
    with suppress(NoView):
        picture = _CORNERS.sub(_middle, state.draw(WATCHER), count=1)
        # nothing runs in it, and it fetches nothing
        return f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"
    return ""


def _middle(found: re.Match[str]) -> str:
    """Return where the first board of a picture is: below the players."""
    size, pieces = found[1].split(), (found[2] or "").split(",")
    head = header_height(2)
    box = (
        " ".join(pieces[1].split()[:4])
        if pieces[1:]
        else f"0 {head} {size[2]} {int(size[3]) - head}"
    )
    return f'viewBox="{box}"'
