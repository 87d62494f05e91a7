"""Who is not asked stands still: so no bot thinks in another's time, or grows while another measures itself.

By SIGSTOP, which nobody can catch, and not by the kernel's freezer of groups: that would hold the sandbox's own helpers
too, and Docker's groups are the engine's.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from sandbox.cgroups import Group


class Freezer:
    """Stops and wakes the processes of one group.

    It holds on to those that it has stopped by descriptor, not by number. The attack: a process ends while its program
    is asked, others start and end until its number is a stranger's, and the stranger is stopped in its place.
    """

    def __init__(self, group: Group, helpers: frozenset[int]) -> None:
        """Take a group, and which of its processes are the sandbox's own and always run."""
        self._group, self._helpers = group, helpers
        self._held: dict[int, int] = {}

    def freeze(self) -> None:
        """Stop every process of the group but the helpers.

        Raises:
            PermissionError: not root.
        """
        if not self._stopped_as_before():
            self._stop_anew()

    def thaw(self) -> None:
        """Let the stopped go on. None can have been added: who is stopped starts nothing."""
        for held in self._held.values():
            _send(held, signal.SIGCONT)

    def close(self) -> None:
        """Let go of all; they stay as they are."""
        while self._held:
            os.close(self._held.popitem()[1])

    def _stopped_as_before(self) -> bool:
        """Stop those that were stopped the last time; tell whether these are all, as with most bots.

        Nothing more than a count is read for that, a tenth of what it takes to list them. Each of those held that is
        not buried is one thread at least, and so is each helper, without which there is no program. So where there are
        just as many threads, none is left for anybody else.
        """
        all_there = all(_send(held, signal.SIGSTOP) for held in self._held.values())
        return bool(self._held) and all_there and self._group.threads() == len(self._held) + len(self._helpers)

    def _stop_anew(self) -> None:
        """Look who is there and stop them, again until no new one has turned up."""
        self.close()
        reached = set(self._helpers)
        while fresh := set(self._group.pids()) - reached:
            for pid in fresh:
                with suppress(ProcessLookupError):  # it has just ended
                    self._held[pid] = _stopped(pid)
            reached |= fresh


def _stopped(pid: int) -> int:
    held = os.pidfd_open(pid)
    try:
        signal.pidfd_send_signal(held, signal.SIGSTOP)
    except OSError:
        os.close(held)
        raise
    return held


def _send(held: int, number: signal.Signals) -> bool:
    """Send a signal to a process, by descriptor; tell whether it has not been buried yet."""
    try:
        signal.pidfd_send_signal(held, number)
    except ProcessLookupError:
        return False
    return True
