# The question is the number of a system call that only an attack needs.
import ctypes
number = int(input())
ctypes.CDLL(None).syscall(number, 0, 0, 0, 0, 0, 0)
print("lived")
