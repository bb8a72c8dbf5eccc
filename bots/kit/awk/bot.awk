# A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.
#
# The arena writes lines to our standard input and reads our standard output; nothing but the
# protocol may be printed there. Use `note` to see what your bot thinks, and `debug` to stop where you
# want to look around. Any awk will do; run by hand, mawk needs "-W interactive", or it waits for more
# input before it answers.

BEGIN {
    NAME = "my-bot"
    VERSION = "1"
    WANT = "obs,legal" # what we want to be sent, of: obs legal did event
}

# What the arena told us about the match we are in:
#   now["game"]             the rules: "leaves" or "leaves(tree=plus)"
#   now["seat"]             we are player `seat` of now["players"], counted from 0
#   now["clock"]            limits in milliseconds, like "move=1000 first=5000"; see value_of
#   now["setup"]            the starting position, if the game hides nothing of it
#   now["observation"]      the position as we may know it; want=obs
#   now["legal_is_part"]    there are more than 10,000 legal actions: these were drawn among them
#   legal[1 … num_legal]    the legal actions, at most 10,000; want=legal
#   actions[1 … num_actions], players[1 … num_actions]
#                           who did what so far, "?" for what we may not know; want=did
#   events[1 … num_events]  what became known; want=event

# Return one of `legal`; this is the place to be clever. `limit_ms` are the milliseconds for this
# answer, `left_ms` those on our clock for the whole match, "" where there is no such limit.
function choose(left_ms, limit_ms) {
    if (num_legal == 0) give_up("choose needs the legal actions: put legal into WANT")
    return legal[1 + random(num_legal)]
}

# Return 0 … n-1; seeded, so that a match can be played again. rand() differs from awk to awk.
function random(n) {
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}

# Write one line to the arena at once: a line that waits in a buffer costs the match.
function say(line) {
    print line
    fflush()
}

# Keep a line in this bot's log of the match; `log` is a logarithm here.
function note(text) { say("log " text) }

# Say why we cannot go on, and end.
function give_up(why) {
    say("error " why)
    exit 1
}

# Stop here: what is typed on the terminal is a name of `now`, such as observation, and is answered
# with its value; an empty line goes on. Where there is no terminal (in a match), say so and go on.
# `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your terminal.
function debug(    screen, typed) {
    if (system("(: </dev/tty) 2>/dev/null") != 0) {
        system("echo 'debug: no terminal here, going on' >&2")
        return
    }
    screen = "cat >/dev/tty"
    do {
        if (typed in now) print now[typed] | screen
        printf "debug> " | screen
        close(screen)
    } while ((getline typed <"/dev/tty") > 0 && typed != "")
}

# Return what follows "key=" among the words of a text, or "".
function value_of(text, key,    words, i, n) {
    n = split(text, words, " ")
    for (i = 1; i <= n; i++)
        if (index(words[i], key "=") == 1) return substr(words[i], length(key) + 2)
    return ""
}

# Return `seed` as the first state of `random`. It has more digits than a number holds here.
function seeded(seed,    i, rest) {
    rest = 0
    for (i = 1; i <= length(seed); i++) rest = (rest * 10 + substr(seed, i, 1)) % 2147483646
    return rest + 1
}

{
    sub(/\r$/, "")
    verb = $1
    rest = substr($0, length(verb) + 2)
}
verb == "hello" { say("ready abp=1 want=" WANT " name=" NAME " version=" VERSION) } # once: abp 1
verb == "game" { # ID GAME: forget the last match
    split("", now)
    now["game"] = $3
    num_legal = num_actions = num_events = 0
}
verb == "seat" { now["seat"] = $2; now["players"] = $3 }
verb == "clock" { now["clock"] = rest }
verb == "seed" { state = seeded($2) }
verb == "setup" { now["setup"] = rest }
verb == "did" { players[++num_actions] = $2; actions[num_actions] = $3 }
verb == "event" { events[++num_events] = rest }
verb == "obs" { now["observation"] = rest }
verb == "legal" { num_legal = split(rest, legal, " ") }
verb == "go" { # D left=… limit=…: decide, and say D with the answer
    now["legal_is_part"] = value_of(rest, "legal") == "part"
    say("play " choose(value_of(rest, "left"), value_of(rest, "limit")) " " $2)
}
verb == "bad" { note("the arena says: " rest) } # CODE TEXT: what we did wrong
verb == "end" { } # ID rank=1/2 score=12,9 by=rules
verb == "quit" { exit }
