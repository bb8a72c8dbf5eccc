"""``arena play``: one match between bots, which is not rated."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli import options
from arena.cli.web import host_options, play_on_page
from arena.terminal.result_file import result_file
from arena.terminal.streams import print_message, terminal_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from arena.match.referee import Referee
    from arena.values.model import Record


@click.command("play", cls=options.BotCommand)
@click.argument("words", nargs=-1, required=True, metavar="GAME BOT BOT…")
@options.natural("--seed", "S", "Seed of the deal and the bots.", show_default="random")
@options.clock_option
@options.memory_option
@options.text("--setup", "TEXT", "Start from this position or deal.")
@options.text("--from begun", "MATCH#N", "Without GAME: play on after N actions of MATCH.")
@options.sandbox_option()
@options.flag("-w", "--watch", help="Show every position as it is reached.")
@options.color_option
@options.file("--record", "FILE", "Write the record.")
@options.file("--html", "FILE", "Write a page to step through the match.")
@options.flag("--log", "logged", help="Show at the end what the bots wrote.")
@options.flag("--json", "as_json", help="Print the record.")
@options.flag("--web", help="Let people play on a page in the browser.")
@host_options
@options.exclusive("--setup", "--from")
@options.exclusive("--web", "--watch", "--log", "--json", "--ask")
@options.needs("--host --port", "--web")
@options.exclusive("--json", "--log", "--watch", why="--record FILE writes the record besides")
@options.ask_option
def command(
    words: tuple[str, ...],
    named: options.NamedBots,
    seed: int | None,
    setup: str | None,
    begun: str | None,
    watch: bool,
    color: bool,
    record: Path | None,
    html: Path | None,
    logged: bool,
    as_json: bool,
    web: bool,
    host: str,
    port: int,
    home: Path,
    **chosen: Any,
) -> None:
    """Play one match of GAME between BOTs; nothing is stored.

    A BOT is a name, NAME@VERSION, or a path, in quotes with arguments; or human: then you are asked
    here, and can type rules and hint. With --watch a person sees of each position what that player
    may see; several people see what all of them may see.

    With --web people play in a browser. The printed addresses are secret: there is one for all
    people at one page, one for each person alone, and one to watch. Ctrl-C ends the match.

    \b
    Examples:
      arena play leaves greedy random --seed 1 --watch
      arena play "leaves(tree=plus)" random my_bot.py
      arena play leaves greedy random --seed 1 --record match.json
      arena play leaves greedy random --html match.html
      arena play the_tree human random
      arena play leaves human greedy --web
      arena play --from 1ac9#4 greedy random
    """
    import secrets

    from arena.play.once import HUMAN, check_number, play_once
    from arena.record.record import format_record
    from engines import load_game

    if seed is None:
        seed = secrets.randbelow(1 << 32)
    game, bots, setup, opening = _begin(words, setup, begun, home)
    entries = named(bots)
    people = [seat for seat, entry in enumerate(entries) if entry.ref == HUMAN]
    shown = _watcher(people, color, all_of_it=watch) if watch or people else None
    if web:
        from arena.serve.web_process import PlayTerms

        if not people:
            raise click.UsageError("--web: expected human as one of the bots")
        check_number(load_game(game), len(bots), setup)
        seats = tuple(None if n in people else text for n, text in enumerate(bots))
        terms = PlayTerms(game, seats, home, setup=setup, opening=tuple(opening), **chosen)
        play_on_page(terms, seed, host, port, record, html)
    chosen.update(seed=seed, setup=setup, opening=opening, watch=shown, color=color)
    with result_file(record) as record_file, result_file(html) as page:
        result = play_once(game, entries, home, **chosen)
        text = format_record(result.record)
        record_file.write(text + "\n")
        if html is not None:
            from arena.site.match_page import page_of

            page.write(page_of(result))
    if as_json:
        click.echo(text)
        return
    from arena.report.match_text import ending, match_summary, names_of

    if people:
        you = people[0] if len(people) == 1 else None
        click.echo(f"\n{ending(result.record, names_of(result.record), you)}\n")
    click.echo(match_summary(result.record, color=color), nl=False, color=color)
    click.echo(f"  seed {seed}")
    _say_check(result.record, game, bots)
    if logged:
        from arena.cli.log import print_log
        from arena.review.log import log_of

        print_log(log_of(result))


def _say_check(record: Record, game: str, bots: Sequence[str]) -> None:
    """Say by which commands the author of a bot that was at fault finds out more."""
    for fault in record.faults:
        words = shlex.join(["arena", "check", bots[fault.player], game])
        seen = f"; to see how it came to that, play again with --seed {record.seed} --watch --log"
        print_message(f"how to fix it: {words}{seen if fault.decision > 1 else ''}")


def _begin(
    named: tuple[str, ...], setup: str | None, begun: str | None, home: Path
) -> tuple[str, tuple[str, ...], str | None, tuple[tuple[int, str], ...]]:
    """Return the game, the bots, and the setup and opening that the match begins with."""
    if begun is None:
        return named[0], named[1:], setup, ()
    from arena.review.branch import branch_at
    from engines import load_game

    branch = branch_at(begun, home)
    game = branch.game.partition("(")[0]
    if named[0].partition("(")[0] == game and len(named) > load_game(branch.game).num_players:
        raise click.UsageError(f"--from: the match has its game already; leave out {named[0]}")
    return branch.game, named, branch.setup, branch.actions


def _watcher(people: Sequence[int], color: bool, *, all_of_it: bool) -> Callable[[Referee], None]:
    """Return a function that prints what happened in a match since it was last called.

    Args:
        people: the seats of those who play at this terminal.
        color: whether it shows colours.
        all_of_it: print each position; otherwise only the one in which the match ended.
    """
    from arena.play.screen import fold
    from arena.report.watch_text import watch_text

    shown = 0

    def watch(referee: Referee) -> None:
        nonlocal shown
        state, actions = referee.course.state, referee.course.actions
        first, shown = shown, len(actions)
        # those who are asked now are shown the board, and what led there
        if set(people).isdisjoint(state.players_to_act()) if all_of_it else referee.over:
            names = [player.seat.entrant.name for player in referee.players]
            text = watch_text(state, actions[first:], first + 1, people, names, color=color)
            columns = terminal_columns() or max(map(len, text.split("\n")))
            click.echo(fold(text, columns), color=color)

    return watch
