"""What sandboxes ask of the processes of a program: of a control group, or of a process and its descendants."""

from __future__ import annotations

from typing import Protocol


class Group(Protocol):
    """All processes of one program, seen as one."""

    def pids(self) -> list[int]:
        """Return the numbers of the live processes."""

    def threads(self) -> int:
        """Return the number of threads of all processes; a zombie counts as one."""

    def cpu_ms(self) -> float:
        """Return the CPU time that all processes have used, those that have ended included."""

    def run_delay_ms(self) -> float:
        """Return how long at least one thread was ready to run and got no core, threads that have ended included.

        It is 0 where the kernel does not add that up: in version 1 of control groups, and without a group.
        """
        return 0.0

    def memory_peak_mib(self) -> float:
        """Return the most memory that the processes have used together at one time."""

    def memory_kills(self) -> int:
        """Return how many of the processes the kernel killed for lack of memory."""

    def stood_at_memory_limit(self) -> bool:
        """Return whether the group has reached its own memory limit.

        A process killed before that is not to blame: the whole machine was short of memory, or a group around this
        one was (the container or the systemd unit of the worker).
        """

    def thrashes(self) -> bool:
        """Return whether the processes use so much memory that too little is left to cache the files they run from.

        The kernel then drops pages of these files and reads them again for ever, instead of killing a process. Where it
        holds no limit, it never has to.
        """
        return False

    def close(self) -> None:
        """Close the descriptors of the kernel's files, if there are any."""
        return
