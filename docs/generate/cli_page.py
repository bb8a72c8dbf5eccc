"""The reference page of the command line, made of what the commands say of themselves.

``python docs/generate/cli_page.py > docs/reference/cli.md`` writes it; ``tests/test_docs.py`` says
when it is stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from arena.cli.main import COMMANDS, arena

__all__ = ["contexts", "reference"]

WIDTH = 80
# every command has these: said once
COMMON = re.compile(r"^  (?:--home DIR|-h, --help) .*\n(?: {4,}.*\n)*", re.MULTILINE)

HEAD = """\
# The command line

Look up a command: what it says with `--help`. Every command also has `-h, --help`, and `--home DIR`
for the arena's home.

Results go to standard output, progress and messages to standard error.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | the answer is no: it differs, a check failed, not shown to be stronger |
| 2 | the command or a file is wrong; nothing was started |
| 3 | the arena failed |
| 130, 143, 129 | stopped by Ctrl-C, SIGTERM, a closed terminal; the same command continues |

A match is named by the beginning of its id, or by the path of a record file;
[bots](bots.md#naming-a-bot) and tournaments (`NAME#2`: the second edition) as in a tournament file.

`python docs/generate/cli_page.py > docs/reference/cli.md` writes this page.
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
        text = context.command.get_help(context) + "\n"
        if context.parent:
            text = COMMON.sub("", text).removesuffix("Options:\n")
        parts.append(f"\n## {context.command_path}\n\n```text\n{text.rstrip()}\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    click.echo(reference(), nl=False)
