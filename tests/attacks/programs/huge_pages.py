# The attack: use huge pages that the machine has reserved, which no memory limit counts. With MAP_NORESERVE the mapping
# succeeds even where there are none.
import ctypes, errno, os
PRIVATE, ANONYMOUS, NORESERVE, HUGETLB, MFD_HUGETLB = 2, 32, 0x4000, 0x40000, 4
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
input()
found = []
flags = PRIVATE | ANONYMOUS | NORESERVE | HUGETLB
if libc.mmap(None, ctypes.c_size_t(2 << 20), 3, flags, -1, ctypes.c_long(0)) != ctypes.c_void_p(-1).value:
    found.append("mapped")
elif ctypes.get_errno() != errno.ENOMEM:
    found.append(ctypes.get_errno())
try:
    os.memfd_create("huge", MFD_HUGETLB)
    found.append("file")
except OSError as error:
    if error.errno != errno.ENOMEM:
        found.append(str(error))
print(found or "nothing")
