# The attack: a timer sends SIGCONT every millisecond, also to a stopped process.
import ctypes

class Event(ctypes.Structure):
    _fields_ = [("value", ctypes.c_void_p), ("number", ctypes.c_int), ("how", ctypes.c_int), ("rest", ctypes.c_int * 12)]

SIGCONT, CLOCK_MONOTONIC, MILLISECOND_NS = 18, 1, 1_000_000
libc, timer = ctypes.CDLL(None), ctypes.c_void_p()
input()
if libc.timer_create(CLOCK_MONOTONIC, ctypes.byref(Event(0, SIGCONT, 0)), ctypes.byref(timer)) == 0:
    libc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, MILLISECOND_NS, 0, MILLISECOND_NS), None)
print("lived")
while True:
    pass
