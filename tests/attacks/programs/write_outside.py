import os
input()
got = []
places = ["/", "/bot", "/usr", "/usr/bin", "/bin", "/etc", "/dev", "/dev/pts", "/proc", "/proc/self", "/sys", "/run", "/var/tmp",
          "/home", "/root", "/mnt", "/opt", "/io", "/out", "/var/lib", "/sys/fs/cgroup", "/dev/mqueue"]
for place in places:
    try:
        open(place + "/planted", "w").close()
        got.append(place)
    except OSError:
        pass
for file in ("/bot/main.py", "/usr/bin/python3", "/etc/passwd", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",
             "/proc/sys/kernel/hostname",):
    try:
        open(file, "r+b").close()
        got.append(file)
    except OSError:
        pass
print(got or "nothing")
