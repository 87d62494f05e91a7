import os
input()
for _ in range(500):
    os.write(2, b"x" * 60_000)
print("lived")
input()
