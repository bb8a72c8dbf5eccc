"""What the program says of itself, which the site shows at the end of some pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from arena.bots import new_game
from docs.generate.api_pages import described
from docs.generate.cli_page import commands

__all__ = ["REST"]


def made_by_init(like: str) -> str:
    """Return the rules and the engine of a game that ``arena init --game`` copies."""
    template = Path(new_game.__file__).parent / "game_template"
    rules, engine = [
        (template / name).read_text("utf-8") for name in (f"{like}_rules.txt", f"{like}.txt")
    ]
    shown = f"```markdown\n{rules}```\n\n## The engine\n\n```python\n{engine}```\n"
    return f"\n## The rules\n\n{shown}"


REST: Mapping[str, Callable[[], str]] = {
    "reference/cli.md": commands,
    "reference/python.md": lambda: described("arena"),
    "how-to/add-a-game-with-secrets.md": lambda: made_by_init("sealed"),
    "how-to/add-a-game-with-dice.md": lambda: made_by_init("dice"),
}
