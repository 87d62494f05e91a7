/* The attack: use the x32 interface, whose numbers have bit 30 set. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    printf("lived %ld\n", syscall(0x40000000L + 41, 2, 1, 0));
    fflush(stdout);
    return 0;
}
