# The children are killed one by one; the parent lives on and says nothing.
import os, time
input()
while True:
    if os.fork() == 0:
        hog = bytearray(400 << 20)
    os.wait()
