"""Pages of HTML, each one file that needs nothing else: jinja2's one door.

All that a template puts out is text that hides nothing: control and invisible characters are made
visible by ``arena.values.untrusted.show``, then HTML is escaped. Only what is ``Markup`` stays as
it is, and that is never what a bot wrote. Below that lies a ``Content-Security-Policy``: a browser
runs no script and takes no style but those that are ours, by their hashes, and asks nobody for
anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from arena.values.untrusted import show
from engines.core.drawing import PALETTE

__all__ = ["Markup", "linked", "render_page", "render_part"]

LONG = 100  # characters of a text that is not kept to be shown again
# what would end the element around it, or is a line end to a script
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def render_page(
    template: str,
    *,
    styles: Sequence[str] = (),
    scripts: Sequence[str] = (),
    data: object = None,
    asks: bool = False,
    frames: bool = False,
    **values: object,
) -> str:
    """Return a page that holds all that it needs.

    Args:
        template: a file of ``templates/`` that extends ``page.html``.
        styles: rules of CSS besides those of all pages.
        scripts: files of ``static/``, in the order in which they run.
        data: what the scripts read, as JSON; they get it by ``JSON.parse``. All that bots wrote was
            made harmless by ``show`` before.
        asks: whether the scripts ask the page's own server for more, by ``news.js``.
        frames: whether another page of the same server is a part of it, and its pictures.
        values: what the template uses.
    """
    sheets = [_sheet(), *styles]
    programs = [_static(name) for name in (("news.js", *scripts) if asks else scripts)]
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src {_hashes(sheets)}",
            f"script-src {_hashes(programs)}",
            "img-src data: 'self'" if frames else "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            *(["connect-src 'self'"] if asks else []),
            *(["frame-src 'self'"] if frames else []),
        ]
    )
    return render_part(
        template,
        policy=policy,
        sheets=[Markup(sheet) for sheet in sheets],
        programs=[Markup(program) for program in programs],
        data=None if data is None else Markup(_json(data)),
        **values,
    )


def render_part(template: str, **values: object) -> Markup:
    """Return what a file of ``templates/`` makes of values."""
    return Markup(_environment().get_template(template).render(values))


def linked(files: Mapping[str, str], root: str = "") -> dict[str, Markup]:
    """Return names as links to their files, which are of our making and lie below ``root``."""
    return {
        name: Markup(f'<a href="{root}{file}">{harmless(name)}</a>') for name, file in files.items()
    }


@lru_cache(4096)  # a large report shows each name and result many thousand times
def harmless(text: str) -> Markup:
    """Return a text as HTML, with invisible characters made visible."""
    return escape(show(text, None))


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("arena.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_harmless,
    )


def _harmless(value: object) -> object:
    """Make visible what would be hidden in a text; jinja2 escapes the result."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return harmless(value) if len(value) < LONG else show(value, None)
    return value


@cache
def _static(name: str) -> str:
    return files("arena.report").joinpath("static", name).read_text(encoding="utf-8")


@cache
def _sheet() -> str:
    """Return the style of all pages: the palette of the boards, then the rules."""
    light, dark = (
        "".join(f"--{name}:{colours[scheme]};" for name, colours in PALETTE.items())
        for scheme in (0, 1)
    )
    return "\n".join(
        [
            f":root{{color-scheme:light dark;{light}}}",
            f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}",
            ":root[data-theme=light]{color-scheme:light}",
            f":root[data-theme=dark]{{color-scheme:dark;{dark}}}",
            _static("style.css"),
        ]
    )


def _hashes(texts: Sequence[str]) -> str:
    digests = (hashlib.sha256(text.encode()).digest() for text in texts)
    return " ".join(f"'sha256-{base64.b64encode(d).decode()}'" for d in digests) or "'none'"


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"), allow_nan=False).translate(_ESCAPED)
