import os, time
input()
while True:
    os.write(1, b"x")
    time.sleep(0.01)
