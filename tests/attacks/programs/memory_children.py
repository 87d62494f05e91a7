import os, time
input()
for _ in range(16):
    if os.fork() == 0:
        hog = bytearray(40 << 20)
        time.sleep(999)
time.sleep(999)
