"""Shell: whatever ``sh`` is on this machine."""

from __future__ import annotations

from arena.process.languages.interface import Language

LANGUAGE = Language(
    name="shell",
    suffixes=(".sh",),
    run=("{tool}", "{source}"),
    probe="echo ok\n",
    commands=("sh",),
    needs="a shell",
    install="dash",
)
