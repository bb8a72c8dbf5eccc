"""``arena games``: which games there are, and the rules of one."""

from __future__ import annotations

import json

import click

from arena.cli.output import json_option, print_rows

__all__ = ["command"]


@click.command("games")
@click.argument("game", required=False)
@json_option
def command(game: str | None, as_json: bool) -> None:
    """The games and their parameters; with GAME its parameters and rules.

    \b
    Examples:
      arena games
      arena games leaves
    """
    import engines
    from engines.core.pages import rules_page
    from engines.core.registry import game_class

    def describe(name: str) -> dict[str, object]:
        cls = game_class(name)
        return {
            "name": name,
            "title": cls.title,
            "players": engines.load_game(name).num_players,
            "parameters": {
                p.name: [str(p.values[0]), str(p.values[-1])]
                if isinstance(p.values, range)
                else list(p.values or ())
                for p in cls.PARAMETERS
            },
            "rules_version": cls.rules_version,
        }

    if game is None:
        rows = [describe(name) for name in engines.game_names()]
        if not as_json:
            for row in rows:
                names = row["parameters"]
                assert isinstance(names, dict)
                row["parameters"] = ", ".join(names) or "-"
        print_rows(rows, as_json=as_json, nothing="There are no games.")
        return
    name = engines.load_game(game).name
    if as_json:
        click.echo(json.dumps({**describe(name), "rules": rules_page(name)}, indent=1))
        return
    cls = game_class(name)
    click.echo(f"{cls.title}: {name}\n")
    if cls.PARAMETERS:
        click.echo("Parameters (the default first):")
    for p in cls.PARAMETERS:
        if isinstance(p.values, range):
            values = f"{p.default_value()}; {p.values[0]} to {p.values[-1]}"
        else:
            values = ", ".join(p.values) if p.values else str(p.default_value())
        click.echo(f"  {p.name:<12} {values:<28} {p.meaning}")
    click.echo(f"\n{rules_page(name)}", nl=False)
