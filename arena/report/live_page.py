"""A tournament while it runs: how far it is, its table, and the matches that were played last."""

from __future__ import annotations

from collections.abc import Mapping

from arena.report.templates import render_page

__all__ = ["live_page"]

STYLE = """\
#bar { display: block; width: 100%; height: 14px; margin: 0 0 8px; accent-color: var(--p0) }
#state { font-weight: 600 }
.live { display: grid; gap: 16px; grid-template-columns: fit-content(50%) minmax(0, 1fr) }
.live > * { min-width: 0 }
.live table { width: 100% }
.live abbr { text-decoration: none }
.live .seat { display: inline-block }
.live .seat + .seat::before { content: "– " }
@media (max-width: 900px) {
  .live { grid-template-columns: minmax(0, 1fr) }
  .live .less { display: none }
  .live .seat { display: block }
}
tr.new td:first-child { box-shadow: inset 3px 0 var(--mark) }
"""


def live_page(label: str, data: Mapping[str, object], *, public: bool) -> str:
    """Return the page; its script asks for what is new.

    Args:
        label: what the tournament is called; empty: none was run yet.
        data: what is known now, as the page's script reads it.
        public: say that it is for everybody.
    """
    return render_page(
        "live.html",
        styles=[STYLE],
        scripts=["live.js"],
        data=data,
        asks=True,
        label=label,
        public=public,
    )
