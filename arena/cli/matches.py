"""``arena matches``: list matches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import home_option, json_option, select_options, tournament_options
from arena.cli.output import print_rows

if TYPE_CHECKING:
    from arena.store.matches import MatchRow

__all__ = ["command"]


@click.command("matches")
@tournament_options("Those of several tournaments.")
@click.option("--bot", metavar="BOT", help="Only matches of this entrant or bot.")
@click.option("--by", metavar="CODE", help="Only matches that ended so: rules, time, crash …")
@click.option("--game", metavar="GAME", help="Only matches of this game.")
@click.option("--all", "merged", is_flag=True, help="Those of every tournament of this home.")
@select_options
@click.option(
    "--duplicates", is_flag=True, help="Only matches that repeat an earlier one, and which."
)
@json_option
@home_option
def command(
    tournament: str | None,
    by: str | None,
    duplicates: bool,
    as_json: bool,
    home: Path,
    **options: Any,
) -> None:
    """List the matches of TOURNAMENT, or of the one run last, in schedule order.

    Those that count in no table are marked: of an entrant who is out, or past an early stop.

    \b
    Examples:
      arena matches
      arena matches quickstart --bot greedy --by time
      arena matches --duplicates
      arena matches --since 2026-11-22 --json
    """
    from arena.standings import list_matches

    if by is not None:
        _check_code(by)
    label, found = list_matches(
        home, tournament, by=by, started=as_json, duplicates=duplicates, **options
    )
    rows = [_as_json(row) if as_json else _as_line(row) for row in found]
    if duplicates:
        for line, row in zip(rows, found, strict=True):
            line["repeats"] = row.repeats
    print_rows(rows, as_json=as_json, nothing="No match fits.", tournament=label)


def _check_code(by: str) -> None:
    from arena.errors import UsageError, near_miss
    from arena.model import Termination

    codes = [code.value for code in Termination]
    if by not in codes:
        raise UsageError(f"--by {by}: expected one of {', '.join(codes)}{near_miss(by, codes)}")


def _as_json(row: MatchRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "tournament": row.tournament,
        "number": row.number,
        "game": row.game,
        "block": row.block,
        "seating": row.seating,
        "bots": list(row.entrants),
        "ranks": list(row.ranks),
        "by": row.by,
        "faults": [{"player": seat, "code": code} for seat, code in row.faults],
        "counted": row.counted,
        "started": row.started,
    }


def _as_line(row: MatchRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "number": row.number,
        "game": row.game,
        "bots": " - ".join(row.entrants),
        "ranks": " ".join(map(str, row.ranks)),
        "by": row.by if row.counted else f"{row.by}, not counted",
    }
