"""``arena matches``: list matches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.cli.output import home_option, json_option, print_rows

__all__ = ["command"]


@click.command("matches")
@click.argument("tournament", required=False)
@click.option("--bot", metavar="BOT", help="Only matches of this entrant or bot.")
@click.option("--by", metavar="CODE", help="Only matches that ended so: rules, time, crash …")
@click.option("--all", "merged", is_flag=True, help="Those of every tournament of this home.")
@json_option
@home_option
def command(
    tournament: str | None,
    bot: str | None,
    by: str | None,
    merged: bool,
    as_json: bool,
    home: Path,
) -> None:
    """List the matches of TOURNAMENT, or of the one run last, in schedule order.

    Those that count in no table are marked: of an entrant who is out, or past an early stop.

    \b
    Examples:
      arena matches
      arena matches quickstart --bot greedy --by time
    """
    from arena.errors import UsageError, near_miss
    from arena.model import Termination
    from arena.standings import choose
    from arena.store import open_store

    codes = [code.value for code in Termination]
    if by is not None and by not in codes:
        raise UsageError(f"--by {by}: expected one of {', '.join(codes)}{near_miss(by, codes)}")
    with open_store(home, create=False) as store:
        edition = None if merged else choose(store, tournament)
        rows: list[dict[str, Any]] = [
            {
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
            }
            for row in store.matches.list(None if edition is None else edition.id, bot=bot, by=by)
        ]
    label = None if edition is None else edition.label
    if not as_json:
        rows = [
            {
                "id": row["id"],
                "number": row["number"],
                "game": row["game"],
                "bots": " - ".join(map(str, row["bots"])),
                "ranks": " ".join(map(str, row["ranks"])),
                "by": row["by"] if row["counted"] else f"{row['by']}, not counted",
            }
            for row in rows
        ]
    print_rows(rows, as_json=as_json, nothing="No match fits.", tournament=label)
