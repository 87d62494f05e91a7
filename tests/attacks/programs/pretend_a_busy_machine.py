# The attack: save up the bank of overrun, then let twenty children wait for each other until the wall time limit.
import os, time
while (line := input()) != "go":
    print(line)
time.sleep(1.3)
for _ in range(20):
    if os.fork() == 0:
        while True:
            pass
time.sleep(999)
