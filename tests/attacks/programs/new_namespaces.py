import ctypes, errno, signal
input()
libc = ctypes.CDLL(None, use_errno=True)
got = []
for shift in (17, 25, 26, 27, 28, 29, 30):
    pid = libc.syscall(56, (1 << shift) | signal.SIGCHLD, 0, 0, 0, 0)
    if pid == 0:
        libc._exit(0)
    if pid > 0:
        got.append(hex(1 << shift))
print(got or "nothing")
