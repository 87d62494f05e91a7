input()
try:
    with open("/tmp/x", "wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 20))
except OSError:
    import os
    print("full" if os.path.getsize("/tmp/x") <= 16 << 20 else "too big")
