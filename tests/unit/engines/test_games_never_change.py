"""A game is shared by all who load it, so nobody can change it."""

from __future__ import annotations

import copy
import pickle

import pytest

import engines


@pytest.mark.parametrize("name", engines.game_names())
def test_a_game_never_changes(name: str) -> None:
    """No attribute can be set again or taken away, no parameter changed; a copy is equal."""
    game = engines.load_game(name)
    for attribute in ("name", "title", "rules_version", "num_players", "parameters", "type"):
        with pytest.raises(AttributeError, match="a game never changes"):
            setattr(game, attribute, getattr(game, attribute))
    with pytest.raises(AttributeError, match="a game never changes"):
        del game.parameters
    with pytest.raises(TypeError):
        game.parameters["x"] = "y"  # type: ignore[index]
    assert engines.load_game(name) is game
    assert str(game) == name
    for other in (copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other == game
        assert hash(other) == hash(game)
        assert other.parameters == game.parameters
