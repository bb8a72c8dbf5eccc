# Plays a random legal action; the whole bot protocol it needs is in these rules.
# Run by hand with mawk it needs "-W interactive", or it waits for more input before it answers.

function random(n) { # 0 … n-1; its own generator, as rand() differs from awk to awk
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}

{ sub(/\r$/, "") }
$1 == "hello" { print "ready want=legal name=random-awk"; fflush() }
$1 == "seed" { # a decimal with more digits than a number holds here: take them one by one
    state = 0
    for (i = 1; i <= length($2); i++) state = (state * 10 + substr($2, i, 1)) % 2147483646
    state++
}
$1 == "legal" { legal = $0 }
$1 == "go" { n = split(legal, word, " "); print "play", word[2 + random(n - 1)], $2; fflush() }
$1 == "quit" { exit }
