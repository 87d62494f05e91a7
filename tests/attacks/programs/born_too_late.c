/* The attack: start a child just after the answer. Copying much memory takes a while, and goes on after SIGSTOP. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char line[64], *memory = malloc(25 << 20);
    memset(memory, 1, 25 << 20);
    while (fgets(line, sizeof line, stdin)) {
        puts("lived");
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            for (;;)
                ;
        kill(child, SIGKILL);
        wait(NULL);
    }
}
