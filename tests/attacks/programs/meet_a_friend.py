# The attack: two bots of one owner communicate. One listens in every possible place, the other looks for it there.
import os, socket
task = input()
places = ["\0friend", "/tmp/friend", "/dev/shm/friend"]
ends = [socket.socket(socket.AF_UNIX) for place in places]
met = []
for end, place in zip(ends, places):
    try:
        if task == "listen":
            end.bind(place)
            end.listen()
        else:
            end.connect(place)
        met.append(place.strip("\0"))
    except OSError:
        pass
if task == "call":
    met += os.listdir("/dev/shm") + os.listdir("/tmp")
print(met or "nothing")
input()
