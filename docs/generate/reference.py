"""What the program says of itself, which the site shows at the end of some pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from docs.generate.api_pages import described
from docs.generate.cli_page import commands

__all__ = ["REST"]

REST: Mapping[str, Callable[[], str]] = {
    "reference/cli.md": commands,
    "reference/python.md": lambda: described("arena"),
}
