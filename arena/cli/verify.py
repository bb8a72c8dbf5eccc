"""``arena verify``: replay recorded matches through the rules."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.output import home_option, json_option

__all__ = ["command"]


@click.command("verify")
@click.argument("matches", nargs=-1, metavar="[MATCH…]")
@click.option("--leaks", is_flag=True, help="Also look for hidden things in what bots were sent.")
@json_option
@home_option
def command(matches: tuple[str, ...], leaks: bool, as_json: bool, home: Path) -> int:
    """Replay MATCHes, or every match of the home, and compare results and what bots were sent.

    With --leaks every question is asked again of positions that differ only in what the player
    cannot see; it must be the same. Exit code 1 if anything differs.

    \b
    Examples:
      arena verify
      arena verify 3038 match.json
      arena verify --leaks
    """
    import json

    from arena.archive import verify_all
    from arena.untrusted import show

    count = 0
    wrong = []
    for record, sentences in verify_all(matches, home, audit=leaks):
        count += 1
        if sentences:
            wrong.append({"id": record.id, "differences": sentences})
            if not as_json:
                for sentence in sentences:
                    click.echo(f"{show(record.id)}: {show(sentence, 500)}")
    if as_json:
        click.echo(json.dumps({"verified": count, "rows": wrong}))
    else:
        noun = "match" if count == 1 else "matches"
        click.echo(
            f"{count} {noun} verified, {len(wrong)} differ"
            if wrong
            else f"{count} {noun} verified: all right"
        )
    return 1 if wrong else 0
