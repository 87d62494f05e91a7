# The attack: lower the own priority, so that on a busy machine all others run first and the machine seems to blame.
import os
input()
ways = [lambda: os.nice(19)]
ways += [lambda way=way: os.sched_setscheduler(0, way, os.sched_param(0)) for way in (os.SCHED_IDLE, os.SCHED_BATCH)]
if not os.path.exists("/io"):  # in a container, processes share the container's part of a core
    ways.append(lambda: open("/proc/self/autogroup", "w").write("19"))
found = []
for number, way in enumerate(ways):
    try:
        way()
        found.append(number)
    except OSError:
        pass
print(found or "nothing")
