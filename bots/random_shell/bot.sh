#!/bin/sh
# Plays a random legal action; any POSIX shell will do, so this bot plays on every machine.

random() { # set `drawn` to 0 … $1-1
    state=$((state * 16807 % 2147483647))
    drawn=$((state * $1 / 2147483647))
}

set -f # actions may hold "*" or "?", and are no file names
cr=$(printf '\r')
while read -r verb rest; do
    rest=${rest%"$cr"}
    case $verb in
    hello) echo "ready want=legal name=random-sh" ;;
    seed) state=$((rest % 2147483646 + 1)) ;;
    legal) legal=$rest ;;
    go) # the number of the decision, then limits
        # shellcheck disable=SC2086 # words are meant
        set -- $legal
        random $#
        shift "$drawn"
        echo "play $1 ${rest%% *}"
        ;;
    quit*) exit ;;
    esac
done
