import os, signal
input()
try:
    os.kill(-1, signal.SIGKILL)
except OSError:
    pass
for pid in (1, os.getppid()):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
print("lived")
input()
