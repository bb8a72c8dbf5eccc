"""C++: one source file, compiled."""

from __future__ import annotations

from arena.process.languages.interface import Language

LANGUAGE = Language(
    name="cpp",
    suffixes=(".cpp", ".cc", ".cxx"),
    build=("{tool}", "-O2", "-std=c++17", "-o", "{program}", "{source}"),
    run=("{program}",),
    probe='#include <cstdio>\nint main() { std::puts("ok"); }\n',
    commands=("c++", "g++", "clang++"),
    needs="a C++ compiler",
    install="g++",
)
