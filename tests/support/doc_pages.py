"""The pages of the project as tests read them: prose, fenced blocks, commands, links.

A page says in its own words what becomes of a block: "Save this as `oak.c`:" above it, or "Save it
as `oak.c`" below, makes it that file. An HTML comment right above a block is its mark: ``output``
for what the commands before it print at the end, ``not run: WHY`` for what no test can run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

ROOT = Path(__file__).parent.parent.parent

LANGUAGES = {
    ".awk": "awk",
    ".c": "c",
    ".csv": "text",
    ".decks": "text",
    ".js": "javascript",
    ".md": "markdown",
    ".py": "python",
    ".sbatch": "sh",
    ".sh": "sh",
    ".yaml": "yaml",
}

_FENCE = re.compile(r"( *)(`{3,}|~{3,})([a-z]*)\s*")
_MARK = re.compile(r"<!-- (.*) -->")
_SAVED = re.compile(r"\b[Ss]ave (?:it|this|the program) as `([^`]+)`")
_EXITS = re.compile(r"\s+# exits (\d+)$")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_SHOWN = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, text, mark, and the number of its first line.

    ``file`` is the name it is saved under, ``""`` if the page does not say so.
    """

    language: str
    text: str
    line: int
    mark: str = ""
    file: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line as shown, the exit code it must have, and its output if that is shown."""

    text: str
    code: int = 0
    output: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page: ``prose`` is its text without the blocks, on one line a paragraph."""

    path: Path
    blocks: tuple[Block, ...]
    prose: str

    def links(self) -> tuple[str, ...]:
        """Return where its links lead to, as written."""
        return tuple(_LINK.findall(self.prose))

    def shown(self) -> tuple[str, ...]:
        """Return what stands between backticks in running text."""
        return tuple(_SHOWN.findall(self.prose))


def all_pages() -> tuple[Path, ...]:
    """Return the pages that a reader is led through, relative to the project."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bots" / "README.md"]
    found += sorted((ROOT / "docs").rglob("*.md"))
    return tuple(path.relative_to(ROOT) for path in found)


def read_page(path: Path) -> Page:
    """Read a page, ``path`` relative to the project."""
    text = (ROOT / path).read_text(encoding="utf-8")
    blocks: list[Block] = []
    between: list[list[str]] = [[]]  # the prose before each block, and after the last one
    lines = iter(enumerate(text.splitlines(), start=1))
    for number, line in lines:
        fence = _FENCE.fullmatch(line)
        if fence is None:
            between[-1].append(line)
            continue
        indent, ticks, language = fence.groups()
        inside = []
        for _, inner in lines:
            if inner.strip() == ticks:
                break
            inside.append(inner.removeprefix(indent))
        else:
            raise AssertionError(f"{path}:{number}: this block has no end")
        last = next((line for line in reversed(between[-1]) if line.strip()), "")
        mark = _MARK.fullmatch(last.strip())
        content = "".join(f"{inner}\n" for inner in inside)
        blocks.append(Block(language, content, number + 1, mark.group(1) if mark else ""))
        between.append([])
    prose = [_joined(part) for part in between]
    return Page(
        path=path,
        blocks=tuple(_saved(blocks, prose)),
        prose="\n\n".join(prose),
    )


def commands(block: Block) -> Iterator[Command]:
    """Yield the command lines of a block of ``sh`` or ``console``.

    In a console, commands stand behind ``$`` and what they print stands below them.
    """
    if block.language == "console":
        shown = [part.partition("\n") for part in re.split(r"(?m)^\$ ", block.text)[1:]]
    else:
        lines = block.text.replace("\\\n", "").splitlines()
        shown = [(line, "", "") for line in lines if line.strip() and not line.startswith("#")]
    for line, _, output in shown:
        exits = _EXITS.search(line)
        yield Command(_EXITS.sub("", line), int(exits[1]) if exits else 0, output or None)


def _joined(lines: list[str]) -> str:
    """Put each paragraph on one line."""
    paragraphs = re.split(r"\n\s*\n", "\n".join(lines))
    return "\n\n".join(re.sub(r"\s*\n\s*", " ", part).strip() for part in paragraphs)


def _saved(blocks: list[Block], prose: list[str]) -> Iterator[Block]:
    """Give the blocks the names under which the prose around them saves them."""
    names: dict[int, str] = {}
    for place, text in enumerate(prose):
        text = re.sub(r"\s*<!-- .* -->$", "", text)
        for name in _SAVED.findall(text):
            language = LANGUAGES[PurePath(name).suffix]
            near = [place, place - 1] if text.endswith(":") else [place - 1]
            fitting = [i for i in near if 0 <= i < len(blocks) and blocks[i].language == language]
            assert fitting, f'no {language} block beside "save … as {name}"'
            names[fitting[0]] = name
    for place, block in enumerate(blocks):
        yield Block(block.language, block.text, block.line, block.mark, names.get(place, ""))
