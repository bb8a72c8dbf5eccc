"""``arena verify``: check recorded matches by the rules, or rate them all again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.terminal.output import print_rows
from arena.values.untrusted import show
from arena.values.words import count

if TYPE_CHECKING:
    from arena.ratings.recount import RatingDifference, Recount


@click.command("verify", cls=options.Command)
@click.argument("matches", nargs=-1, metavar="[MATCH…]")
@options.flag("--leaks", help="Also look for hidden information in what bots were sent.")
@options.flag(
    "--ratings", help="Instead rate all matches of TOURNAMENT again, with the trueskill package."
)
@options.exclusive("--ratings", "--leaks", why="--ratings looks at no match")
def command(matches: tuple[str, ...], leaks: bool, ratings: bool, as_json: bool, home: Path) -> int:
    """Check matches by the rules: their results, and what bots were sent.

    MATCH is an id, a record file, or the name of a tournament (NAME or NAME#2), which stands for
    all its matches. Without MATCH, every match of the home is checked.

    A stored match is also compared with its tournament: the seeds, the deal, and what tables are
    made from. A record that is damaged in the store differs, and so does a file in which SQLite
    finds damage. If a tournament of the home is not complete, a line names it and what is missing.
    With --leaks every question is made again from positions that differ only in what the player
    cannot see, and must be the same.

    With --ratings no match is checked: the ratings of TOURNAMENT (NAME or NAME#2), or of the
    tournament run last, are computed again with the trueskill package, and compared.

    The exit code is 1 if anything differs, 2 if a file is damaged, and 3 if the store cannot be
    read or lacks matches.

    \b
    Examples:
      arena verify
      arena verify 1ac9 match.json
      arena verify quickstart
      arena verify --leaks
      arena verify --ratings quickstart
    """
    from arena.bundle.frame import is_bundle

    for match in filter(is_bundle, matches):
        raise click.UsageError(f"{show(match)} is a bundle: expected arena bundle verify FILE")
    if ratings:
        return _verify_ratings(matches or (None,), as_json, home)
    return _verify(matches, leaks, as_json, home)


def _verify(matches: tuple[str, ...], leaks: bool, as_json: bool, home: Path) -> int:
    from arena.results.extent import extent_text, read_extents
    from arena.review.reproduction import verify_all

    verified = 0
    wrong = []
    for match, sentences in verify_all(matches, home, audit=leaks):
        verified += 1
        if sentences:
            wrong.append({"id": match, "differences": sentences})
            if not as_json:
                for sentence in sentences:
                    click.echo(f"{show(match)}: {show(sentence, 500)}")
    extents = [] if matches else read_extents(home)
    if as_json:
        tournaments = [extent._asdict() for extent in extents]
        print_rows(wrong, as_json=True, verified=verified, tournaments=tournaments)
    else:
        for extent in extents:
            if text := extent_text(extent):
                click.echo(f"{show(extent.tournament)}: {text}")
        result = f", {len(wrong)} differ" if wrong else ": all right"
        click.echo(f"{count(verified, 'match')} verified{result}")
    return 1 if wrong else 0


def _verify_ratings(tournaments: tuple[str | None, ...], as_json: bool, home: Path) -> int:
    from arena.results.standings import check_ratings

    rows: list[dict[str, Any]] = []
    for tournament in tournaments:
        for label, game, found in check_ratings(home, tournament):
            row = {"tournament": label, "game": game, "matches": found.matches}
            differences = [_difference(one) for one in found.differences]
            more = {"first": found.first, "beyond": found.beyond}
            rows.append({**row, "differences": differences, **more})
            if not as_json:
                _print_recount(show(label if game is None else f"{label}, {game}"), found)
    if as_json:
        print_rows(rows, as_json=True)
    return 1 if any(row["differences"] for row in rows) else 0


def _difference(one: RatingDifference) -> dict[str, Any]:
    package = {"package_mu": one.package.mu, "package_sigma": one.package.sigma}
    return {"bot": one.name, "mu": one.rating.mu, "sigma": one.rating.sigma, **package}


def _print_recount(where: str, found: Recount) -> None:
    rows = [_difference(one) for one in found.differences]
    print_rows([row | {key: f"{row[key]:.6f}" for key in row if key != "bot"} for row in rows])
    if found.differences:
        kept = "the table was kept with other ratings than its matches give now"
        first = f"the first match after which they differ is {found.first}"
        click.echo(f"{where}: {kept if found.first is None else first}")
    if found.beyond:
        many = count(len(found.beyond), "match")
        click.echo(f"{where}: too unlikely for the package, so by the arena's formulas: {many}")
    wrong = f"{len(found.differences)} ratings differ" if found.differences else "all right"
    again = f"{count(found.matches, 'match')} rated again by the trueskill package"
    click.echo(f"{where}: {again}: {wrong}")
