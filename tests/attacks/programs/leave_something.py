import os
input()
os.makedirs("/tmp/left", exist_ok=True)
for place in ("/tmp/left/file", "/dev/shm/file", "/var/tmp/file", "/bot/file", "/run/file"):
    try:
        open(place, "w").close()
    except OSError:
        pass
if os.fork() == 0:
    os.setsid()
    while True:
        pass
print("lived")
input()
