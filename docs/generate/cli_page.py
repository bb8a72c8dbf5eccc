"""The reference page of the command line, made of what the commands say of themselves.

``python docs/generate/cli_page.py > docs/reference/cli.md`` writes it; ``tests/test_docs.py`` says
when it is stale.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from arena.cli.main import COMMANDS, arena

__all__ = ["contexts", "reference"]

WIDTH = 80

HEAD = """\
# The command line

What every command says with `--help`. This page is generated: change the commands and run
`python docs/generate/cli_page.py > docs/reference/cli.md`.

Results go to standard output, progress and messages to standard error. What went wrong is said in a
sentence, and the exit code tells what kind it was:

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | the answer is no: diverged, check failed, a record is wrong, not shown to be stronger |
| 2 | the command or a file is wrong; nothing was started |
| 3 | the arena failed |
| 130 | interrupted, 143 by SIGTERM, 129 by a closed terminal; the same command goes on |

A match is named by its id, by a beginning of it that no other match has, or by the path of a file
with its record. How bots are named is [a page of its own](bots.md); a tournament is named as in its
file, `NAME#2` is its second edition.
"""


def contexts() -> Iterator[click.Context]:
    """Yield the command ``arena``, then every command and its subcommands, in the order shown.

    ``command_path`` of each is what a user types, ``command`` what answers.
    """
    root = click.Context(
        arena,
        info_name="arena",
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        **arena.context_settings,
    )
    yield root
    for name in COMMANDS:
        command = arena.get_command(root, name)
        assert command is not None, f"{name} is listed but not there"
        context = click.Context(command, info_name=name, parent=root)
        yield context
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None
                if not found.hidden:
                    yield click.Context(found, info_name=inner, parent=context)


def reference() -> str:
    """Return the page as Markdown: a head, then a help page a command, 80 columns wide."""
    parts = [HEAD]
    for context in contexts():
        text = context.command.get_help(context)
        parts.append(f"\n## {context.command_path}\n\n```text\n{text}\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    click.echo(reference(), nl=False)
