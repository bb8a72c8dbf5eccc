"""What a page of a match with people shows: values for its script, from what its link may know."""

from __future__ import annotations

from typing import Any

from arena.match.record import parse_record
from arena.play.seat_view import Seen
from arena.report.match_text import ending
from arena.serve.web_match import Grant, WebMatch
from arena.values.untrusted import show
from engines import GameType
from engines.core.drawing import STYLE

__all__ = ["shown_state"]

PERSON = "person"


def shown_state(match: WebMatch, grant: Grant, wanted: int | None) -> dict[str, Any]:
    """Return what a page shows now.

    Args:
        match: the match.
        grant: what the page's link allows.
        wanted: the seat that is looked from, if several people share the page.
    """
    seats = match.seats_of(grant)
    asked = [seat for seat in seats if match.views[seat].decision]
    open_game = _hides_nothing(match)
    state: dict[str, Any] = {
        "version": match.version,
        "names": _names(match, seats),
        "seats": seats,
        "asked": asked,
        "undo": _undo(match, grant),
    }
    if match.left is not None:
        state["over"] = _over(match)
    if wanted in seats:
        seat = wanted
    elif len(seats) == 1 or (seats and open_game):
        seat = (asked or seats)[0]
    elif not seats and open_game:
        seat = min(match.views)
    else:  # hidden hands: each person asks to see their own; who watches sees what all may see
        return state | {"log": _log(_public(match)), "board": ""}
    return state | _seat_state(match, seat, plays=seat in seats)


def _seat_state(match: WebMatch, seat: int, *, plays: bool) -> dict[str, Any]:
    view = match.views[seat]
    position = view.state()
    may = view.legal if plays and view.decision else ()
    picture = ""
    if position is not None:
        last = view.actions[-1] if view.actions else None
        picture = position.draw(
            seat,
            names=_names(match, [seat]),
            last=None if last is None else (last.player, last.action),
            choices=may,
        )
    ours = type(position).__module__.partition(".")[0] == "engines"
    return {
        "seat": seat if plays else None,
        "decision": view.decision if plays else 0,
        "board": picture.replace(f"{STYLE}\n", "", 1) if ours else picture,
        "ours": ours,
        "choices": [*may],
        "part": bool(may) and view.partial,
        "limit": view.limit_ms if may and match.terms.clock else None,  # else it is a day
        "log": _log(view.actions),
        "events": [show(text) for text in view.events] if plays else [],
        "refused": show(view.refused) if plays else "",
    }


def _names(match: WebMatch, own: list[int]) -> list[str]:
    """Return what to call those who play: the people of the page are ``you``, if it is one."""
    names = []
    for number, seat in enumerate(match.seats):
        if isinstance(seat, str):
            names.append(show(seat, 60))
        elif own == [number]:
            names.append("you")
        else:
            names.append(PERSON if len(match.people) == 1 else f"{PERSON} {seat + 1}")
    return names


def _log(actions: list[Seen]) -> list[list[int | str]]:
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


def _over(match: WebMatch) -> dict[str, Any]:
    assert match.left is not None
    if match.left.failed:
        return {"said": f"The match has failed: {show(match.left.failed, 500)}", "page": False}
    record = parse_record(match.left.record)
    scores = None if record.scores is None else [f"{score:g}" for score in record.scores]
    people = [number for number, seat in enumerate(match.seats) if isinstance(seat, int)]
    names = _names(match, people[:1] if len(people) == 1 else [])
    said = ending(record, names)
    return {"said": said[:1].upper() + said[1:], "page": True, "scores": scores}


def _hides_nothing(match: WebMatch) -> bool:
    game = next(iter(match.views.values())).game
    kind: GameType | None = None if game is None else game.type
    return kind is not None and kind.information == "perfect" and kind.dynamics == "sequential"
