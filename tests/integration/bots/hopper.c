/* Leaves 24 chains of processes behind, each of which forks and ends, for ever, deaf to all signals. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void hop(int how) {
    for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
    for (int i = 0; i < 256; i++) close(i);
    for (;;) {
        setsid();
        pid_t child = how == 1 ? syscall(SYS_clone, 0, 0, 0, 0, 0) : how == 2 ? vfork() : fork();
        if (child > 0) _exit(0);
        if (how == 3) usleep(300);
    }
}

int main(void) {
    char line[1 << 16], first[256] = "";
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "hello", 5)) puts("ready want=legal");
        else if (!strncmp(line, "legal ", 6)) sscanf(line + 6, "%255s", first);
        else if (!strncmp(line, "quit", 4)) return 0;
        else if (!strncmp(line, "go ", 3)) {
            for (int chain = 0; !strncmp(line, "go 1 ", 5) && chain < 24; chain++)
                if (fork() == 0) {
                    if (fork() == 0) hop(chain % 4);
                    _exit(0);
                }
            printf("play %s\n", first);
        }
        fflush(stdout);
    }
}
