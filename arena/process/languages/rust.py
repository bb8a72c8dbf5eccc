"""Rust: one source file, compiled."""

from __future__ import annotations

from arena.process.languages.interface import Language

LANGUAGE = Language(
    name="rust",
    suffixes=(".rs",),
    build=(
        "{tool}", "--edition=2021", "--crate-name=bot",  # a file's name may be no crate's
        "-O", "-o", "{program}", "{source}",
    ),
    run=("{program}",),
    probe='fn main() {\n    println!("ok");\n}\n',
    commands=("rustc",),
    needs="Rust",
    install="rustc",
)  # fmt: skip
