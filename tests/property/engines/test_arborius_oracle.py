"""The engine of Arborius and a plain second reading of its page agree, over rich random play."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest
from oracles import arborius_naive as naive
from oracles import arborius_random
from support.arborius_setups import EXAMPLES
from support.slowly import slowly

import engines
from engines import Event, IllegalAction, State
from engines.arborius import completion
from engines.arborius.basic import count_places, in_place, places
from engines.arborius.decks import shipped_decks
from engines.arborius.moves import at_turn_start, count, is_legal, judged, nth
from engines.arborius.state import ArboriusState


@pytest.fixture
def unbounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the engine search without the limit of section 6.4, as the oracle does."""
    monkeypatch.setattr(completion, "LOOKS", 10**12)


def rich_start(rng: random.Random) -> tuple[State, naive.Position]:
    """Draw a game and a position in it, as the engine and as the oracle see it."""
    cap, turns = rng.choice(["draw", "tiles"]), rng.choice([4, 8, 200])
    size, able = rng.choice([4, 6, 8, 10, 12]), rng.choice([0.4, 0.7, 1.0])
    white = arborius_random.deck(rng, size, able)
    black = arborius_random.deck(rng, max(3, size - rng.randrange(3)), able)
    line = arborius_random.position(rng, white, black)
    state = engines.load_game(f"arborius(max_turns={turns},cap={cap})").new_initial_state(line)
    return state, naive.read(line, turns, cap)


def compare_game(
    state: State, oracle: naive.Position, rng: random.Random, plies: int
) -> Iterator[tuple[State, list[str]]]:
    """Play on both sides and compare all that is said; yield the positions and what is legal."""
    for _ in range(plies):
        text = naive.write(oracle)
        assert state.observation(None) == text
        player = naive.to_act(oracle)
        assert state.players_to_act() == (() if player is None else (player,)), text
        if player is None:
            assert state.is_terminal()
            return
        legal = naive.legal(oracle)
        assert list(state.legal_actions(player)) == legal, text
        assert state.count_legal(player) == len(legal), text
        yield state, legal
        action = arborius_random.pick_action(rng, legal)
        before, oracle = oracle, naive.apply(oracle, action)
        state = state.apply_action(player, action)
        assert list(state.events()) == news(before, oracle), f"{text}, {action}"


def news(before: naive.Position, after: naive.Position) -> list[Event]:
    """Return the events of section 8."""
    found = [f"dead {tile}" for tile in after.tiles if tile in after.dead - before.dead]
    if after.result != "-":
        found.append(f"over {after.result}")
    elif after.turn > before.turn:
        found.append(f"turn {after.turn} {after.actor}")
    return [Event(None, text) for text in found]


def play_rich(seed: int, games: int) -> int:
    """Compare games of rich play; the number of positions in which an ability was under way."""
    rng = random.Random(seed)
    under_way = 0
    for _ in range(games):
        for state, legal in compare_game(*rich_start(rng), rng, plies=12):
            again = state.game.new_initial_state(state.observation(None))
            assert (again, hash(again)) == (state, hash(state))
            assert list(again.legal_actions(again.players_to_act()[0])) == legal
            under_way += " run=- " not in state.observation(None)
    return under_way


@pytest.mark.parametrize("seed", [100, *slowly(range(101, 104))])
def test_engine_and_oracle_agree_over_rich_play(seed: int) -> None:
    """Observations, legal actions and events are the same, whatever the decks hold.

    So they are of a position that is read back from its observation.
    """
    assert play_rich(seed, 15) > 3


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.usefixtures("unbounded")
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_engine_and_oracle_agree_over_a_night(seed: int) -> None:
    """The same, over tens of thousands of games."""
    play_rich(seed, 1000)


FAR = (  # 23 tiles: 378 positions are searched, and use:w6:b0 is completed only after more
    "turn=6 phase=turn actor=0 w=t0[ascend;ascend.adj1;reorder.adj2;ascend.adj1],"
    "t1[reorder.adj3;ascend.adj1],t2[descend.adj1;descend.adj2],t3[ascend;reorder.stack.front],"
    "plain,t5[defend;ascend.adj2;ascend.front;attack],t6[ascend;ascend.adj2],"
    "t7[defend;ascend;attack.adj1],t8[defend;ascend;play],t9[reorder.stack.front],"
    "t10[ascend;ascend.adj1],plain b=t0[rotate;rotate.stack.adj1;attack.adj1;freeze.front],"
    "t1[attack;attack.adj1],plain,t3[defend;attack;attack.adj1],plain,"
    "t5[attack;attack;rotate.stack.adj1;attack.adj1],t6[attack;freeze],plain,"
    "t8[attack;rotate.front;attack.adj1],t9[attack;play],t10[attack;rotate.adj3] "
    "root=-1,1:b7E+w10N|-1,2:w8N|0,-1:w3N|0,0:w2W+b8W+w4E+w6N|1,0:w9S+b1S|1,1:b3E+w0N "
    "w1=0,0:b2W w6=0,0:w5E+b9E|1,0:b0W|1,1:w1S+b4W w7=1,1:b5E|2,0:b10N b9=3,3:w11S+w7N "
    "dead=b6 used=- hit=- run=- offer=- give=- result=-"
)


@pytest.mark.slow
def test_a_completion_counts_within_the_bound_of_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An action is illegal if the search of section 6.4 ends before it finds a completion."""
    game, action = engines.load_game("arborius"), "use:w6:b0"
    assert naive.completable(dict(naive.candidates(naive.read(FAR)))[action], {})
    assert action not in game.new_initial_state(FAR).legal_actions(0)
    monkeypatch.setattr(completion, "LOOKS", 10**12)
    assert action in game.new_initial_state(FAR).legal_actions(0)


@pytest.mark.parametrize("deck", [*shipped_decks()])
def test_engine_and_oracle_agree_with_shipped_decks(deck: str) -> None:
    """From the start, over the first actions of a game."""
    game, rng = engines.load_game(f"arborius(deck={deck})"), random.Random(deck)
    oracle = naive.read(game.setup(0))
    assert len(list(compare_game(game.new_initial_state(), oracle, rng, plies=40))) > 0


# decks written for sentences of the page that random decks hardly ever come to
WRITTEN = {
    "it kills what it hit before": ["attack;attack;rotate", "attack;rotate", "defend;rotate"],
    "a step disables its own subject": ["freeze;rotate", "rotate;rotate", "freeze;freeze;rotate"],
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITTEN)
@pytest.mark.parametrize("seed", range(3))
def test_engine_and_oracle_agree_over_rare_orders(kind: str, seed: int) -> None:
    """A tile that is killed after it was hit, an offer to a tile that has frozen itself."""
    rng = random.Random(f"{kind} {seed}")
    game = engines.load_game("arborius")
    for _ in range(25):
        deck = [f"t{n}[{rng.choice(WRITTEN[kind])}]" for n in range(rng.choice([4, 6]))]
        line = arborius_random.position(rng, deck, deck)
        state, oracle = game.new_initial_state(line), naive.read(line)
        for position, _ in compare_game(state, oracle, rng, plies=12):
            assert game.new_initial_state(position.observation(None)) == position


# what holds for every position


@pytest.mark.parametrize("seed", [70, *slowly(range(71, 73))])
def test_exactly_the_legal_texts_are_accepted(seed: int) -> None:
    """Of all that could be meant, what is listed is done, and the rest is refused."""
    rng = random.Random(seed)
    for _ in range(8):
        state, oracle = rich_start(rng)
        for position, legal in itertools.islice(compare_game(state, oracle, rng, plies=5), 5):
            (player,) = position.players_to_act()
            for action in legal:
                position.apply_action(player, action)
            others = plausible(position.observation(None), rng) - set(legal)
            for action in others:
                with pytest.raises(IllegalAction):
                    position.apply_action(player, action)
            with pytest.raises(IllegalAction, match="turn"):
                position.apply_action(1 - player, legal[0])


def plausible(observation: str, rng: random.Random) -> set[str]:
    """Return well-formed actions about the tiles and cells of a position, legal or not."""
    read = naive.read(observation)
    tiles = rng.sample([*read.tiles], 3)
    cells = {n for board in read.boards.values() for c in board for n in naive.neighbours(c)}
    near = [f"{x},{y}" for x, y in rng.sample(sorted(cells), min(6, len(cells)))]
    found = {"end", "pass", "give:b0", "end:w0", "move:w0:0", "rotate:w0:N", "play:w0:root:0,0:L"}
    for t, k in itertools.product(tiles, (1, 2, 3)):
        found |= {f"{verb}:{t}:{k}" for verb in ("move", "descend", "ascend", "exit")}
        found |= {f"reorder:{t}:{k}:{p}" for p in range(3)}
        found |= {f"enter:{t}:{k}:{cell}" for cell in near}
    for t, other in itertools.product(tiles, tiles):
        found |= {f"{verb}:{t}:{other}" for verb in ("attack", "use", "chain")}
    for t, cell in itertools.product(tiles, near):
        found.add(f"give:{t}:{cell}")
        boards = ["root", *tiles]
        found |= {f"play:{t}:{board}:{cell}:{face}" for board in boards for face in "NESW"}
    for t in tiles:
        found |= {f"unplay:{t}", f"thaw:{t}", f"freeze:{t}", f"rotate:{t}:L", f"rotate:{t}:R"}
    return found


def test_draws_are_uniform() -> None:
    """Of the 22 actions of example C each is drawn about as often as the others."""
    state, rng = engines.load_game("arborius").new_initial_state(EXAMPLES["C"]), random.Random(5)
    drawn = [state.sample_action(0, rng) for _ in range(4400)]
    assert sorted(set(drawn)) == list(state.legal_actions(0))
    counts = [drawn.count(action) for action in set(drawn)]
    # 200 expected, standard deviation 14
    assert min(counts) > 140
    assert max(counts) < 260


@pytest.mark.parametrize("seed", [80, *slowly(range(81, 84))])
def test_each_basic_action_has_one_place(seed: int) -> None:
    """Of the places that random play draws from, each legal action has one."""
    rng, seen = random.Random(seed), 0
    for _ in range(30):
        state, oracle = rich_start(rng)
        for position, _ in compare_game(state, oracle, rng, plies=6):
            assert isinstance(position, ArboriusState)
            pos = position._pos
            if not at_turn_start(pos):
                continue
            there = places(pos)
            found = [in_place(pos, *there, index) for index in range(count_places(*there))]
            legal = [action for action in found if action is not None and is_legal(pos, action)]
            listed = judged(pos)
            assert sorted(legal) == sorted(nth(listed, index) for index in range(count(listed)))
            seen += len(legal)
    assert seen > 100
