import os
input()
found = [p for p in ("/tmp/left", "/tmp/left/file", "/dev/shm/file", "/var/tmp/file", "/bot/file", "/run/file") if os.path.exists(p)]
found += os.listdir("/tmp")
print(found or "nothing")
