"""What the commands share that answer a browser: where they listen, and people who play there."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import F, WholeNumber, text
from arena.terminal.result_file import result_file
from arena.terminal.streams import print_message

if TYPE_CHECKING:
    from arena.serve.web_process import Left, PlayTerms


def host_options(function: F) -> F:
    """Add ``--port`` and ``--host``."""
    function = text(
        "--host",
        "ADDRESS",
        "Address to listen on; 0.0.0.0 is all of this machine's.",
        default="127.0.0.1",
    )(function)
    return text(
        "--port",
        "N",
        "Port to listen on.",
        type=WholeNumber(0, 65535),
        default=0,
        show_default="any free one",
    )(function)


def print_address(address: str, *, ends: str = "it") -> None:
    """Print the address of a page, and what Ctrl-C ends."""
    click.echo(address)
    print_message(f"open this address in a browser; Ctrl-C ends {ends}")
    sys.stdout.flush()


def play_on_page(
    terms: PlayTerms, seed: int, host: str, port: int, record: Path | None, html: Path | None
) -> None:
    """Serve a match to people until Ctrl-C; each match that ends is written to the files."""
    from arena.serve.play_app import serve_match
    from arena.serve.server import listen

    listening = listen(host, port, public=False)
    number = serve_match(
        terms, seed, listening, begun=_print_addresses, ended=functools.partial(_keep, record, html)
    )
    os._exit(128 + number)  # a search for a hint would be waited for


def _print_addresses(addresses: Sequence[str]) -> None:
    first, *each, watch = addresses
    print_address(first, ends="the match")
    for person, address in enumerate(each, start=1):
        print_message(f"person {person} alone: {address}")
    print_message(f"to watch: {watch}")


def _keep(record: Path | None, html: Path | None, left: Left) -> None:
    if left.failed:
        print_message(f"the match has failed: {left.failed}")
        return
    from arena.record.record import parse_record
    from arena.report.match_text import match_summary
    from arena.values.errors import UsageError

    click.echo(match_summary(parse_record(left.record)), nl=False)
    sys.stdout.flush()
    for path, written in ((record, f"{left.record}\n"), (html, left.page)):
        if path is not None:
            try:
                with result_file(path) as file:
                    file.write(written)
            except (OSError, UsageError) as error:  # people may play on
                print_message(f"{path} is not written: {getattr(error, 'strerror', None) or error}")
