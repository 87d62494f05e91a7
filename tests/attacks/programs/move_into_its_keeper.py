# The attack: put code into the first process, which belongs to the sandbox and is never frozen.
input()
try:
    open("/proc/1/mem", "r+b", 0)
    print("moved in")
except OSError:
    print("nothing")
