input()
number = 0
while True:
    number += 1
    try:
        open(f"/tmp/{number}", "w").close()
    except OSError:
        pass
