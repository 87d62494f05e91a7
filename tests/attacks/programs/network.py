# The question is the name of an abstract socket that listens on the host.
import errno, socket
got = []
name = input()
for family in ("AF_INET", "AF_INET6", "AF_VSOCK", "AF_NETLINK", "AF_PACKET", "AF_ALG", "AF_BLUETOOTH", "AF_CAN", "AF_TIPC"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try:
            socket.socket(getattr(socket, family), kind)
            got.append(family)
        except OSError as error:  # as on a kernel without networks, so that libraries which try one can go on
            if error.errno != errno.EAFNOSUPPORT:
                got.append(f"{family}: {error}")
try:
    socket.create_connection(("127.0.0.1", 80), timeout=1)
    got.append("tcp")
except OSError:
    pass
try:
    socket.getaddrinfo("example.org", 80)
    got.append("dns")
except OSError:
    pass
try:
    socket.socket(socket.AF_UNIX).connect("\0" + name)
    got.append("abstract")
except OSError:
    pass
print(got or "nothing")
