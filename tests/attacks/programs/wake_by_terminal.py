# The attack: let the kernel send SIGCONT when the terminal of the session hangs up. That happens when the last
# descriptor of its other side is closed, here when any program on this machine closes a socket.
import fcntl, os, signal, socket, termios
input()
try:
    other_side, terminal = os.openpty()
    started, says = os.pipe()
    if os.fork() == 0:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
        os.close(other_side)
        os.write(says, b"x")
        while True:
            pass
    os.read(started, 1)
    left, right = socket.socketpair()
    socket.send_fds(left, [b"x"], [other_side, left.fileno()])
    socket.send_fds(right, [b"x"], [right.fileno()])
    os.close(other_side)
    left.close()
    right.close()
except OSError:
    pass
print("x")
input()
