"""The worked examples of docs/rules/arborius.md, section 9, text for text."""

from __future__ import annotations

from support.arborius_setups import EXAMPLES, after, field
from support.engine_play import legal, play

import engines
from engines import State

STARTER = (
    "circle,triangle,soldier[ascend;rotate],horse[descend;rotate.adj1],"
    "sorceress[unplay;descend.adj2],mask[rotate.stack;attack],penitent[reorder;freeze;attack.adj2],"
    "herald[play;reorder;play],vine[enter;exit],brute[defend;freeze.front]"
)


def example(name: str) -> State:
    return engines.load_game("arborius").new_initial_state(EXAMPLES[name])


def test_the_standard_game_starts_as_the_page_shows() -> None:
    """The observation of the start is the one of section 8, and every seed's setup is it."""
    game = engines.load_game("arborius")
    line = (
        f"turn=0 phase=turn actor=0 w={STARTER} b={STARTER} root=0,0:w0N|1,1:b0S "
        "dead=- used=- hit=- run=- offer=- give=- result=-"
    )
    assert game.setup(7) == game.setup(8) == line
    assert {game.new_initial_state().observation(viewer) for viewer in (None, 0, 1)} == {line}


def test_example_a_five_turns_of_basic_actions() -> None:
    """White's published five turns are legal, with the counts on the way, and end as shown."""
    state = example("A")
    white = ["unplay:w0", "play:w0:root:0,0:E", "enter:w2:1:0,0", "move:w0:1", "attack:w0:b0"]
    black = ["play:b2:root:2,-2:N", "unplay:b2", "play:b2:root:2,-2:N", "unplay:b2"]
    counts = []
    for number in range(9):
        counts.append(len(legal(state)))
        state = play(state, (white if number % 2 == 0 else black)[number // 2])
    assert counts == [3, 11, 9, 6, 7, 11, 7, 6, 8]
    assert state.observation(None) == (
        "turn=9 phase=turn actor=1 w=circle,square,square b=triangle,square,square "
        "root=1,0:w1N+w0E|2,-1:b1S w0=0,0:w2N dead=b0 used=- hit=- run=- offer=- give=- result=-"
    )
    assert [event.text for event in state.events()] == ["dead b0", "turn 9 1"]


def test_example_b_the_chain_of_the_sorceress() -> None:
    """The Sorceress's turn is legal because of its chain, and runs and ends as shown."""
    state = example("B")
    assert "use:w0:w0" in legal(state)
    state = after(state, "use:w0:w0", can=["unplay:w0"])
    # the mask faces b0 at its own height, so the horse must go first, and must be chained
    state = after(state, "unplay:w0", can=["descend:w1:1"])
    run, offer = "w0/w0/1/root/0,0/N/w1", "w1/root/-2,0/W/w1"
    state = after(state, "descend:w1:1", can=["chain:w1:w1"], run=run, offer=offer)
    state = after(state, "chain:w1:w1", run=f"{run}|w1/w1/1/root/-2,0/W/-")
    assert "rotate:w2:L" in legal(state)
    state = after(state, "rotate:w2:L", "chain:w2:w2", "attack:w2:b1", can=["descend:w2:1"])
    assert [event.text for event in state.events()] == ["dead b1"]
    state = play(state, "descend:w2:1")
    assert state.observation(None) == (
        "turn=1 phase=turn actor=1 w=sorceress[unplay;descend.adj2],horse[descend;rotate.adj1],"
        "mask[rotate.stack;attack],square,square,square b=circle,soldier[ascend;rotate] "
        "root=-2,0:w1W|-1,0:w3N|-1,1:w4N|-1,2:w2N|0,1:b0W w2=0,0:w5N dead=b1 "
        "used=- hit=- run=- offer=- give=- result=-"
    )


def test_example_c_gift_and_defence() -> None:
    """The owner of a surviving tile chooses the gift, then may defend or pass."""
    state = example("C")
    assert len(legal(state)) == 22
    gifts = ["give:b0:0,0", "give:b0:0,1"]
    state = after(state, "attack:w0:b0", can=gifts, actor="0", give="w0/b0/1", hit="b0")
    assert state.players_to_act() == (1,)
    state = after(state, "give:b0:0,0", can=["pass", "use:b0:b0"], phase="defend")
    assert "|0,0:" not in field(state, "root")
    assert field(state, "root").startswith("0,0:b1N+w1N+w0E|")
    passed = after(state, "pass", hit="-")
    assert passed.observation(None).startswith("turn=1 phase=turn actor=1 ")
    frozen = after(state, "use:b0:b0", can=["freeze:w0"], run="b0/b0/1/root/1,0/W/-")
    over = play(frozen, "freeze:w0")
    assert field(over, "root").startswith("0,0:b1N+w1N+w0E*|")
    assert over.observation(None).startswith("turn=1 phase=turn actor=1 ")


def test_example_c_costs_must_be_paid() -> None:
    """The penitent, covered and frozen, still attacks two different neighbours, an own one too."""
    state = after(example("C"), "use:w2:w2", can=["reorder:w2:1:1"])
    state = after(state, "reorder:w2:1:1", can=["freeze:w2"])
    state = after(state, "freeze:w2", can=["attack:w2:b0", "attack:w2:w3"])
    state = after(state, "attack:w2:w3", can=["attack:w2:b0"], dead="w3")
    state = play(state, "attack:w2:b0", "give:b0:0,0")
    assert field(state, "root").startswith("0,0:w1N+w0E|0,1:b1N+w4N+w2E*+w5N|")


def test_examples_d_e_f_have_their_counts() -> None:
    """The shipped decks give as many first actions as the page says."""
    for deck, count in {"starter": 38, "plain": 18, "tiny": 14}.items():
        assert len(legal(engines.load_game(f"arborius(deck={deck})").new_initial_state())) == count


def test_example_g_opponents_gifts_are_adverse() -> None:
    """Were the stack of two given, the ascend could not follow: the hunter may not begin."""
    state = example("G")
    assert len(legal(state)) == 23
    assert "use:w0:w0" not in legal(state)


def test_example_h_own_gifts_are_chosen() -> None:
    """One's own gift that leaves the ascend possible is enough, and is then the only one."""
    state = after(example("H"), "use:w0:w0", "attack:w0:w6", can=["give:w6:0,0"], hit="-")
    assert state.players_to_act() == (0,)
    state = after(state, "give:w6:0,0", can=["ascend:w2:1"])
    assert field(state, "root").startswith("-1,0:w3N+w4N+w2E|0,0:b1N+w1N+w0N|")


def test_example_k_a_basic_play_starts_a_chain() -> None:
    """A tile whose ability begins with play may chain it when it is played, or let it be."""
    shown = {"run": "-", "offer": "w2/root/-1,0/E/w2", "used": "-"}
    chains = ["chain:w2:w2", "end"]
    state = after(example("K"), "play:w2:root:-1,0:E", can=chains, **shown)
    ended = after(state, "end", offer="-")
    assert ended.observation(None).startswith("turn=1 phase=turn actor=1 ")
    chained = after(state, "chain:w2:w2", run="w2/w2/1/root/-1,0/E/-", used="w2")
    assert "play:w1:root:-2,0:E" in legal(chained)


def test_example_k_an_offer_without_a_legal_chain_ends_the_turn() -> None:
    """The herald on the ground cannot reorder, so its play is the whole turn."""
    state = after(example("K"), "play:w1:root:-1,0:E", offer="-")
    assert state.observation(None).startswith("turn=1 phase=turn actor=1 ")


def test_example_k_played_on_top_the_herald_chains() -> None:
    """On another tile it reorders itself below, and a tile is played facing it all the same."""
    state = after(example("K"), "play:w1:root:0,-1:N", "chain:w1:w1", can=["reorder:w1:1:0"])
    state = play(state, "reorder:w1:1:0")
    assert field(state, "root").startswith("0,-1:w1N+w3N|")
    assert "play:w2:root:-1,-1:E" in legal(state)
    assert "play:w2:root:0,0:S" in legal(state)  # onto the own w0
