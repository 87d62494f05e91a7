/* The attack: wait for a child made by vfork. Such a parent does nothing, but never seems to stop. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char line[64];
    fgets(line, sizeof line, stdin);
    if (vfork() == 0) {
        do {
            puts("lived");
            fflush(stdout);
        } while (fgets(line, sizeof line, stdin));
        _exit(0);
    }
}
