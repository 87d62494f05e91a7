# The question is a JSON object of system calls by name; each must kill the child that makes it.
import ctypes, json, os, signal
libc = ctypes.CDLL(None)
lived = []
for name, number in json.loads(input()).items():
    if (child := os.fork()) == 0:
        libc.syscall(number, 0, 0, 0, 0, 0, 0)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != -signal.SIGSYS:
        lived.append(name)
print(lived or "nothing")
