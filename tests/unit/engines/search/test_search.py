"""Tree search over any game, and what it knows of single ones."""

from __future__ import annotations

import random

import pytest
from support.engine_play import at_random, play
from support.own_games import own_games
from support.script_games import Sums

import engines
from engines.build_your_arboretum import knowledge as arboretum
from engines.search import Knowledge, Search, knowledge_of

ARBORETUM = engines.load_game("build_your_arboretum")


def later(seed: int, actions: int) -> engines.State:
    """Return a position after so many random actions, before the end."""
    start = ARBORETUM.new_initial_state(ARBORETUM.setup(seed))
    *_, state = at_random(start, random.Random(seed), actions + 1)
    return state


@pytest.mark.parametrize("actions", [3, 10, 40])
@pytest.mark.parametrize("player", [0, 1])
def test_worth_is_blind_to_what_is_hidden(actions: int, player: int) -> None:
    """Positions that look the same to a player are worth the same to it, whatever the deck is."""
    observation = later(5, actions).observation(player)
    rng = random.Random(1)
    drawn = [ARBORETUM.sample_state(observation, player, rng) for _ in range(5)]
    assert len({state.observation(None) for state in drawn}) == 5
    assert len({arboretum.worth(state, player) for state in drawn}) == 1


def bidding_in(round_: int) -> list[str]:
    """Return the fields of a position that random play leads to, when a round's bids are owed."""
    start = ARBORETUM.new_initial_state(ARBORETUM.setup(round_))
    found = (
        state.observation(None).split(" ") for state in at_random(start, random.Random(round_))
    )
    return next(each for each in found if each[:2] == [str(round_), "bid"] and each[13] == "./.")


BIDDERS = [(r, n) for r, most in ((1, 7), (2, 8), (11, 17)) for n in range(most + 1)]


@pytest.mark.parametrize(("round_", "parrots"), BIDDERS)
def test_sensible_bids_are_legal(parrots: int, round_: int) -> None:
    """A sensible bid can be made, by who starts in round 1 too; with few parrots all are."""
    fields = bidding_in(round_)
    fields[4] = f"{parrots}/{parrots}"
    state = ARBORETUM.new_initial_state(" ".join(fields))
    for player in (0, 1):
        bids = arboretum.sensible(state, player)
        if bids is None:
            assert state.count_legal(player) <= 23
            continue
        assert bids
        for bid in bids:
            state.apply_action(player, bid)


@pytest.mark.parametrize("game", own_games())
def test_search_finds_legal_action_in_every_game(game: str) -> None:
    """A search with few simulations finds a legal action, the same one from one seed."""
    rules = engines.load_game(game)
    state = rules.new_initial_state(rules.setup(1))
    player = state.players_to_act()[0]
    found = []
    for _ in range(2):
        search = Search(
            rules, state.observation(player), player, random.Random(3), knowledge_of(rules)
        )
        assert search.run(3, float("inf")) == 3
        found.append((search.entries[0].action, search.entries[0].mean))
    assert found[0] == found[1]
    state.apply_action(player, found[0][0])


def test_only_action_takes_one_simulation() -> None:
    """If only one action is legal, one simulation is made."""
    # in Arborius every step is an action, also one without an alternative
    game = engines.load_game("arborius")
    rng = random.Random(4)
    states = at_random(game.new_initial_state(game.setup(1)), rng)
    state = next(state for state in states if state.count_legal(state.players_to_act()[0]) == 1)
    (player,) = state.players_to_act()
    search = Search(game, state.observation(player), player, rng)
    assert search.run(50, float("inf")) == 1
    assert search.entries[0].action == state.legal_actions(player)[0]


FOUR = engines.load_game("connect_four")
EMPTY = FOUR.new_initial_state()


def searched(state: engines.State, simulations: int, before: Search | None = None) -> Search:
    """Search a position of Connect Four without knowledge."""
    (player,) = state.players_to_act()
    seen = state.observation(player)
    search = Search(FOUR, seen, player, random.Random(1), before=before)
    search.run(simulations, float("inf"))
    return search


def test_a_win_that_is_seen_is_certain() -> None:
    """Three in a column, and it is our turn: the fourth wins, and nothing else is searched."""
    search = searched(play(EMPTY, *"dadada"), 2000)
    assert search.entries[0].action == "d"
    assert search.entries[0].proven == 1.0
    assert search.root.proven == (1.0, 0.0)
    assert search.root.visits < 100


def test_a_loss_is_certain_once_all_replies_lose() -> None:
    """Two ends are open beside three in the bottom row, and one stone can stop but one of them."""
    search = searched(play(EMPTY, *"cadae"), 5000)
    assert search.root.proven == (1.0, 0.0)
    assert all(entry.proven == 0.0 for entry in search.entries)
    assert search.root.visits < 5000


def test_open_position_is_not_certain() -> None:
    """At the start of a game the search is certain of no result."""
    assert searched(FOUR.new_initial_state(), 300).root.proven is None


def test_a_tree_is_gone_on_with() -> None:
    """The tree of a decision serves the next one; not where something is hidden."""
    first = searched(EMPTY, 300)
    reply = next(iter(first.root.children["d",].children))
    second = searched(play(EMPTY, "d", reply[0]), 1, before=first)
    assert second.root is first.root.children["d",].children[reply]
    assert second.root.visits > 1
    tree = engines.load_game("the_tree")
    state = tree.new_initial_state(tree.setup(1))
    (player,) = state.players_to_act()
    seen = state.observation(player)
    one = Search(tree, seen, player, random.Random(1))
    one.run(5, float("inf"))
    assert Search(tree, seen, player, random.Random(1), before=one).root is not one.root


def test_points_guide_a_player_who_plays_alone() -> None:
    """Where nobody can be beaten, most points come first, and those seen say how far apart."""
    search = Search(Sums({"players": "1"}), "1 0", 0, random.Random(1))
    search.run(3, float("inf"))
    assert [entry.action for entry in search.entries] == ["add:9", "add:8", "add:7"]
    assert search.span == 2
    assert search.compare(("add:9", "add:0"), pairs=1) == (9.0, 0.0)


def test_each_game_says_what_is_known_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the module beside the game, or what its class returns; else the scores say a little."""
    from engines.leaves.knowledge import KNOWLEDGE

    assert knowledge_of(engines.load_game("leaves(tree=plus)")) is KNOWLEDGE
    assert knowledge_of(FOUR) == Knowledge()
    own = Knowledge(points=7.0)
    other = engines.load_game("connect_four")
    monkeypatch.setattr(type(other), "knowledge", lambda self: own)
    knowledge_of.cache_clear()
    assert knowledge_of(other) is own
    knowledge_of.cache_clear()
