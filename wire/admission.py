"""What a host is given when it joins an arena."""

from __future__ import annotations

import msgspec


class Admission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The site's answer to a token that is good."""

    host: str
    """Its name."""
    redis_url: str
    """The broker, with a user of the host's own."""
    lease_seconds: float
    """The same on every machine of the arena (``wire.jobs.LEASE_SECONDS``)."""
