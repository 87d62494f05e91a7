/* The attack: children send each other SIGCONT all the time, so that one that runs still wakes those that stopped. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char line[64];
    fgets(line, sizeof line, stdin);
    for (int child = 0; child < 3; child++)
        if (fork() == 0)
            for (;;)
                kill(0, SIGCONT);
    do {
        puts("lived");
        fflush(stdout);
    } while (fgets(line, sizeof line, stdin));
}
