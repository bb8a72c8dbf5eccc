"""What ``mkdocs build`` needs besides the pages in ``docs/``.

The pages of ``OUTSIDE`` are on the site below ``project/``. The pages of ``REST`` end with what
the program says of itself, which nobody has to keep twice. Links are written as a forge reads them,
by the places of files in the project, and lead to the same pages on the site.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))
from docs.generate.cli_page import pages as pages_of_commands  # noqa: E402
from docs.generate.reference import REST  # noqa: E402

OUTSIDE = (
    "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md",
    "bots/README.md", "tests/README.md", "tests/perft/README.md",
)  # fmt: skip
DECISIONS = "decisions/README.md"
# how much a word counts in a page: what lists every name has every word
BOOSTS = {
    "faq.md": 2,
    **dict.fromkeys(("reference/interface.md", "reference/python.md"), 0.1),
    **dict.fromkeys(pages_of_commands(), 0.5),
    **dict.fromkeys(("project/CHANGELOG.md", "install.md"), 0.3),
}
BLOCK = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
# a list right below a paragraph: a forge reads it as one, mkdocs needs a line in between
CLOSE_LIST = re.compile(r"^(?![#|>\s]|[-*] |\d+\. )(.+)\n(?=(?:[-*]|\d+\.) )", re.MULTILINE)
NESTED = re.compile(r"^ {2,3}(?=(?:[-*]|\d+\.) )", re.MULTILINE)  # mkdocs needs four spaces
LINK = re.compile(r"(?<=\]\()([^)\s#]+)(?=[)#])")


def on_files(files: Files, *, config: Any) -> Files:
    """Add the pages outside ``docs/``, those of commands, and an index of the decisions."""
    for name in OUTSIDE:
        files.append(File.generated(config, f"project/{name}", abs_src_path=str(ROOT / name)))
    for place, text in pages_of_commands().items():
        files.append(File.generated(config, place, content=text))
    if files.get_file_from_path(DECISIONS) is None:
        pages = sorted((ROOT / "docs/decisions").glob("*.md"))
        titles = [
            (page.name, page.read_text(encoding="utf-8").partition("\n")[0]) for page in pages
        ]
        lines = [f"- [{title.lstrip('# ')}]({name})" for name, title in titles]
        text = "\n".join(["# Decisions", "", *lines, ""])
        files.append(File.generated(config, DECISIONS, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Turn links between files of the project into links between pages of the site; part lists."""
    here = page.file.src_uri
    if here.startswith("decisions/"):  # notes for maintainers, which are no answers
        page.meta.setdefault("search", {"exclude": True})
    page.meta.setdefault("search", {"boost": BOOSTS.get(here, 1)})
    if here in REST:
        markdown += REST[here]()
    markdown = _with_picture(here, markdown)
    folder = posixpath.dirname(here.removeprefix("project/") if outside(here) else f"docs/{here}")

    def on_the_site(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, found[1]))
        if target == "docs/decisions":
            target += "/README.md"
        if target in OUTSIDE:
            place = f"project/{target}"
        elif target.startswith("docs/") and "://" not in found[1]:
            place = target.removeprefix("docs/")
        else:
            return found[1]
        return posixpath.relpath(place, posixpath.dirname(here) or ".")

    parts = BLOCK.split(LINK.sub(on_the_site, markdown))
    parts[::2] = [NESTED.sub("    ", CLOSE_LIST.sub(r"\1\n\n", part)) for part in parts[::2]]
    return "".join(parts)


def _with_picture(here: str, markdown: str) -> str:
    """Put the primer and a position of the game below the title of a page of rules."""
    game = here.removeprefix("rules/").removesuffix(".md").replace("-", "_")
    if here.count("/") != 1 or not (ROOT / f"docs/rules/primer/{game}.md").exists():
        return markdown
    title, _, rest = markdown.partition("\n")
    picture = f"![A turn](../pictures/primer/{game}-turn.svg)"
    return f"{title}\n\nNew to the game? Read [its primer](primer/{game}.md).\n\n{picture}\n{rest}"


def outside(place: str) -> bool:
    """Return whether a page of the site is one of ``OUTSIDE``."""
    return place.removeprefix("project/") in OUTSIDE and place.startswith("project/")
