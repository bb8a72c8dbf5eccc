"""The pictures of the primers: positions of one whole game of each kind, drawn by the engines.

``python docs/generate/primer_pictures.py`` writes them into ``docs/pictures/primer``;
``tests/test_docs.py`` says when they are stale, and when a primer comments on another game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import engines

PICTURES = Path(__file__).parents[1] / "pictures" / "primer"
NAMES = ("Ann", "Ben")  # as the primers call the players


class FirstGame(NamedTuple):
    """The game that a primer comments on.

    Attributes:
        seed: of its setup.
        actions: all of them, separated by white space; those of a simultaneous node in the order
            of the players' indexes.
        pictures: what is drawn, by name: the position after so many actions.
    """

    seed: int
    actions: str
    pictures: Mapping[str, int]


GAMES = {
    "connect_four": FirstGame(0, "d d e d c b f", {"setup": 0, "turn": 2, "open": 5, "end": 7}),
    "leaves": FirstGame(
        3,
        "E3 S1-3 S2-3 E5-1 S3-4 W1-2 E5-1 E5-2 N4-5 S5-6 E4",
        {"setup": 0, "turn": 2, "middle": 4, "last": 10, "end": 11},
    ),
    "the_tree": FirstGame(
        2,
        "44@0:1 55@1:2 56@-1:2 27@-2:3 70@2:3 77@0:3 43@-3:4 40@3:4 42@4:5 32@5:6"
        " 46@2:5 15@-4:5 17@4:7 61@6:7 74@-3:6 66@1:6 25@-5:6 36@7:8 60@-2:7 41@-1:8",
        {"setup": 0, "turn": 2, "gap": 5, "last": 19, "end": 20},
    ),
    "treeblox": FirstGame(
        2,
        "L0.3.0 L2.3.0 L3.3.0 B1.0.0 B0.1.0 B3.1.0 L1.3.0 B1.0.1 B2.2.0 B1.1.0"
        " B1.1.1 B2.2.1 B2.3.1",
        {"setup": 0, "turn": 9, "first": 3, "last": 11, "end": 13},
    ),
    "arborius": FirstGame(
        0,
        "play:w1:root:0,1:S play:b1:root:1,2:S play:w2:root:0,2:S play:b2:root:2,1:W"
        " use:w2:w2 ascend:w2:1 rotate:w2:L move:b1:1 enter:w0:1:0,0 enter:b2:1:0,0 move:w2:1",
        {"setup": 0, "before": 4, "turn": 7, "last": 10, "end": 11},
    ),
    "build_your_arboretum": FirstGame(
        1,
        "first:0 bid:3b-1g-1g bid:2b-1b-1g start take:Q5 plant:P4:C3 take:R4 skip plant:V5:F3"
        " bid:1b-1b-1g-1b-1b-1g bid:1g-1b-1g start plant:P3:F4 take:W5 hire:Q5,R4 plant:P6:B3"
        " plant:Q5:E3 take:T2 take:W3 dig:R7:B2 bid:2b-2b-1b-1g bid:4b-1b-1b-1g start take:Q1"
        " take:S6 hire:Q1,S6,T2 take:T2 dig:R4:A3 take:S3 plant:Q1:E2 bid:2b-1b-1g-1g-1b-1b"
        " bid:1b-1b-1g-1g-1g-1g-1g take:Q4 take:R3 start skip plant:Q2:C2 dig:Q3:C1"
        " hire:W3,W5 bid:1g-1g-1b-1b-1b-1g bid:2b-1b-1b-1b-1b-1b take:Q8 dig:W3:A4 start"
        " plant:W1:B4 take:U1 take:U8 take:T8 hire:Q4,U8 skip bid:1g-1g-1g-1b-1g-1b-1b"
        " bid:1g-1b-1g-1b-1g-1g-1g plant:V2:E4 start take:W2 plant:R8:A2 plant:R6:F5"
        " plant:T1:A1 hire:T8 take:U4 plant:T8:D2 bid:1g-1b-1b-1b-1b-1b-1g-1g"
        " bid:2b-1g-1g-1b-1b-1g-1b start plant:T4:A5 plant:T3:C2 take:R5 skip take:U7"
        " hire:U4,U7 bid:1g-1b-1b-1g-1b-1g-1b-1g bid:2g-1g-1b-1b plant:P1:D4 plant:V6:F2"
        " start hire:R3,S3,T2,U1 take:T6 take:U1 take:W6 plant:W8:B1 take:S3"
        " bid:2g-1b-1b-1g-1b-1b-1b-1b-1b bid:2g-1b-1g-1b-1b-1b-1b-1b dig:T2:B5 plant:P7:F1"
        " take:P2 take:T7 take:V8 start plant:S4:D1 hire:Q8,U1,W2 take:Q8"
        " bid:3b-2b-1b-1b-1g-1g-1g bid:4b-4g-1g-1g take:P8 dig:U1:C3 hire:R5,T6,W6 start"
        " plant:U2:C4 take:R5 plant:S8:B3 take:T6 plant:S1:D2 bid:1g-1b-1b-1g-1g-1g"
        " bid:3g-3b-1g-1g start take:V1 plant:R1:C4 plant:P5:B4 skip dig:W4:C5",
        {"setup": 1, "turn": 3, "path": 16, "last": 103, "end": 111},
    ),
}


def positions(name: str) -> Iterator[engines.State]:
    """Yield the positions of a primer's game, from the setup to the end.

    Raises:
        IllegalAction: the game cannot be played like this.
    """
    game = engines.load_game(name)
    state = game.new_initial_state(game.setup(GAMES[name].seed))
    yield state
    for action in GAMES[name].actions.split():
        state = state.apply_action(state.players_to_act()[0], action)
        yield state


def drawn(name: str) -> Iterator[tuple[str, str]]:
    """Yield the file name and the text of each picture of a game; the last action is marked."""
    states = [*positions(name)]
    actions = GAMES[name].actions.split()
    for what, count in GAMES[name].pictures.items():
        last = (states[count - 1].players_to_act()[0], actions[count - 1]) if count else None
        yield f"{name}-{what}.svg", f"{states[count].draw(names=NAMES, last=last)}\n"


def main() -> None:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name in GAMES:
        for file, text in drawn(name):
            (PICTURES / file).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
