# Who lets all others go first is kept from running on a busy machine, which then seems to be to blame.
import os
input()
ways = [lambda: os.nice(19), lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))]
if not os.path.exists("/io"):  # a container has its share of a core as a whole, however its processes divide it
    ways.append(lambda: open("/proc/self/autogroup", "w").write("19"))
found = []
for number, way in enumerate(ways):
    try:
        way()
        found.append(number)
    except OSError:
        pass
print(found or "nothing")
