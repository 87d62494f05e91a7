"""How many descriptors this process may have, and waiting for one of any number."""

from __future__ import annotations

import resource
import select

WANTED = 8_192
"""Two for each process of four bots with 512 of them, the most that a game may allow, and as many again."""


def many_allowed() -> None:
    """Raise the soft limit of descriptors, mostly 1,024, as far as the hard one lets us.

    The attack: a bot that is about to lose starts as many processes as its game allows. The sandbox holds each by two
    descriptors while it is frozen, and a worker that has none left voids the match. Programs have limits of their own.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


def readable_within(descriptor: int, seconds: float | None) -> bool:
    """Wait until a descriptor can be read or its other end is closed; tell whether that came in time (None: no limit).

    Not by ``select.select``, which knows the numbers below 1,024 only.
    """
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if seconds is None else seconds * 1e3))
