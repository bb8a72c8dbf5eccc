#!/bin/sh
# A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.
#
# The arena writes lines to our standard input and reads our standard output; nothing but the
# protocol may be printed there. Use `log` to see what your bot thinks, and `debug` to stop where you
# want to look around. Any POSIX shell will do.

name=my-bot
version=1
want=obs,legal # what we want to be sent, of: obs legal did event

# Set `action` to one of `$legal`; this is the place to be clever. Called with the legal actions as
# "$1" "$2" …; `$limit` are the milliseconds for this answer, `$left` those on our clock for the
# whole match, empty where there is no such limit.
choose() {
    [ $# -gt 0 ] || give_up "choose needs the legal actions: put legal into want"
    random $#
    shift "$drawn"
    action=$1
}

# Set `drawn` to 0 … $1-1; seeded, so that a match can be played again.
random() {
    state=$(((state * 16807) % 2147483647))
    drawn=$((state * $1 / 2147483647))
}

# Keep a line in this bot's log of the match.
log() { printf 'log %s\n' "$*"; }

# Say why we cannot go on, and end.
give_up() {
    echo "error $*"
    exit 1
}

# Stop here: commands typed on the terminal are run, such as `echo "$legal"`; an empty line goes on.
# Where there is no terminal (in a match), say so and go on.
# `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your terminal.
debug() {
    if ! (: </dev/tty) 2>/dev/null; then
        echo "debug: no terminal here, going on" >&2
        return
    fi
    while printf 'debug> ' >/dev/tty && IFS= read -r typed </dev/tty && [ -n "$typed" ]; do
        command eval "$typed" </dev/tty >/dev/tty 2>&1
    done
}

# Set `value` to what follows "$1=" among the words after it, or to nothing.
value_of() {
    key=$1 value=
    shift
    for word; do
        case $word in "$key="*) value=${word#*=} ;; esac
    done
}

set -f # actions may hold "*" or "?", and are no file names
cr=$(printf '\r')
lf='
'
while IFS= read -r line; do
    line=${line%"$cr"}
    verb=${line%% *}
    rest=${line#"$verb"}
    rest=${rest# }
    case $verb in
    hello) echo "ready abp=1 want=$want name=$name version=$version" ;; # once, first: abp 1
    game) # ID GAME: forget the last match
        game=${rest#* } # the rules: "leaves" or "leaves(tree=plus)"
        setup= observation= legal= actions= events=
        ;;
    seat) seat=${rest% *} players=${rest#* } ;; # we are player `seat` of `players`, from 0
    clock) clock=$rest ;; # limits in milliseconds, like "move=1000 first=5000"; see value_of
    seed) state=$((rest % 2147483646 + 1)) ;;
    setup) setup=$rest ;; # the starting position, if the game hides nothing of it
    did) actions="$actions $rest" ;; # PLAYER ACTION, "?" for one we may not know; want=did
    event) events=$events$rest$lf ;; # what became known so far, a line each; want=event
    obs) observation=$rest ;; # the position as we may know it; want=obs
    legal) legal=$rest ;; # at most 10,000; if there are more, `go` says legal=part; want=legal
    go) # D left=… limit=…: decide, and say D with the answer
        # shellcheck disable=SC2086 # words are meant
        { value_of left $rest; left=$value; value_of limit $rest; limit=$value; choose $legal; }
        echo "play $action ${rest%% *}"
        ;;
    bad) log "the arena says: $rest" ;; # CODE TEXT: what we did wrong
    end) ;; # ID rank=1/2 score=12,9 by=rules
    quit) exit ;;
    *) ;; # a later version of the protocol, not for us
    esac
done
