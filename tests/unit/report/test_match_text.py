"""The head of a match in text."""

from __future__ import annotations

from dataclasses import replace

from support import finished

from arena.report.match_text import ending


def test_ending_names_winner_and_score() -> None:
    """The end of a match is a sentence with the winner, the scores and the reason."""
    lost = finished.record(1, ["oak", "elm"], [2, 1])
    lost = replace(lost, scores=(4.0, 7.0))
    assert ending(lost, ["oak", "elm"]) == "elm won, 7–4: the rules ended the game."
    assert ending(lost, ["oak", "elm"], 1) == "You won, 7–4: the rules ended the game."
    assert ending(lost, ["oak", "elm"], 0) == "elm won, 7–4: the rules ended the game."
    drawn = replace(lost, ranks=(1, 1), scores=(0.0, 0.0))
    assert ending(drawn, ["oak", "elm"], 0) == "A draw: the rules ended the game."
    three = replace(
        lost, players=lost.players + lost.players[:1], ranks=(3, 1, 2), scores=(0, 2, 1)
    )
    said = ending(three, ["oak", "elm", "yew"])  # in the order of seats, as everywhere
    assert said.startswith("elm won, oak 0, elm 2, yew 1:")
