"""``arena bots``: the bundled and submitted bots, and which of them no longer plays."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import click

from arena.cli.options import Command, CommandGroup, flag
from arena.terminal.output import print_found, print_rows
from arena.terminal.streams import print_message
from arena.values.untrusted import show
from arena.values.words import count, listed

# room on a terminal
GIVE = (("hash", 8), ("games", 10), ("bot", 16), ("language", 6))


class _BotsGroup(CommandGroup):
    """A group in which what is no command is the name of a bot."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] in self.commands or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        return _history.name, _history, args


@click.group(
    "bots",
    cls=_BotsGroup,
    invoke_without_command=True,
    subcommand_metavar="[NAME | COMMAND [ARGS]…]",
)
@click.pass_context
def command(ctx: click.Context, as_json: bool, home: Path) -> None:
    """List the bundled, submitted and imported bots with their versions and states.

    With NAME or NAME@V, list the matches of that bot in all tournaments in the order of the
    schedule, and how its TrueSkill rating moved from match to match.

    \b
    Examples:
      arena bots
      arena bots greedy
      arena bots retire mine@1
      arena bots prune --dry-run
    """
    if ctx.invoked_subcommand is not None:
        if as_json and ctx.invoked_subcommand in ("retire", "restore"):
            ctx.fail(f"--json: {ctx.invoked_subcommand} prints no JSON")
        return
    from arena.bots.bundled import list_bots

    listed = [dataclasses.asdict(bot) for bot in list_bots(home)]
    rows: list[dict[str, Any]] = [{"bot": row.pop("name"), **row} for row in listed]
    for row in () if as_json else rows:
        row["games"] = row["games"] or "any"
        row["hash"] = row["hash"][:19]
    print_rows(rows, as_json=as_json, nothing="There are no bots.", give=GIVE)


@click.command("history", cls=Command)
@click.argument("bot", metavar="NAME[@V]")
def _history(bot: str, as_json: bool, home: Path) -> None:
    """List the matches of a bot, and its rating after each."""
    from arena.results.history import bot_history

    rows: list[dict[str, Any]] = []
    for step in bot_history(home, bot):
        match, rating = step.match, step.rating
        rows.append(
            {
                "id": match.id,
                "tournament": match.tournament,
                "number": match.number,
                "game": match.game,
                "bots": list(match.entrants) if as_json else " - ".join(match.entrants),
                "seat": step.seat,
                "rank": match.ranks[step.seat],
                "by": match.by,
                "mu": round(rating.mu, 6),
                "sigma": round(rating.sigma, 6),
                "score": round(rating.score, 6),
            }
        )
    print_rows(rows, as_json=as_json, nothing="It has played no match that counts.", bot=bot)


@command.command("retire", short_help="Take a submitted bot out of play.")
@click.argument("bot", metavar="NAME[@V]")
def retire(bot: str, home: Path) -> None:
    """Take a submitted bot, or one version of it, out of play; its matches stay.

    Tournaments that start from now on cannot select the bot. Those that have begun continue with
    it; the key without in their file takes it out. A version that is submitted again stays retired.
    If NAME is retired as a whole, arena submit accepts nothing under it until arena bots restore.

    \b
    Examples:
      arena bots retire mine
      arena bots retire mine@1
    """
    name, at, _ = bot.partition("@")
    for number in _set_retired(bot, home, retired=True):
        click.echo(f"{name} version {number} is retired")
    if not at:
        click.echo(f"nothing is accepted under this name until arena bots restore {name}")


@command.command("restore", short_help="Bring a retired bot back into play.")
@click.argument("bot", metavar="NAME[@V]")
def restore(bot: str, home: Path) -> None:
    """Bring a retired bot, or one version of it, back into play.

    \b
    Example:
      arena bots restore mine@1
    """
    restored = _set_retired(bot, home, retired=False)
    for number in restored:
        click.echo(f"{bot.partition('@')[0]} version {number} is restored")
    if not restored:
        print_message(f"{bot} is not retired")


@command.command("remove", short_help="Remove a submitted bot, and whose it is.")
@click.argument("bot", metavar="NAME")
@flag("-y", "--yes", help="Do not ask.")
def remove(bot: str, yes: bool, as_json: bool, home: Path) -> None:
    """Remove all versions of a submitted or imported bot, with its person and group.

    The removal cannot be undone; on a terminal you are asked first. It is refused while the bot is
    entered in a tournament that is not over, even if the bot is taken out there. Matches stay, with
    the bot's name, its hash, and what it wrote: arena verify and export work as before, and arena
    reproduce reports that the program is not here. A copy that another bot shares stays, and so
    does what backups and bundles contain. Built programs may stay in the user's cache until the
    cache makes room.

    \b
    Example:
      arena bots remove mine --yes
    """
    from arena.results.forget import forget_bot

    question = f"Forget all programs of {show(bot)}?"
    if not yes and sys.stdin.isatty() and not click.confirm(question, err=True):
        raise click.exceptions.Exit(1)
    gone = forget_bot(home, bot)
    versions = listed([str(number) for number in gone.versions])
    said = f"{show(bot)} version {versions}: forgotten, {count(gone.copies, 'program')} removed"
    kept = f"; content shared with {listed(gone.shared)} stays" if gone.shared else ""
    print_found(gone._asdict(), f"{said}{kept}", as_json=as_json)


@command.command("prune", short_help="Remove copies that nothing names any more.")
@flag("--dry-run", help="Only print what would be removed.")
def prune(dry_run: bool, as_json: bool, home: Path) -> None:
    """Remove the copies of bots that no submitted version and no tournament names.

    A run that is refused may leave such copies, and so may a command that is killed. Runs and
    submissions that begin meanwhile wait, and the copies that they use stay.

    \b
    Examples:
      arena bots prune --dry-run
      arena bots prune
    """
    from arena.process.leftovers import sweep
    from arena.results.prune import prune_bots

    if not dry_run:
        sweep(home)  # what a removal that was killed has left
    found = prune_bots(home, dry_run=dry_run)
    copies = f"{found.copies:,} {'copy' if found.copies == 1 else 'copies'}"
    size = f"{-(-found.bytes >> 20):,} MiB"
    text = f"{'would remove' if dry_run else 'removed'} {copies}, {size}"
    print_found({"dry_run": dry_run, **found._asdict()}, text, as_json=as_json)


def _set_retired(bot: str, home: Path, *, retired: bool) -> list[int]:
    """Retire or restore what is meant by ``NAME`` or ``NAME@V``; return its versions."""
    from arena.bots.find import parse_ref
    from arena.store import open_store
    from arena.store.waiting import patiently

    name, version = parse_ref(bot)
    with open_store(home, create=False, change=True) as store:
        return patiently(f'"{bot}"', store.bots.set_retired, name, version, retired=retired)
