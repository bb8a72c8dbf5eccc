"""The games of OpenSpiel as one game of the arena; skipped without the extra ``openspiel``."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from support.slowly import slowly

import engines
from engines.core.conformance import check_game
from engines.core.registry import game_names, look_again

pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
if "openspiel" not in game_names():  # its entry point comes with an installation
    pytest.skip("arena was installed before it had this game", allow_module_level=True)


def load(text: str) -> engines.Game:
    return engines.load_game(f"openspiel(game={text})")


@pytest.mark.parametrize(
    "game",
    [
        "tic_tac_toe",
        "hex,board_size=5",
        "kuhn_poker,players=3",
        "leduc_poker",
        "goofspiel,num_cards=4",
        "matching_pennies_3p",
        "pig",
        *slowly(["backgammon", "chess"]),
    ],
)
def test_it_keeps_its_promises(game: str) -> None:
    """In turn and at once, open and hidden, with chance before and during play."""
    check_game(f"openspiel(game={game})", seeds=range(2), plies=20, seconds=4)


def test_tic_tac_toe_has_the_known_numbers_of_games() -> None:
    """9, 9·8, 9·8·7 … as nobody has won before the fifth mark; 9!/4! less what was won by then."""
    state = load("tic_tac_toe").new_initial_state()
    assert [engines.perft(state, depth) for depth in range(1, 6)] == [9, 72, 504, 3024, 15120]


def test_payoffs_are_scores() -> None:
    """In Kuhn's poker who bets and is not called wins the ante of 1; with a call it is 2."""
    game = load("kuhn_poker")
    state = game.new_initial_state("2,0 - 7f:2")  # the king, the jack
    assert state.legal_actions(0) == ("Pass", "Bet")
    folded = state.apply_action(0, "Bet").apply_action(1, "Pass")
    called = state.apply_action(0, "Bet").apply_action(1, "Bet")
    assert (folded.scores(), called.scores()) == ((1.0, -1.0), (2.0, -2.0))
    assert called.ranks() == (1, 2)


def test_the_cards_of_others_are_not_seen() -> None:
    """With the king one cannot tell jack from queen, and a sample has each half the time."""
    game = load("kuhn_poker")
    jack, queen = (game.new_initial_state(f"2,{card} - 7f:2") for card in (0, 1))
    assert jack.observation(0) == queen.observation(0)
    assert jack.observation(1) != queen.observation(1)
    rng = random.Random(1)
    drawn = Counter(
        game.sample_state(jack.observation(0), 0, rng).observation(None)[2] for _ in range(200)
    )
    assert set(drawn) == {"0", "1"}
    assert min(drawn.values()) > 70


def test_dice_follow_from_the_deal_and_are_not_known() -> None:
    """The same deal rolls the same dice; two deals can look alike before the first roll."""
    game = load("pig")
    first, second = (game.new_initial_state(game.setup(seed)) for seed in (1, 2))
    assert first.observation(0) == second.observation(0)
    rolled = set()
    for seed in range(20):
        state = game.new_initial_state(game.setup(seed)).apply_action(0, "roll")
        assert state == game.new_initial_state(game.setup(seed)).apply_action(0, "roll")
        rolled.add(state.observation(0))
    assert len(rolled) > 3


def test_what_is_chosen_at_once_is_secret_until_all_have() -> None:
    """In goofspiel nobody sees the bid of another who was asked together with them."""
    game = load("goofspiel,num_cards=4,players=2,returns_type=total_points")
    state = game.new_initial_state()
    assert state.players_to_act() == (0, 1)
    one, other = (state.apply_action(0, bid) for bid in state.legal_actions(0)[:2])
    assert one.observation(1) == other.observation(1) == state.observation(1)
    assert one.players_to_act() == (1,)
    assert one.apply_action(1, one.legal_actions(1)[0]).players_to_act() == (0, 1)


def test_others_go_on_without_who_was_dropped() -> None:
    """Of three at Kuhn's poker one is dropped and ranks last: the two others end the game."""
    state = load("kuhn_poker,players=3").new_initial_state()
    first = state.players_to_act()[0]
    state = state.drop_player(first)
    while players := state.players_to_act():
        assert first not in players
        state = state.apply_action(players[0], state.legal_actions(players[0])[-1])
    assert state.ranks()[first] == 3
    assert state.ranks().count(3) == 1


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("chss", 'did you mean "?chess'),
        ("hex,bord_size=5", "board_size"),
        ("hex,board_size=many", "a number"),
        ("kuhn_poker,players=99", "OpenSpiel"),
        ("phantom_ttt", "hides things"),
        ("mfg_crowd_modelling", "OpenSpiel has no game|population"),
    ],
)
def test_unsupported_openspiel_game_is_refused(game: str, words: str) -> None:
    """A game of OpenSpiel that cannot be played is a ``BadParameter`` with the reason."""
    with pytest.raises(engines.BadParameter, match=words):
        load(game)


def test_the_name_leaves_defaults_out() -> None:
    """``board_size=11`` is what Hex has anyway."""
    assert str(load("hex,board_size=11")) == "openspiel"
    assert str(load("hex,board_size=5")) == "openspiel(board_size=5)"
    assert str(load("chess")) == "openspiel(game=chess)"


@pytest.mark.parametrize(
    "setup", ["0,0 -", "9999 -", "0 1=0", "0", "x -", "0 - -", "-,0 -", "00 -", "0+1 -"]
)
def test_invalid_setup_is_refused(setup: str) -> None:
    """A text that is no setup of tic-tac-toe is ``BadSetup``."""
    with pytest.raises(engines.BadSetup):
        load("tic_tac_toe").new_initial_state(setup)


def test_nobody_without_the_extra_is_bothered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without OpenSpiel the game is no broken plug-in, and who asks for it is told what to do."""
    import sys

    from engines.core.registry import broken_plugins

    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "arena.bridges.openspiel")
    look_again()
    try:
        assert broken_plugins() == ()
        assert "openspiel" not in game_names()
        with pytest.raises(engines.EngineError, match=r"tree-arena\[openspiel\].*'\.\[openspiel\]"):
            load("hex")
    finally:
        monkeypatch.undo()
        look_again()
