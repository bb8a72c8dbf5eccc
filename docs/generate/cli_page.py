"""What the commands say of themselves: a page of the site for each group of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

import click

from arena.cli.main import COMMANDS, GROUPS, arena

__all__ = ["contexts", "pages"]

WIDTH = 80
COMMON = re.compile(r"--home DIR|-h, --help")  # every command has these: said once


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


def pages() -> dict[str, str]:
    """Return a page of Markdown for each group of commands, by its place on the site."""
    found: dict[str, list[str]] = {}
    group_of = {name: group for group, names in GROUPS.items() for name in names}
    for context in contexts():
        if context.parent:
            group = group_of[context.command_path.split()[1]]
            found.setdefault(group, [f"# Commands: {group}\n"]).append(_command(context))
    return {f"reference/cli/{group.lower()}.md": "\n".join(text) for group, text in found.items()}


def _command(context: click.Context) -> str:
    """Return what a command says of itself: how it is called, what it does, its options."""
    usage = " ".join(context.command.get_usage(context).split()).removeprefix("Usage: ")
    parts = [f"## {context.command_path}\n", f"```text\n{usage}\n```\n"]
    for paragraph in inspect.cleandoc(context.command.help or "").split("\n\n"):
        if paragraph.startswith("\b\n"):  # it stands as it is
            parts.append(f"```text\n{paragraph[2:]}\n```\n")
        else:
            parts.append(paragraph.replace("<", "&lt;") + "\n")
    records = [param.get_help_record(context) for param in context.command.get_params(context)]
    options = [record for record in records if record and not COMMON.match(record[0])]
    if options:
        parts += ["| option | meaning |", "|---|---|"]
        parts += [f"| `{_cell(name)}` | {_cell(text)} |" for name, text in options]
    return "\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
