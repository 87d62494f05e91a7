# The attack, with Docker: write a forged exit code to the stream on which the shell reports it.
import os, time
report = input()
with open("/io/end", "w") as file:
    file.write(report + "\n")
time.sleep(999)
