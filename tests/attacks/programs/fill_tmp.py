input()
written = 0
try:
    for number in range(100):
        with open(f"/tmp/{number}", "wb", buffering=0) as file:
            written += file.write(bytes(1 << 20))
except OSError:
    print("full" if written <= 32 << 20 else written)
