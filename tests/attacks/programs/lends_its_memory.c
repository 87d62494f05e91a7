/* While its child has borrowed its memory it cannot be stopped, though it does nothing. */
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
