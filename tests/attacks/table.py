"""Every attack with what it must get: a verdict, or the line it may answer when the walls have simply held."""

from __future__ import annotations

from dataclasses import dataclass

from sandbox.api import Verdict

CPU_MS = 300
"""What the attacked turn allows."""
WAITING_MS = 50
"""The same where the attack is to wait: it ends by the wall clock, whose limit hangs on that of the CPU time."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile program, ``programs/<name>.py``."""

    name: str
    expected: Verdict | str | tuple[Verdict, ...]
    """A verdict (or the possible ones, where it is a race between two limits), or the answer of a held wall."""
    cpu_ms: int = CPU_MS


ATTACKS = (
    Attack("memory_hog", Verdict.MEMORY, cpu_ms=2_000),
    Attack("memory_children", Verdict.MEMORY, cpu_ms=2_000),
    Attack("memory_children_quietly", Verdict.MEMORY, cpu_ms=2_000),
    Attack("fill_tmp", "full", cpu_ms=2_000),
    Attack("fill_tmp_with_names", (Verdict.TIME, Verdict.MEMORY)),
    Attack("fill_shm", "full", cpu_ms=2_000),
    Attack("big_file", "full", cpu_ms=2_000),
    Attack("fork_bomb", Verdict.TIME, cpu_ms=150),  # less, so that a busy machine gives it all before the wall limit
    Attack("thread_bomb", Verdict.TIME),
    Attack("process_limit", "full", cpu_ms=2_000),
    Attack("write_outside", "nothing"),
    Attack("other_processes", "nothing"),
    Attack("kill_everybody", "lived"),
    Attack("more_rights", "nothing"),
    Attack("new_namespaces", "nothing"),
    Attack("give_way", "nothing"),
    Attack("end_its_keeper", Verdict.CRASHED),
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
    Attack("name_that_is_no_text", "lived"),
    Attack("daemon", Verdict.CRASHED, cpu_ms=2_000),
    Attack("daemon_holds_stdout", (Verdict.CRASHED, Verdict.OUTPUT)),
)

FORBIDDEN_CALLS = {
    "ptrace": 101,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "pidfd_getfd": 438,
    "unshare": 272,
    "setns": 308,
    "mount": 165,
    "umount2": 166,
    "pivot_root": 155,
    "chroot": 161,
    "fsopen": 430,
    "open_tree": 428,
    "keyctl": 250,
    "add_key": 248,
    "bpf": 321,
    "perf_event_open": 298,
    "userfaultfd": 323,
    "finit_module": 313,
    "kexec_load": 246,
    "reboot": 169,
    "swapon": 167,
    "syslog": 103,
    "open_by_handle_at": 304,
}
"""Numbers on x86-64."""

ABSENT_CALLS = {
    "clone3": 435,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "sched_setaffinity": 203,
    "shmget": 29,
    "timer_create": 222,
}
"""Numbers on x86-64."""
