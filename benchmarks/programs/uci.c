/* An instant UCI bot, for the runners that the arena is measured against: cc -O2 -o uci uci.c
   Connect Four as cutechess plays it (variant cfour): a random column that has room. Chess: always
   the same sixty plies, all of them legal: every pawn goes two steps, then a rook walks about.
   --report FILE: see report.h. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define HEIGHT 6
#define WALK 14 /* squares that a rook goes to, one a move, after the sixteen moves of the pawns */

static char buf[1 << 16], out[64];
static int four;
static uint64_t state = 88172645463325252ULL;

/* from each square to the next; the black rook mirrors it: ranks 1, 2, 3 are 8, 7, 6 */
static const char *walk[WALK + 1] = {"a1", "a2", "a3", "b3", "b2", "c2", "c3", "d3",
                                     "d2", "e2", "e3", "f3", "f2", "g2", "g3"};

static uint64_t draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static char mirrored(char rank, int black) { return black ? (char)('1' + '8' - rank) : rank; }

static void chess_move(int ply) {
    int black = ply % 2, n = ply / 2;
    if (n < 16) { /* a2a3, a3a4, b2b3, ... */
        char file = (char)('a' + n / 2), from = (char)('2' + n % 2);
        sprintf(out, "bestmove %c%c%c%c\n", file, mirrored(from, black), file, mirrored((char)(from + 1), black));
    } else {
        const char *from = walk[(n - 16) % WALK], *to = walk[(n - 16) % WALK + 1];
        sprintf(out, "bestmove %c%c%c%c\n", from[0], mirrored(from[1], black), to[0], mirrored(to[1], black));
    }
}

static void drop(const char *moves) {
    int stones[7] = {0}, room[7], n = 0;
    for (const char *at = moves; (at = strchr(at, '@')); at++) stones[at[1] - 'a']++;
    for (int file = 0; file < 7; file++)
        if (stones[file] < HEIGHT) room[n++] = file;
    int file = n ? room[draw() % (unsigned)n] : 0;
    sprintf(out, "bestmove P@%c%d\n", 'a' + file, stones[file] + 1);
}

static int say(const char *text) { return write(1, text, strlen(text)) < 0; }

static int count_words(const char *text) {
    int words = *text != 0;
    for (; *text; text++) words += *text == ' ' && text[1];
    return words;
}

int main(int argc, char **argv) {
    static char moves[sizeof buf];
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--report") && i + 1 < argc) report_file = argv[++i];
    state ^= (uint64_t)getpid() << 32;
    size_t have = 0;
    for (;;) {
        ssize_t n = read(0, buf + have, sizeof buf - have);
        if (n <= 0) return leave(0);
        have += (size_t)n;
        char *line = buf, *end;
        while ((end = memchr(line, '\n', (size_t)(buf + have - line)))) {
            *end = 0;
            if (!strcmp(line, "uci")) {
                if (say("id name instant\nid author benchmarks\n"
                        "option name UCI_Variant type combo default chess var chess var cfour\nuciok\n"))
                    return leave(1);
            } else if (!strcmp(line, "isready")) {
                if (say("readyok\n")) return leave(1);
            } else if (!strncmp(line, "setoption name UCI_Variant value ", 33)) {
                four = !strcmp(line + 33, "cfour");
            } else if (!strcmp(line, "ucinewgame")) {
                in_game = 0;
            } else if (!strncmp(line, "position ", 9)) {
                char *given = strstr(line, " moves ");
                strcpy(moves, given ? given + 7 : "");
            } else if (!strncmp(line, "go", 2)) {
                if (four) drop(moves);
                else chess_move(count_words(moves));
                if (say("info depth 1 score cp 0\n") || say(out)) return leave(1);
                count_decision();
            } else if (!strcmp(line, "quit")) {
                return leave(0);
            }
            line = end + 1;
        }
        have = (size_t)(buf + have - line);
        memmove(buf, line, have);
    }
}
