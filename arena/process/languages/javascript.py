"""JavaScript: runs on Node.js."""

from __future__ import annotations

from arena.process.languages.interface import Language

LANGUAGE = Language(
    name="javascript",
    suffixes=(".js", ".mjs", ".cjs"),
    run=("{tool}", "{source}"),
    probe='console.log("ok");\n',
    commands=("node", "nodejs"),
    needs="Node.js",
    install="nodejs",
)
