# The question is the number of a system call that only an attack needs. It must kill all threads, not only one.
import ctypes, threading
number = int(input())
thread = threading.Thread(target=ctypes.CDLL(None).syscall, args=(number, 0, 0, 0, 0, 0, 0))
thread.start()
thread.join()
print("lived")
