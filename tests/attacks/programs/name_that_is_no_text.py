# Whoever lists processes reads its name: it is no text, holds a form feed, and looks like what stands behind a name.
import ctypes
ctypes.CDLL(None).prctl(15, b"\xff\x0c) T 1 1", 0, 0, 0)
input()
print("lived")
