# The attack: crash with a core dump limit other than 1, so that the kernel starts the machine's handler as root.
import ctypes, resource, struct
SETRLIMIT, PRLIMIT64, CORE, HIGH = 160, 302, 4, 1 << 32
libc, none = ctypes.CDLL(None), ctypes.create_string_buffer(struct.pack("QQ", 0, 0))
input()
got = []
if resource.getrlimit(resource.RLIMIT_CORE) != (1, 1):
    got.append("as it is")
for which in (CORE, CORE + HIGH):  # the kernel reads only the lower half of the number
    if libc.syscall(SETRLIMIT, ctypes.c_ulong(which), none) == 0:
        got.append("setrlimit")
    if libc.syscall(PRLIMIT64, 0, ctypes.c_ulong(which), none, None) == 0:
        got.append("prlimit64")
for name in ("CPU", "DATA", "STACK", "NPROC", "NOFILE", "AS"):  # other limits may be lowered, as some programs do
    what = getattr(resource, f"RLIMIT_{name}")
    resource.setrlimit(what, resource.getrlimit(what))
print(got or "nothing")
