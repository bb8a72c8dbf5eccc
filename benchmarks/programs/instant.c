/* The quickest ABP bot there is: plays a random legal action. Reads with read(2), answers with one
   write(2). Built by the benchmarks themselves: cc -O2 -o instant instant.c
   --report FILE: see report.h. --busy US: compute for so long before every answer. --ponder: keep computing after the first two answers of a game, and give
   an opponent who does so as well the time for it before the second one, so that the arena stops both
   between their decisions from then on. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define PONDER_NS 40000000LL /* twice what a bot may use while it is not asked */
#define PAUSE_NS 100000000L  /* for an opponent to use as much, who may share the core with us */

static char buf[1 << 20], out[4096];
static char *legal;
static uint64_t state = 88172645463325252ULL;

static uint64_t draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void compute(long long ns) {
    long long end = clock_ns(CLOCK_PROCESS_CPUTIME_ID) + ns;
    while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < end) {}
}

/* answer decision number `number`, of `k` digits */
static int play(const char *number, size_t k) {
    size_t words = 1, n;
    for (const char *c = legal; *c; c++) words += *c == ' ';
    const char *word = legal;
    for (n = draw() % words; n; n--) word = strchr(word, ' ') + 1;
    int m = snprintf(out, sizeof out, "play %.*s %.*s\n", (int)strcspn(word, " "), word, (int)k, number);
    if (write(1, out, (size_t)m) < 0) return 1;
    count_decision();
    return 0;
}

int main(int argc, char **argv) {
    int ponders = 0;
    long long busy_ns = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--report") && i + 1 < argc) report_file = argv[++i];
        if (!strcmp(argv[i], "--ponder")) ponders = 1;
        if (!strcmp(argv[i], "--busy") && i + 1 < argc) busy_ns = atoll(argv[++i]) * 1000;
    }
    legal = malloc(sizeof buf);
    if (!legal) return 1;
    *legal = 0;
    size_t have = 0;
    for (;;) {
        ssize_t n = read(0, buf + have, sizeof buf - have);
        if (n <= 0) return leave(0);
        have += (size_t)n;
        char *line = buf, *end;
        while ((end = memchr(line, '\n', (size_t)(buf + have - line)))) {
            *end = 0;
            if (!strncmp(line, "legal ", 6)) {
                memcpy(legal, line + 6, (size_t)(end - line) - 5);
            } else if (!strncmp(line, "go ", 3)) {
                if (ponders && in_game == 1) nanosleep(&(struct timespec){0, PAUSE_NS}, NULL);
                if (busy_ns) compute(busy_ns);
                if (play(line + 3, strcspn(line + 3, " "))) return leave(1);
                if (ponders && in_game <= 2) compute(PONDER_NS);
            } else if (!strncmp(line, "game ", 5)) {
                in_game = 0;
            } else if (!strncmp(line, "seed ", 5)) {
                state = strtoull(line + 5, NULL, 10) | 1;
            } else if (!strcmp(line, "hello abp 1")) {
                if (write(1, "ready want=legal\n", 17) < 0) return leave(1);
            } else if (!strcmp(line, "quit")) {
                return leave(0);
            }
            line = end + 1;
        }
        have = (size_t)(buf + have - line);
        memmove(buf, line, have);
    }
}
