/* The attack: compute in a chain of processes, each of which starts the next one and ends. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char line[64];
    fgets(line, sizeof line, stdin);
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0)
        for (;;)
            if (fork() > 0)
                _exit(0);
    do {
        puts("lived");
        fflush(stdout);
    } while (fgets(line, sizeof line, stdin));
}
