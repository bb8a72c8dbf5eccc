/* A bot to begin from: change `choose`. Everything else speaks the bot protocol, ABP 1.
 *
 * The arena writes lines to our standard input and reads our standard output; nothing but the
 * protocol may be printed there. What goes to stderr is kept in this bot's log of the match. Use
 * `debug` to stop where you want to look around. Build: cc -O2 -o bot bot.c
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define NAME "my-bot"
#define VERSION "1"
#define WANT "obs,legal" /* what we want to be sent, of: obs legal did event */

enum { MOST_LEGAL = 10000, NO_LIMIT = -1 };

/* What the arena told us about the match we are in; texts are "" where nothing was said. */
static struct {
    char *game;              /* the rules: "leaves" or "leaves(tree=plus)" */
    int seat, players;       /* we are player `seat` of `players`, counted from 0 */
    char *clock;             /* limits in milliseconds, "move=1000 first=5000"; see `number` */
    uint64_t random;         /* seeded, so that a match can be played again */
    char *setup;             /* the starting position, if the game hides nothing of it */
    char *observation;       /* the position as we may know it; want=obs */
    char *legal_text;        /* the legal actions, each ended by 0 … */
    char *legal[MOST_LEGAL]; /* … and where each begins; want=legal */
    int num_legal;
    int legal_is_part;       /* there are more than 10,000: these were drawn among them */
} match;

/* Wait here for a debugger, and stop in it; where there is no terminal (in a match), say so and go
 * on. `arena reproduce MATCH --seat P --against THIS_FILE --no-clock` gives the bot your terminal.
 * In another one: `gdb -p PID`, then `continue`, and `up` to where `debug` was called. */
__attribute__((unused)) static void debug(void) {
    int terminal = open("/dev/tty", O_RDWR);
    if (terminal < 0) {
        fprintf(stderr, "debug: no terminal here (%s), going on\n", strerror(errno));
        return;
    }
    close(terminal);
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* anyone of yours may trace it */
    fprintf(stderr, "debug: waiting for a debugger: gdb -p %ld\n", (long)getpid());
    for (int tracer = 0; !tracer; nanosleep(&(struct timespec){0, 100 * 1000 * 1000}, NULL)) {
        char line[256];
        FILE *status = fopen("/proc/self/status", "r");
        while (status && fgets(line, sizeof line, status)) sscanf(line, "TracerPid: %d", &tracer);
        if (!status) return;
        fclose(status);
    }
    raise(SIGTRAP);
}

/* Return 0 … n-1: splitmix64. */
static uint64_t random_below(uint64_t n) {
    uint64_t z = match.random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % n;
}

/* Say why we cannot go on, and end. */
static void give_up(const char *why) {
    printf("error %s\n", why);
    exit(1);
}

/* Return one of `match.legal`; this is the place to be clever. `limit_ms` are the milliseconds for
 * this answer, `left_ms` those on our clock for the whole match, or NO_LIMIT. */
static const char *choose(long left_ms, long limit_ms) {
    (void)left_ms;
    (void)limit_ms;
    if (!match.num_legal) give_up("choose needs the legal actions: put legal into WANT");
    return match.legal[random_below((uint64_t)match.num_legal)];
}

/* An action somebody took (`want=did`; "?" if we may not know it), and what became known
 * (`want=event`): remember what your bot needs. */
static void saw_action(int player, const char *action) { (void)player, (void)action; }
static void saw_event(const char *text) { (void)text; }

/* Keep a copy of a text in a field. */
static void set(char **field, const char *text) {
    free(*field);
    *field = strdup(text);
}

/* Return the number in " key=123 ", or NO_LIMIT. */
static long number(const char *text, const char *key) {
    size_t length = strlen(key);
    for (const char *p = text; (p = strstr(p, key)) != NULL; p += length)
        if ((p == text || p[-1] == ' ') && p[length] == '=') return atol(p + length + 1);
    return NO_LIMIT;
}

static void new_match(const char *rest) {
    const char *space = strchr(rest, ' ');
    set(&match.game, space ? space + 1 : "");
    set(&match.setup, "");
    set(&match.observation, "");
    match.num_legal = 0;
}

static void read_legal(const char *rest) {
    set(&match.legal_text, rest);
    match.num_legal = 0;
    for (char *p = strtok(match.legal_text, " "); p && match.num_legal < MOST_LEGAL;
         p = strtok(NULL, " "))
        match.legal[match.num_legal++] = p;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a line that waits in a buffer costs the match */
    new_match("");
    /* a last line without its end was cut off, and is no message */
    for (ssize_t n; (n = getline(&line, &room, stdin)) > 0 && line[n - 1] == '\n';) {
        line[strcspn(line, "\r\n")] = 0;
        char *rest = line + strcspn(line, " ");
        if (*rest) *rest++ = 0;
        if (!strcmp(line, "hello")) { /* once, first: abp 1 */
            puts("ready abp=1 want=" WANT " name=" NAME " version=" VERSION);
        } else if (!strcmp(line, "game")) { /* ID GAME: forget the last match */
            new_match(rest);
        } else if (!strcmp(line, "seat")) {
            sscanf(rest, "%d %d", &match.seat, &match.players);
        } else if (!strcmp(line, "clock")) {
            set(&match.clock, rest);
        } else if (!strcmp(line, "seed")) {
            match.random = strtoull(rest, NULL, 10);
        } else if (!strcmp(line, "setup")) {
            set(&match.setup, rest);
        } else if (!strcmp(line, "did")) {
            char *space = strchr(rest, ' ');
            saw_action(atoi(rest), space ? space + 1 : "?");
        } else if (!strcmp(line, "event")) {
            saw_event(rest);
        } else if (!strcmp(line, "obs")) {
            set(&match.observation, rest);
        } else if (!strcmp(line, "legal")) {
            read_legal(rest);
        } else if (!strcmp(line, "go")) { /* D left=… limit=…: decide, and say D with the answer */
            match.legal_is_part = strstr(rest, " legal=part") != NULL;
            printf("play %s %d\n", choose(number(rest, "left"), number(rest, "limit")), atoi(rest));
        } else if (!strcmp(line, "bad")) { /* CODE TEXT: what we did wrong */
            fprintf(stderr, "the arena says: %s\n", rest);
        } else if (!strcmp(line, "quit")) {
            break;
        } /* `end ID rank=1/2 …`, and verbs of a later version: nothing to do */
    }
    return 0;
}
