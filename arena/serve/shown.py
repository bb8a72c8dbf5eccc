"""What a page of a match with people shows: values for its script, from what its link may know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from arena.record.record import parse_record
from arena.record.replay import replay_states
from arena.report.match_text import ending
from arena.serve.sights import WATCH, SeenStep
from arena.serve.web_match import Grant, WebMatch
from arena.values.model import Record
from arena.values.untrusted import show
from engines.core.drawing import STYLE, named

PERSON, NOBODY = "person", "open seat"
MOST_WORDS = 1000  # legal actions that are put into words
MOST_DETAIL = 300  # characters of why a bot has ended a match
_YOU_DO = {"has": "have", "is": "are", "was": "were", "does": "do"}


def shown_state(match: WebMatch, grant: Grant, wanted: int | None) -> dict[str, Any]:
    """Return what a page shows now.

    Args:
        match: the match.
        grant: what the page's link allows.
        wanted: the seat that is looked from, if several people share the page.
    """
    seats = match.seats_of(grant)
    asked = [seat for seat in seats if match.is_asked(seat)]
    names = names_for(match, seats)
    viewer = _viewer(match, seats, asked, wanted)
    sight = match.sights[viewer]
    state: dict[str, Any] = {
        "version": match.version,
        "run": match.run,
        "names": names,
        "seats": seats,
        "asked": asked,
        "undo": _undo(match, grant),
        "asks": _asks(match, names),
        "plays": bool(seats),
        "free": len(match.free),
        "covered": viewer == WATCH and bool(seats) and not _is_open(match),
        "seat": None if viewer == WATCH else viewer,
        "resigned": [names[seat] for seat in match.resigned],
        "steps": [_step(step, names) for step in sight.steps],
        "replayed": match.replayed,
        "decision": 0,
        "choices": [],
        "words": [],
    }
    if match.left is not None and not match.left.failed:
        record, go = parse_record(match.left.record), match.can_go_on
        over = _over(record, names, can_go_on=go and bool(seats))
        last = len(sight.steps) - 1  # hidden information stays hidden while the match can go on
        return state | over | (_picture(sight.draw(last, names)) if go else _last(record, names))
    if match.left is not None:
        state["over"] = {"said": f"The match has failed: {show(match.left.failed, 500)}"}
    if not sight.steps:
        return state
    if viewer in asked and sight.state is not None:
        view = match.views[viewer]
        few = view.legal[:MOST_WORDS]
        state |= {
            "decision": view.decision,
            "choices": [*view.legal],
            "words": [_order(sight.state.called(action), names) for action in few],
            "prompt": sentence("", sight.state.prompt(viewer, ()), names),
            "part": view.partial,
            "limit": view.limit_ms if match.terms.clock else None,  # else it is a day
        }
    elif _is_open(match) and sight.state is not None:
        state["acting"] = [names[player] for player in sight.state.players_to_act()]
    answered = None if viewer == WATCH else match.views[viewer].own
    last = len(sight.steps) - 1
    return state | _picture(sight.draw(last, names, state["choices"], answered))


def shown_position(match: WebMatch, grant: Grant, wanted: int | None, at: int) -> dict[str, Any]:
    """Return the picture of an earlier position; raises ``IndexError`` if there is none."""
    seats = match.seats_of(grant)
    asked = [seat for seat in seats if match.is_asked(seat)]
    sight = match.sights[_viewer(match, seats, asked, wanted)]
    sight.steps[at]
    return _picture(sight.draw(at, names_for(match, seats)))


def sentence(name: str, words: str, names: Sequence[str]) -> str:
    """Return what somebody does as a sentence.

    >>> sentence("you", "takes 2b and discards {1}'s", ["you", "oak"])
    "You take 2b and discard oak's"
    >>> sentence("", "{0} has 2 points", ["you", "oak"]), sentence("oak", "passes", [])
    ('You have 2 points', 'Oak passes')

    Args:
        name: who does it; empty: the words are a whole sentence.
        words: with ``{0}``, ``{1}`` for players.
        names: what they are called.
    """
    if name == "you":
        words = re.sub(r"(^| and )([a-z]+s)\b", lambda at: at[1] + _verb(at[2]), words)
    said = named(f"{name} {words}".strip(), names)
    said = re.sub(r"\byou (has|is|was|does)\b", lambda at: f"you {_YOU_DO[at[1]]}", said)
    return said[:1].upper() + said[1:]


def _order(words: str, names: Sequence[str]) -> str:
    """Return what somebody may do, as if it were said to them."""
    said = sentence("you", words, names).removeprefix("You ")
    return said[:1].upper() + said[1:]


def _verb(word: str) -> str:
    if word in _YOU_DO:
        return _YOU_DO[word]
    return word[:-2] if re.search("(ss|sh|ch|x)es$", word) else word[:-1]


def _viewer(match: WebMatch, seats: list[int], asked: list[int], wanted: int | None) -> int:
    """Return from which seat a page looks, or ``WATCH``.

    Where hands are hidden and several people share the page, each asks to see their own.
    """
    if wanted in seats:
        assert wanted is not None
        return wanted
    if seats and (len(seats) == 1 or _is_open(match)):
        return (asked or seats)[0]
    return WATCH


def _is_open(match: WebMatch) -> bool:
    """Return whether nothing is hidden, and everybody decides in turn."""
    kind = match.game.type
    return kind.information == "perfect" and kind.dynamics == "sequential"


def _step(step: SeenStep, names: Sequence[str]) -> dict[str, Any]:
    """Return what happened in a step: by whom, as the game spells it, and in sentences."""
    return {
        "acts": [[player, None if a is None else show(a)] for player, a in step.actions],
        "said": [
            sentence(names[player], words, names)
            for (player, _), words in zip(step.actions, step.said, strict=True)
        ],
        "told": [sentence("", told, names) for told in step.told],
    }


def _picture(picture: str) -> dict[str, Any]:
    """Return a picture without our style, which the page has; others are shown as an image."""
    ours = STYLE in picture
    return {"board": picture.replace(f"{STYLE}\n", "", 1) if ours else picture, "ours": ours}


def _last(record: Record, names: list[str]) -> dict[str, Any]:
    """Return the picture of the last position, in which nothing is hidden any more."""
    played = [*record.opening, *[(p, a) for p, a in record.actions if a is not None]]
    last = played[-1] if played else None
    return _picture(replay_states(record)[-1].draw(names=names, last=last))


def _over(record: Record, names: list[str], *, can_go_on: bool) -> dict[str, Any]:
    """Return how the match ended."""
    why = [f"{names[one.player]}: {show(one.detail, MOST_DETAIL)}" for one in record.faults]
    said = sentence("", ending(record, names), [])
    return {"over": {"said": said, "why": why, "page": True, "go": can_go_on}}


def names_for(match: WebMatch, own: list[int]) -> list[str]:
    """Return what to call those who play: the people of the page are ``you``, if it is one."""
    names = []
    for number, seat in enumerate(match.seats):
        if isinstance(seat, str):
            names.append(show(seat.rpartition("/")[2], 60))  # not where it is kept
        elif own == [number]:
            names.append("you")
        elif seat in match.free:
            names.append(NOBODY)
        elif match.called.get(seat):
            names.append(show(match.called[seat], 60))
        else:
            names.append(PERSON if len(match.people) == 1 else f"{PERSON} {seat + 1}")
    return names


def _undo(match: WebMatch, grant: Grant) -> str:
    """Return how the page stands to a decision that is to be taken back: ask, wait, or agree."""
    if match.asking is None or not grant.people:
        return ""
    return "wait" if match.asking in grant.people else "agree"


def _asks(match: WebMatch, names: Sequence[str]) -> str:
    """Return who asks to take a decision back, as a sentence; empty: nobody does."""
    if match.asking is None:
        return ""
    return sentence(names[match.seats.index(match.asking)], "asks to take a decision back.", [])
