"""Every attack with its expected result: a verdict, or the answer of a program whose attack has failed."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.api import Verdict

CPU_MS = 300
"""The CPU limit of the turn in which a program attacks."""
WAITING_MS = 50
"""A smaller CPU limit for attacks by waiting: they end by the wall time limit, which depends on the CPU limit."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile program, ``programs/<name>.py``, with its expected result."""

    name: str
    expected: Verdict | str | tuple[Verdict, ...]
    """A verdict, several possible ones if two limits compete, or the answer of a program whose attack has failed."""
    cpu_ms: int = CPU_MS


ATTACKS = (
    Attack("memory_hog", Verdict.MEMORY, cpu_ms=2_000),
    Attack("memory_children", Verdict.MEMORY, cpu_ms=2_000),
    Attack("memory_children_quietly", Verdict.MEMORY, cpu_ms=2_000),
    Attack("huge_pages", "nothing"),
    Attack("fill_tmp", "full", cpu_ms=2_000),
    Attack("fill_tmp_with_names", (Verdict.TIME, Verdict.MEMORY)),
    Attack("fill_shm", "full", cpu_ms=2_000),
    Attack("big_file", "full", cpu_ms=2_000),
    Attack("fork_bomb", Verdict.TIME, cpu_ms=150),  # little, so that it is used up before the wall time limit
    Attack("thread_bomb", Verdict.TIME),
    Attack("process_limit", "full", cpu_ms=2_000),
    Attack("write_outside", "nothing"),
    Attack("other_processes", "nothing"),
    Attack("kill_everybody", "lived"),
    Attack("more_rights", "nothing"),
    Attack("new_namespaces", "nothing"),
    Attack("give_way", "nothing"),
    Attack("end_its_keeper", Verdict.CRASHED),
    Attack("move_into_its_keeper", "nothing"),
    Attack("descriptors", "full"),
    Attack("stdout_flood", "x"),
    Attack("endless_line", Verdict.OUTPUT),
    Attack("slow_endless_line", Verdict.TIME),
    Attack("no_newline", Verdict.TIME, cpu_ms=WAITING_MS),
    Attack("stderr_flood", Verdict.TIME),
    Attack("stderr_flood_then_answer", "lived", cpu_ms=5_000),
    Attack("stderr_flood_at_start", "lived"),
    Attack("binary_garbage", Verdict.OUTPUT),
    Attack("before_asked", Verdict.OUTPUT),
    Attack("closed_stdout", Verdict.OUTPUT, cpu_ms=WAITING_MS),
    Attack("closed_everything", Verdict.OUTPUT, cpu_ms=WAITING_MS),
    Attack("ignore_signals", Verdict.TIME),
    Attack("sleep_for_ever", Verdict.TIME, cpu_ms=WAITING_MS),
    Attack("stop_itself", Verdict.TIME, cpu_ms=WAITING_MS),
    Attack("watch_a_folder", "nothing"),
    Attack("name_that_is_no_text", "lived"),
    Attack("daemon", Verdict.CRASHED, cpu_ms=2_000),
    Attack("daemon_holds_stdout", (Verdict.CRASHED, Verdict.OUTPUT)),
)


def _numbers(calls: str) -> dict[str, int]:
    """Read system call numbers, those of x86-64."""
    return {name: int(number) for name, _, number in (call.partition("=") for call in calls.split())}


FORBIDDEN_CALLS = _numbers("""
    ptrace=101 process_vm_readv=310 process_vm_writev=311 process_madvise=440 pidfd_getfd=438 kcmp=312
    unshare=272 setns=308 mount=165 umount2=166 pivot_root=155 chroot=161 fsopen=430 fsconfig=431 fsmount=432
    fspick=433 open_tree=428 move_mount=429 mount_setattr=442 keyctl=250 add_key=248 request_key=249 bpf=321
    perf_event_open=298 userfaultfd=323 init_module=175 finit_module=313 delete_module=176 kexec_load=246
    kexec_file_load=320 reboot=169 swapon=167 swapoff=168 syslog=103 acct=163 quotactl=179 sethostname=170
    setdomainname=171 settimeofday=164 clock_settime=227 adjtimex=159 clock_adjtime=305 ioperm=173 iopl=172
    vhangup=153 name_to_handle_at=303 open_by_handle_at=304 lookup_dcookie=212 nfsservctl=180 uselib=134
""")

ABSENT_CALLS = _numbers("""
    clone3=435 io_uring_setup=425 io_uring_enter=426 io_uring_register=427 sched_setaffinity=203
    sched_setattr=314 sched_setparam=142 ioprio_set=251 shmget=29 msgget=68 semget=64 mq_open=240 setxattr=188
    modify_ldt=154 move_pages=279 timer_create=222 seccomp=317 timer_settime=223 mbind=237 set_mempolicy=238
    timerfd_create=283 timerfd_settime=286 signalfd=282 signalfd4=289 inotify_init=253 inotify_init1=294
    inotify_add_watch=254
""")
