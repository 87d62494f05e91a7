import glob, os, signal
input()
mine = {os.getpid()}
others = []
for name in glob.glob("/proc/[0-9]*"):
    pid = int(os.path.basename(name))
    with open(name + "/cmdline", "rb") as file:
        words = file.read().split(b"\0")[0]
    if pid not in mine and os.path.basename(words) not in (b"bwrap", b"sh"):
        others.append(words.decode())
for pid in range(2, 400):
    if pid not in mine:
        try:
            os.kill(pid, signal.SIGSTOP)
            others.append(pid)
        except OSError:
            pass
print(others or "nothing")
