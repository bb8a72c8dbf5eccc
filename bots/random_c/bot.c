/* Plays a random legal action; the whole bot protocol it needs is in this loop. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL, *legal = NULL;
    size_t room = 0;
    uint64_t rng = 0, n = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (getline(&line, &room, stdin) > 0 && strncmp(line, "quit", 4)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!strncmp(line, "hello ", 6)) puts("ready want=legal name=random-c");
        else if (!strncmp(line, "seed ", 5)) rng = strtoull(line + 5, NULL, 10);
        else if (!strncmp(line, "legal ", 6)) {
            free(legal);
            legal = strdup(line + 6);
            n = 1;
            for (char *p = legal; (p = strchr(p, ' ')); p++) n++;
        } else if (!strncmp(line, "go ", 3)) {
            rng = rng * 6364136223846793005u + 1442695040888963407u;
            char *action = legal;
            for (uint64_t skip = (rng >> 33) % n; skip; skip--) action = strchr(action, ' ') + 1;
            printf("play %.*s %d\n", (int)strcspn(action, " "), action, atoi(line + 3));
        }
    }
}
