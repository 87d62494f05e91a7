# The attack: a child computes while the opponent is asked, and wakes its parent again and again.
import os, signal
input()
if os.fork() == 0:
    while True:
        os.kill(os.getppid(), signal.SIGCONT)
print("lived")
while True:
    input()
    print("lived")
