"""C: one source file, compiled."""

from __future__ import annotations

from arena.process.languages.interface import Language

LANGUAGE = Language(
    name="c",
    suffixes=(".c",),
    build=("{tool}", "-O2", "-o", "{program}", "{source}", "-lm"),
    run=("{program}",),
    probe='#include <stdio.h>\nint main(void) { puts("ok"); return 0; }\n',
    commands=("cc", "gcc", "clang"),
    needs="a C compiler",
    install="gcc",
)
