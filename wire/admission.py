"""The site's answer to a host that joins an arena."""

from __future__ import annotations

import msgspec


class Admission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host gets in exchange for a valid token."""

    host: str
    """The host's name."""
    redis_url: str
    """The broker's URL, with the name and password of the host's own broker user."""
    lease_seconds: float
    """``wire.jobs.LEASE_SECONDS``, which must be the same on every machine of the arena."""
