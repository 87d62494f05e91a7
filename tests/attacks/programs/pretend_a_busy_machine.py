# It saves up what it may overrun, and then lets twenty children keep each other waiting until the wall limit.
import os, time
while (line := input()) != "go":
    print(line)
time.sleep(1.3)
for _ in range(20):
    if os.fork() == 0:
        while True:
            pass
time.sleep(999)
