# The question is the number of a system call that only an attack needs. All must end, not the thread alone that makes it.
import ctypes, threading
number = int(input())
thread = threading.Thread(target=ctypes.CDLL(None).syscall, args=(number, 0, 0, 0, 0, 0, 0))
thread.start()
thread.join()
print("lived")
