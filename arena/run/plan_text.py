"""A run that is only planned, as text for a person."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from arena.values.untrusted import show
from arena.values.words import count, duration

if TYPE_CHECKING:
    from arena.run.dry_run import DryRun, PlannedBot

INDENT = 12
SHOWN = 500  # characters of a text


def plan_text(found: DryRun) -> str:
    """Return what a run would do: a line a subject, none of them above 80 columns."""
    lines = {
        "tournament": f"{show(found.tournament)}, {'begins' if found.begins else 'goes on'}",
        "games": f"{', '.join(map(show, found.games))}, {show(found.format)}",
        "bots": ", ".join([_bot(bot) for bot in found.bots]),
        "out": _out(found),
        "matches": _matches(found),
        "played": f"{found.played:,}",
        "left": f"{found.left:,}",
        "isolation": found.sandbox,
        "workers": str(found.workers),
        "seed": "drawn" if found.secret else "as given",
        "time": _time(found),
    }
    lay = textwrap.TextWrapper(80, subsequent_indent=" " * INDENT, break_on_hyphens=False)
    return "\n".join(lay.fill(f"{name:<{INDENT}}{text}") for name, text in lines.items() if text)


def plan_remarks(found: DryRun) -> list[str]:
    """Return what else a person is to know: which bots failed, and whether somebody runs it."""
    remarks = []
    for bot in found.failed:
        detail = show(bot.detail, SHOWN)
        of = f"in {bot.matches} of {found.tried}" if found.tried > 1 else "in the match"
        remarks.append(f"{show(bot.name)} failed {of} that were tried, {bot.code}: {detail}")
        remarks.append(f"to see why: {show(bot.check, SHOWN)}")
    if found.pid is not None:
        remarks.append(f"process {found.pid} runs this tournament now")
    return [*remarks, "nothing was stored; run it without --dry-run to play"]


def _bot(bot: PlannedBot) -> str:
    """Return an entrant's name, with the program it is if that is another."""
    program = f"{bot.bot}@{bot.version}" if bot.version else bot.origin
    if bot.name == program:
        return show(program)
    return f"{show(bot.name)} ({show(program)}{', bundled' if bot.origin == 'bundled' else ''})"


def _out(found: DryRun) -> str:
    names, rest = ", ".join(map(show, found.out)), found.matches - found.played - found.left
    skipped = f"{count(rest, 'match')} of entrants who are out will not be played"
    return f"{names}; {skipped}" if found.out and rest > 0 and found.most is None else names


def _matches(found: DryRun) -> str:
    text = f"{found.matches:,}"
    if found.blocks and found.pairings and found.matches:
        text += f", of {count(found.pairings, 'pairing')} in {count(found.blocks, 'block')}"
    if found.most is None:
        return text
    if found.most == found.matches:
        return f"at most {text}"
    return f"{text}, as far as it is planned; at most {found.most:,}"


def _time(found: DryRun) -> str:
    if not found.left:
        return "nothing is left to play"
    if found.match_s is None:
        return "not known: no match ended within the time for trying"
    of = f"{duration(found.match_s)} a match, measured on {count(found.tried, 'match')}"
    return of if found.left_s is None else f"about {duration(found.left_s)}: {of}"
