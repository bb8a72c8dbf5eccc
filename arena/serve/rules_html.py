"""Rules and primers as HTML: the one door of markdown-it, which comes with the extra ``serve``."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from engines import EngineError, load_game
from engines.core.pages import primer_path, rules_page


@cache
def primer_html(game: str) -> str:
    """Return the primer of a game with its pictures; empty if the game brings none."""
    path = primer_path(load_game(game).name)
    return "" if path is None else _html(path.read_text(encoding="utf-8"), path.parent)


@cache
def rules_html(game: str) -> str:
    """Return the rules page of a game."""
    try:
        return _html(rules_page(load_game(game).name), None)
    except EngineError as error:
        return _html(str(error), None)


def _html(text: str, folder: Path | None) -> str:
    """Return Markdown as HTML with its pictures in it, and without links to pages elsewhere."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    for token in tokens:
        if token.children is not None:
            token.children = [
                _with_picture(child, folder)
                for child in token.children
                if child.type not in ("link_open", "link_close")
            ]
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    return html.replace("<pre>", '<pre tabindex="0">')  # the keyboard moves a wide one sideways


def _with_picture(token: Token, folder: Path | None) -> Token:
    source = token.attrs.get("src")
    if token.type == "image" and isinstance(source, str):
        path = None if folder is None else folder / source
        data = path.read_bytes() if path is not None and path.is_file() else b""
        token.attrs["src"] = f"data:image/svg+xml;base64,{base64.b64encode(data).decode()}"
    return token
