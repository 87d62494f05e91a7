# The question: system calls that must fail as if this kernel did not have them, by name and number.
import ctypes, errno, json
libc = ctypes.CDLL(None, use_errno=True)
lived = []
for name, number in json.loads(input()).items():
    if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
        lived.append(name)
print(lived or "nothing")
