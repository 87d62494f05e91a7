# The question is a JSON object of system calls by name; each must fail as on a kernel that does not have it.
import ctypes, errno, json
libc = ctypes.CDLL(None, use_errno=True)
lived = []
for name, number in json.loads(input()).items():
    if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
        lived.append(name)
print(lived or "nothing")
