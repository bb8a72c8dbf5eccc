"""What a page of a match with people shows: values for its script, from what its link may know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.play.seat_view import Seen
from arena.record.record import parse_record
from arena.record.replay import replay_states
from arena.report.match_text import ending
from arena.serve.web_match import Grant, WebMatch
from arena.values.model import Record
from arena.values.untrusted import show
from engines.core.drawing import STYLE

__all__ = ["shown_state"]

PERSON, NOBODY = "person", "open seat"


def shown_state(match: WebMatch, grant: Grant, wanted: int | None) -> dict[str, Any]:
    """Return what a page shows now.

    Args:
        match: the match.
        grant: what the page's link allows.
        wanted: the seat that is looked from, if several people share the page.
    """
    seats = match.seats_of(grant)
    asked = [seat for seat in seats if match.views[seat].decision]
    names = _names(match, seats)
    state: dict[str, Any] = {
        "version": match.version,
        "names": names,
        "seats": seats,
        "asked": asked,
        "undo": _undo(match, grant),
        "plays": bool(seats),
        "free": len(match.free),
    }
    if match.left is not None and not match.left.failed:
        return state | _end(parse_record(match.left.record), names)
    if match.left is not None:
        state["over"] = {"said": f"The match has failed: {show(match.left.failed, 500)}"}
    views = match.views
    if all(view.is_open for view in views.values()):  # everybody may know all that anybody knows
        seat = (asked or seats or [min(views)])[0]
        best = max(views, key=lambda each: len(views[each].known))
        return state | _board(match, seat if asked else best, names, plays=bool(seats))
    if wanted in seats:
        return state | _board(match, wanted, names, plays=True)
    if len(seats) == 1:
        return state | _board(match, seats[0], names, plays=True)
    # hidden hands: each person asks to see their own; who watches sees what all people know
    return state | {"log": _log(_public(match)), "board": "", "hidden": True}


def _board(match: WebMatch, seat: int, names: list[str], *, plays: bool) -> dict[str, Any]:
    """Return what a seat sees, and what it may choose if its person looks."""
    view = match.views[seat]
    position = view.state()
    may = view.legal if plays and view.decision else ()
    last = None
    if view.is_open and view.known:
        last = view.known[-1].player, view.known[-1].action
    elif view.actions:
        last = view.actions[-1].player, view.actions[-1].action
    picture = "" if position is None else position.draw(seat, names=names, last=last, choices=may)
    return _picture(picture) | {
        "seat": seat if plays else None,
        "decision": view.decision if plays else 0,
        "choices": [*may],
        "part": bool(may) and view.partial,
        "limit": view.limit_ms if may and match.terms.clock else None,  # else it is a day
        "log": _log(view.known),
        "events": [show(text) for text in view.events] if plays else [],
    }


def _picture(picture: str) -> dict[str, Any]:
    """Return a picture without our style, which the page has; others are shown as an image."""
    ours = STYLE in picture
    return {"board": picture.replace(f"{STYLE}\n", "", 1) if ours else picture, "ours": ours}


def _end(record: Record, names: list[str]) -> dict[str, Any]:
    """Return the last position, in which nothing is hidden any more, and how the match ended."""
    played = [*record.opening, *[(p, a) for p, a in record.actions if a is not None]]
    picture = replay_states(record)[-1].draw(names=names, last=played[-1] if played else None)
    said = ending(record, names)
    over = {"said": said[:1].upper() + said[1:], "page": True}
    return _picture(picture) | {
        "over": over,
        "log": _log([Seen(*action) for action in played]),
        "seat": None,
        "decision": 0,
        "choices": [],
    }


def _names(match: WebMatch, own: list[int]) -> list[str]:
    """Return what to call those who play: the people of the page are ``you``, if it is one."""
    names = []
    for number, seat in enumerate(match.seats):
        if isinstance(seat, str):
            names.append(show(seat, 60))
        elif own == [number]:
            names.append("you")
        elif seat in match.free:
            names.append(NOBODY)
        elif match.called.get(seat):
            names.append(show(match.called[seat], 60))
        else:
            names.append(PERSON if len(match.people) == 1 else f"{PERSON} {seat + 1}")
    return names


def _log(actions: Sequence[Seen]) -> list[list[int | str]]:
    return [[seen.player, show(seen.action)] for seen in actions]


def _public(match: WebMatch) -> list[Seen]:
    """Return the actions as all people know them: what they know differently is ``?``."""
    rows = zip(*(view.actions for view in match.views.values()), strict=False)
    return [row[0] if len(set(row)) == 1 else Seen(row[0].player, "?") for row in rows]


def _undo(match: WebMatch, grant: Grant) -> str:
    """Return how the page stands to a decision that is to be taken back: ask, wait, or agree."""
    if match.asking is None or not grant.people:
        return ""
    return "wait" if match.asking in grant.people else "agree"
