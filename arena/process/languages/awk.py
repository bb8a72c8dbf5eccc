"""AWK: any of mawk, gawk, busybox awk and the original, talking line by line."""

from __future__ import annotations

from arena.process.languages.interface import Language

# mawk fills its whole buffer before it looks at the first line of a pipe unless it is told to be
# interactive; the others answer line by line, and some refuse to be told.
_START = """\
source=$1; shift
case $("$0" -W version 2>&1 </dev/null) in
mawk*) exec "$0" -W interactive -f "$source" -- "$@" ;;
*) exec "$0" -f "$source" -- "$@" ;;
esac"""

LANGUAGE = Language(
    name="awk",
    suffixes=(".awk",),
    run=("/bin/sh", "-c", _START, "{tool}", "{source}"),
    probe='BEGIN { print "ok" }\n',
    commands=("awk", "mawk", "gawk"),
    needs="awk",
    install="mawk",
)
