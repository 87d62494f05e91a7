# The question is the path of a socket on the host that every user may connect to.
import os, socket
got = []
for path in (input(), "/run/docker.sock", "/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/notify"):
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        got.append(path)
    except OSError:
        pass
print(got or "nothing")
