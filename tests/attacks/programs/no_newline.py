import os, time
input()
os.write(1, b"an answer that nobody ends")
time.sleep(1e6)
