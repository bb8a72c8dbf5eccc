"""``arena verify``: check recorded matches by the rules, or rate them all again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.terminal.output import print_json
from arena.values.untrusted import show
from arena.values.words import count

if TYPE_CHECKING:
    from arena.ratings.recount import Recount

SHOWN = 10  # ids of matches that are named in one line


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
        print_json({"verified": verified, "rows": wrong, "tournaments": tournaments})
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
            rows.append(_row(label, game, found))
            if not as_json:
                for line in _lines(show(label if game is None else f"{label}, {game}"), found):
                    click.echo(line)
    if as_json:
        print_json({"rows": rows})
    return 1 if any(row["differences"] for row in rows) else 0


def _row(tournament: str, game: str | None, found: Recount) -> dict[str, Any]:
    differences = []
    for one in found.differences:
        (mu, sigma), (package_mu, package_sigma) = one.rating, one.package
        package = {"package_mu": package_mu, "package_sigma": package_sigma}
        differences.append({"bot": one.name, "mu": mu, "sigma": sigma, **package})
    row = {"tournament": tournament, "game": game, "matches": found.matches}
    more = {"first": found.first, "beyond": list(found.beyond)}
    return {**row, "differences": differences, **more}


def _lines(where: str, found: Recount) -> list[str]:
    lines = [
        f"{where}: {show(one.name)} has mu {one.rating.mu:.6f} and sigma "
        f"{one.rating.sigma:.6f}; the trueskill package gives {one.package.mu:.6f} and "
        f"{one.package.sigma:.6f}"
        for one in found.differences
    ]
    if lines and found.first is not None:
        lines.append(f"{where}: the first match after which they differ is {found.first}")
    elif lines:
        lines.append(f"{where}: the table was kept with other ratings than its matches give now")
    if found.beyond:
        named = ", ".join(found.beyond[:SHOWN]) + (", …" if len(found.beyond) > SHOWN else "")
        lines.append(
            f"{where}: too unlikely for the package, and computed by the arena's own formulas: "
            f"{named}"
        )
    wrong = len(found.differences)
    again = f"{count(found.matches, 'match')} rated again by the trueskill package"
    lines.append(f"{where}: {again}: " + (f"{wrong} ratings differ" if wrong else "all right"))
    return lines
