/* The attack: a million epoll watches are notified while others are asked. The kernel does so inside an interrupt, and
   charges the time to the program that runs then. The first question says what the watches observe: timerfd or signalfd;
   or inotify, which other programs trigger by opening a file in /usr/bin; or stderr, which the worker triggers by reading
   from a full pipe. On "go" this program sets the timers and answers; on "starve" it waits for the watches itself, and
   so seems to get no core. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { SOURCES = 40, CHILDREN = 14, SLOT = 3 + SOURCES + 2 * CHILDREN, POLLS = 42 };
static int sources[SOURCES], commands[CHILDREN][2], is_signal, is_file, is_pipe;
static sigset_t alarm_set;

static void make_sources(void)
{
    sigemptyset(&alarm_set);
    sigaddset(&alarm_set, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm_set, NULL);
    for (int n = 0; n < SOURCES; n++) {
        sources[n] = is_pipe ? dup(2) : is_file ? inotify_init() : is_signal ? signalfd(-1, &alarm_set, 0) : timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
        if (is_file)
            inotify_add_watch(sources[n], "/usr/bin", IN_OPEN);
    }
}

/* An epoll has one watch for each pair of file and number: files change their numbers, and the watches stay. */
static void watch(void)
{
    int polls[POLLS];
    for (int n = 0; n < POLLS; n++)
        polls[n] = epoll_create1(0);
    for (int turn = 0; turn < SOURCES; turn++) {
        for (int n = 0; n < SOURCES; n++)
            dup2(sources[(n + turn) % SOURCES], SLOT + n);
        for (int n = 0; n < SOURCES * POLLS; n++) {
            struct epoll_event event = {.events = (is_pipe ? EPOLLOUT : EPOLLIN) | EPOLLET};
            epoll_ctl(polls[n / SOURCES], EPOLL_CTL_ADD, SLOT + n % SOURCES, &event);
        }
    }
}

static void set(int n, int milliseconds)
{
    struct itimerspec when = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000000L}};
    struct itimerval alarm = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000L}};
    if (is_signal)
        setitimer(ITIMER_REAL, &alarm, NULL);
    else
        timerfd_settime(sources[n], 0, &when, NULL);
}

/* A child watches on its own: a signal wakes those alone who belong to the process that it is sent to. */
static void child(int number)
{
    int milliseconds;
    for (int n = 0; n < 2 * CHILDREN; n++)
        if (n != 2 * number + 1)
            close(commands[n / 2][n % 2]);
    watch();
    write(commands[number][1], &number, sizeof number);
    while (read(commands[number][1], &milliseconds, sizeof milliseconds) > 0) {
        sigtimedwait(&alarm_set, NULL, &(struct timespec){0});
        set(number, milliseconds);
        write(commands[number][1], &number, sizeof number);
    }
    _exit(0);
}

/* Of a pipe each file has one number of its own in a process, so it takes more processes. */
static void child_of_a_pipe(void)
{
    for (int n = 0; n < 2 * CHILDREN; n++)
        close(commands[n / 2][n % 2]);
    watch();
    pause();
}

/* Let all go off, the first in a millisecond, each so much later than the one before. */
static void set_all(int apart)
{
    for (int n = 0, back; n < (is_signal ? CHILDREN : SOURCES); n++) {
        int milliseconds = 1 + n * apart;
        if (!is_signal)
            set(n, milliseconds);
        else if (write(commands[n][0], &milliseconds, sizeof milliseconds) > 0)
            read(commands[n][0], &back, sizeof back);
    }
}

/* Wake by the first that goes off, which is long before the interrupt ends. */
static void wait_for_them(void)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    int poll = epoll_create1(0);
    static char full[1 << 16];
    if (is_pipe) {
        fcntl(2, F_SETFL, O_NONBLOCK);
        while (write(2, full, sizeof full) > 0);
        event.events = EPOLLOUT | EPOLLET;
    }
    if (is_signal) {
        set(0, 1);
        sigwaitinfo(&alarm_set, NULL);
    } else {
        epoll_ctl(poll, EPOLL_CTL_ADD, sources[0], &event);
        epoll_wait(poll, &event, 1, -1);
    }
    close(poll);
}

int main(void)
{
    char line[64];
    fgets(line, sizeof line, stdin);
    is_signal = !strcmp(line, "signalfd\n");
    is_file = !strcmp(line, "inotify\n");
    is_pipe = !strcmp(line, "stderr\n");
    make_sources();
    for (int n = 0; n < CHILDREN; n++)
        socketpair(AF_UNIX, SOCK_STREAM, 0, commands[n]);
    for (int n = 0, back; n < CHILDREN; n++) {
        for (int more = is_pipe ? 3 : 0; more > 0; more--)
            if (fork() == 0)
                child_of_a_pipe();
        if (fork() == 0)
            child(n);
        read(commands[n][0], &back, sizeof back);
    }
    do {
        while (!strcmp(line, "starve\n")) {
            set_all(0);
            wait_for_them();
        }
        set_all(is_signal ? 6 : 3);
        puts("set");
        fflush(stdout);
    } while (fgets(line, sizeof line, stdin));
}
