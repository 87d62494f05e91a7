"""Keeps the jobs of private contests from hosts that are not the site's own, which would see the programs."""

from __future__ import annotations

from wire.jobs import JOB_QUEUES

OWN_PREFIX = "own."
"""Prefix of the queues with the jobs that hosts of others may not see."""
OWN_QUEUES = tuple(f"{OWN_PREFIX}{queue}" for queue in JOB_QUEUES)
"""The queues beside ``JOB_QUEUES`` from which the site's own hosts take jobs as well."""
GUEST_PREFIX = "guest-"
"""Prefix of the names of broker users that belong to one host of others each; they have no right to these queues."""


def is_guest(user: str) -> bool:
    """Return whether a user of the broker belongs to a host of others."""
    return user.startswith(GUEST_PREFIX)
