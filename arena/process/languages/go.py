"""Go: one source file, compiled; the cache that Go wants is gone afterwards."""

from __future__ import annotations

from arena.process.languages.interface import Language

_BUILD = 'GOCACHE=$PWD/.cache GOFLAGS= "$0" build -o "$1" "$2" && rm -r .cache'

LANGUAGE = Language(
    name="go",
    suffixes=(".go",),
    build=("/bin/sh", "-c", _BUILD, "{tool}", "{program}", "{source}"),
    run=("{program}",),
    probe='package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("ok") }\n',
    commands=("go",),
    needs="Go",
    install="golang-go",
)
