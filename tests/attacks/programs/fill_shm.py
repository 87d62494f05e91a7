import os
input()
try:
    with open("/dev/shm/x", "wb", buffering=0) as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
except OSError:
    pass
size = os.path.getsize("/dev/shm/x") if os.path.exists("/dev/shm/x") else 0
print("full" if size <= 1 << 20 else size)
