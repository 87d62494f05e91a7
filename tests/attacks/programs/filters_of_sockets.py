# Filters of sockets become machine code, of which all users of this machine together have so much: who takes it all
# keeps others from starting, whose filters of system calls are made of the same.
import ctypes, socket, struct
SO_ATTACH_FILTER, HIGH, ALLOW = 26, 1 << 32, struct.pack("HBBI", 6, 0, 0, 0xFFFF)
libc, code = ctypes.CDLL(None), ctypes.create_string_buffer(ALLOW)
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 1, ctypes.addressof(code)))
input()
got = []
for option in (SO_ATTACH_FILTER, SO_ATTACH_FILTER + HIGH):  # the kernel looks at the lower half only
    end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    if libc.syscall(54, end.fileno(), socket.SOL_SOCKET, ctypes.c_ulong(option), program, 16) == 0:
        got.append(option)
print(got or "nothing")
