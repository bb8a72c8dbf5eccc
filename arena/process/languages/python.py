"""Python: runs on arena's own interpreter, so that a bot can import ``engines``."""

from __future__ import annotations

import sys

from arena.process.languages.interface import Language
from arena.sandbox.visible import plain_path

LANGUAGE = Language(
    name="python",
    suffixes=(".py",),
    run=("{tool}", "-u", "{source}"),  # -u: a forgotten flush does not cost the match
    probe='print("ok")\n',
    commands=("python3", "python"),
    needs="Python",
    install="python3",
    tool_path=plain_path(sys.executable),
)
