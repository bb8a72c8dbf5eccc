"""The setups of the examples in docs/rules/arborius.md, and a short way to write more."""

from __future__ import annotations

from support.engine_play import legal, play

from engines import State

_HUNTER = "hunter[attack;ascend.adj1],square,square,square,square,square,square"


def setup(root: str, w: str = "a", b: str = "a", **tokens: str) -> str:
    """Write a setup: the root, the tile lists, and any other token by its name.

    >>> setup("0,0:w0N", dead="b0").partition(" used=")[0]
    'turn=0 phase=turn actor=0 w=a b=a root=0,0:w0N dead=b0'
    """
    head = {key: tokens.pop(key, value) for key, value in _HEAD.items()}
    tail = {key: tokens.pop(key, "-") for key in _TAIL}
    boards = sorted(tokens.items(), key=lambda item: (item[0][0] == "b", int(item[0][1:])))
    words = [*head.items(), ("w", w), ("b", b), ("root", root), *boards, *tail.items()]
    return " ".join(f"{key}={value}" for key, value in words)


def field(state: State, key: str) -> str:
    """Return a token of a position by its name, ``absent`` if it has none of that name."""
    words = dict(word.split("=", 1) for word in state.observation(None).split(" "))
    return words.get(key, "absent")


def after(state: State, *actions: str, can: list[str] | None = None, **shown: str) -> State:
    """Play actions, which lead to these legal ones and to these fields of the observation."""
    state = play(state, *actions)
    assert can is None or legal(state) == can
    assert {key: field(state, key) for key in shown} == shown
    return state


_HEAD = {"turn": "0", "phase": "turn", "actor": "0"}
_TAIL = ("dead", "used", "hit", "run", "offer", "give", "result")

EXAMPLES = {
    "A": setup(
        "0,-1:w2N|1,0:w1N|1,1:w0N|2,-1:b1S|2,0:b0S",
        "circle,square,square",
        "triangle,square,square",
    ),
    "B": setup(
        "-1,0:w3N+w1W|-1,1:w4N+w2E|-1,2:b1S|0,0:w0N|0,1:b0W",
        "sorceress[unplay;descend.adj2],horse[descend;rotate.adj1],mask[rotate.stack;attack],"
        "square,square,square",
        "circle,soldier[ascend;rotate]",
        w2="0,0:w5N",
    ),
    "C": setup(
        "0,0:w1N+w0E|0,1:w4N+w5N+w2E|1,0:b0W|1,1:w3S|2,0:b4W",
        "circle,square,penitent[reorder;freeze;attack.adj2],vine[enter;exit],"
        "square,square,square,square",
        "brute[defend;freeze.front],square,square,square,circle",
        w0="0,0:w7N",
        w2="0,0:w6N",
        b0="0,0:b1N|0,1:b2N+b3N",
    ),
    "G": setup(
        "-1,0:w3N+w4N+w2E|0,0:w1N+w0N|0,1:b0S",
        _HUNTER,
        "square,square,square,square",
        w0="0,0:w5N",
        b0="0,0:b1N|0,1:b2N+b3N",
    ),
    "H": setup(
        "-1,0:w3N+w4N+w2E|0,0:w1N+w0N|0,1:w6S|0,2:b0S",
        _HUNTER,
        "square,square,square,square",
        w0="0,0:w5N",
        w6="0,0:b1N|0,1:b2N+b3N",
    ),
    "K": setup(
        "0,-1:w3N|0,0:w0N|1,1:b0S",
        "circle,herald[play;reorder;play],puppet[play;play],square",
        "circle",
    ),
}
