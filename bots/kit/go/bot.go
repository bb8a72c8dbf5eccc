// A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.
//
// The arena writes lines to our standard input and reads our standard output; nothing but the
// protocol may be printed there. Use `log` to see what your bot thinks, and `debug` to stop where you
// want to look around.
// Build: go build bot.go
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	NAME    = "my-bot"
	VERSION = "1"
	WANT    = "obs,legal" // what we want to be sent, of: obs legal did event
	NoLimit = -1
)

// Match is what the arena told us about the match we are in.
type Match struct {
	game          string         // the rules: "leaves" or "leaves(tree=plus)"
	seat, players int            // we are player `seat` of `players`, counted from 0
	clock         map[string]int // limits in milliseconds: main, inc, move, first
	random        *rand.Rand     // seeded, so that a match can be played again
	setup         string         // the starting position, if the game hides nothing of it
	actions       []Action       // so far; want=did
	events        []string       // what became known; want=event
	observation   string         // the position as we may know it; want=obs
	legal         []string       // the legal actions, at most 10,000; want=legal
	legalIsPart   bool           // there are more than 10,000: these were drawn among them
}

// Action is what a player did, "?" if we may not know it.
type Action struct {
	player int
	text   string
}

// choose returns one of `match.legal`; this is the place to be clever. `limitMs` are the
// milliseconds for this answer, `leftMs` those on our clock for the whole match, or NoLimit.
func choose(match *Match, leftMs, limitMs int) string {
	if len(match.legal) == 0 {
		giveUp("choose needs the legal actions: put legal into WANT")
	}
	return match.legal[match.random.Intn(len(match.legal))]
}

// send writes one line to the arena at once: a line that waits in a buffer costs the match.
func send(words ...any) {
	fmt.Println(words...)
}

// log keeps a line in this bot's log of the match.
func log(text string) {
	send("log", text)
}

// giveUp says why we cannot go on, and ends.
func giveUp(why string) {
	send("error", why)
	os.Exit(1)
}

// debug waits here for a debugger, and stops in it; where there is no terminal (in a match), it says
// so and goes on. `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your
// terminal. In another one: `gdb -p PID` (or `dlv attach PID`), then `continue`, and `up` to where
// `debug` was called.
func debug() {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		fmt.Fprintf(os.Stderr, "debug: no terminal here (%v), going on\n", err)
		return
	}
	terminal.Close()
	const setPtracer = 0x59616d61 // anyone of yours may trace it
	syscall.RawSyscall(syscall.SYS_PRCTL, setPtracer, ^uintptr(0), 0)
	fmt.Fprintf(os.Stderr, "debug: waiting for a debugger: gdb -p %d\n", os.Getpid())
	for traced := false; !traced; time.Sleep(100 * time.Millisecond) {
		status, _ := os.ReadFile("/proc/self/status")
		traced = !strings.Contains(string(status), "\nTracerPid:\t0\n")
	}
	runtime.Breakpoint()
}

// numbers reads those among "a=1", "b=2", "c=d".
func numbers(words []string) map[string]int {
	found := map[string]int{}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		if n, err := strconv.Atoi(value); err == nil {
			found[key] = n
		}
	}
	return found
}

// number returns one of them, or NoLimit.
func number(found map[string]int, key string) int {
	if n, there := found[key]; there {
		return n
	}
	return NoLimit
}

func main() {
	match := &Match{}
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return // also in the middle of a line
		}
		verb, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		words := strings.Split(rest, " ")
		switch verb {
		case "hello": // once, first: abp 1
			send("ready", "abp=1", "want="+WANT, "name="+NAME, "version="+VERSION)
		case "game": // ID GAME: forget the last match
			match = &Match{game: words[1], players: 2, random: rand.New(rand.NewSource(0))}
		case "seat":
			fmt.Sscan(rest, &match.seat, &match.players)
		case "clock":
			match.clock = numbers(words)
		case "seed":
			seed, _ := strconv.ParseInt(rest, 10, 64)
			match.random = rand.New(rand.NewSource(seed))
		case "setup":
			match.setup = rest
		case "did":
			player, _ := strconv.Atoi(words[0])
			match.actions = append(match.actions, Action{player, words[1]})
		case "event":
			match.events = append(match.events, rest)
		case "obs":
			match.observation = rest
		case "legal":
			match.legal = words
		case "go": // D left=… limit=…: decide, and say D with the answer
			match.legalIsPart = strings.Contains(rest, " legal=part")
			limits := numbers(words)
			send("play", choose(match, number(limits, "left"), number(limits, "limit")), words[0])
		case "bad": // CODE TEXT: what we did wrong
			log("the arena says: " + rest)
		case "quit":
			return
		} // `end ID rank=1/2 …`, and verbs of a later version: nothing to do
	}
}
