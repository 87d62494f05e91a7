print("MOVE 1 1")
while True:
    print(input())
