"""Raises the limit of open file descriptors, and waits for descriptors that ``select`` cannot handle."""

from __future__ import annotations

import resource
import select

WANTED = 8_192
"""Enough for two descriptors of each process of four bots with 512 processes, the most that a game may allow, twice."""


def raise_descriptor_limit() -> None:
    """Raise the soft limit of descriptors of this process, by default 1,024, to ``WANTED`` or the hard limit.

    The attack: a bot that is about to lose starts as many processes as its game allows. The sandbox holds two
    descriptors of each process while it is frozen, and a worker that has no descriptors left voids the match. The
    limits of programs in the sandbox are set separately.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def readable_within(descriptor: int, seconds: float | None) -> bool:
    """Wait until a descriptor can be read or its other end is closed; return whether that happened in time.

    With None as ``seconds`` it waits without a limit. ``select.select`` would fail for descriptors from 1,024 on.
    """
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if seconds is None else seconds * 1e3))
