import ctypes, glob, os, resource
ADDR_NO_RANDOMIZE = 0x0040000
input()
got = []
def attempt(name, deed):
    try:
        deed()
        got.append(name)
    except (OSError, ValueError):
        pass
def oom():
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("-1000")
attempt("root", lambda: os.setuid(0))
attempt("group", lambda: os.setgroups([0]))
attempt("nice", lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
attempt("affinity", lambda: os.sched_setaffinity(0, range(os.cpu_count())))
attempt("realtime", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))
attempt("oom", oom)
attempt("device", lambda: os.mknod("/tmp/null", 0o020666, os.makedev(1, 3)))
for name in ("RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE"):
    what = getattr(resource, name)
    hard = resource.getrlimit(what)[1] + 1
    attempt(name, lambda: resource.setrlimit(what, (hard, hard)))
if ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE) != -1:
    got.append("addresses known before")
for pid in filter(str.isdigit, os.listdir("/proc")):  # lowering the limits of the sandbox's process would end it
    attempt(f"limits of {pid}", lambda: resource.prlimit(int(pid), resource.RLIMIT_CPU))
    for what in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
        attempt(f"limit {what} of {pid}", lambda: resource.prlimit(int(pid), what, resource.getrlimit(what)))
for name in glob.glob("/proc/[0-9]*/status"):  # a process with writable memory must have the same filter
    status = open(name).read()
    if "Seccomp:\t2" not in status or "NoNewPrivs:\t1" not in status or "CapEff:\t0000000000000000" not in status:
        got.append(name)
print(got or "nothing")
