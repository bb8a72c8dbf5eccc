/* The quickest ABP bot there is: plays the first legal action. Reads with read(2), answers with one
   write(2). Built by the benchmarks themselves: cc -O2 -o instant instant.c */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char buf[1 << 20], out[4096];

int main(void) {
    char action[2048] = "";
    size_t have = 0;
    for (;;) {
        ssize_t n = read(0, buf + have, sizeof buf - have);
        if (n <= 0) return 0;
        have += (size_t)n;
        char *line = buf, *end;
        while ((end = memchr(line, '\n', (size_t)(buf + have - line)))) {
            *end = 0;
            if (!strncmp(line, "legal ", 6)) {
                size_t k = strcspn(line + 6, " ");
                if (k >= sizeof action) return 1;
                memcpy(action, line + 6, k);
                action[k] = 0;
            } else if (!strncmp(line, "go ", 3)) {
                size_t k = strcspn(line + 3, " ");
                int m = snprintf(out, sizeof out, "play %s %.*s\n", action, (int)k, line + 3);
                if (write(1, out, (size_t)m) < 0) return 1;
            } else if (!strcmp(line, "hello abp 1")) {
                if (write(1, "ready want=legal\n", 17) < 0) return 1;
            } else if (!strcmp(line, "quit")) {
                return 0;
            }
            line = end + 1;
        }
        have = (size_t)(buf + have - line);
        memmove(buf, line, have);
    }
}
