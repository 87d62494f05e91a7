import os, time
input()
born = 0
try:
    while born < 1000:
        if os.fork() == 0:
            time.sleep(999)
        born += 1
except OSError:
    pass
print("full" if born < 64 else born)
