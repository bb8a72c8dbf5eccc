"""What the commands say of themselves, as the rest of the site's page ``reference/cli.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from arena.cli.main import COMMANDS, arena

__all__ = ["commands", "contexts"]

WIDTH = 80
# every command has these: said once
COMMON = re.compile(r"^  (?:--home DIR|-h, --help) .*\n(?: {4,}.*\n)*", re.MULTILINE)


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


def commands() -> str:
    """Return a help page a command as Markdown, 80 columns wide."""
    parts = []
    for context in contexts():
        text = context.command.get_help(context) + "\n"
        if context.parent:
            text = COMMON.sub("", text).removesuffix("Options:\n")
        parts.append(f"\n## {context.command_path}\n\n```text\n{text.rstrip()}\n```\n")
    return "".join(parts)
