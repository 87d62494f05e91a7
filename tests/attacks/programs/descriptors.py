import os
input()
got = 0
try:
    while got < 100_000:
        os.open("/dev/null", os.O_RDONLY)
        got += 1
except OSError:
    print("full" if got <= 128 else got)
