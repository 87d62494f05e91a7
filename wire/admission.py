"""The site's answer to a host that joins an arena."""

from __future__ import annotations

from typing import Annotated

import msgspec


class Admission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a host gets in exchange for a valid token."""

    host: str
    """The host's name."""
    redis_url: Annotated[str, msgspec.Meta(pattern=r"\Arediss?://[A-Za-z0-9:/?@&=%._~\[\]-]+\Z")]
    """The broker's URL, with the name and password of the host's own broker user.

    The attack: a site, or somebody in between, answers with a line break or a quote in the URL, and so writes variables
    or commands into a file that a shell reads as root."""
    lease_seconds: float
    """``wire.jobs.LEASE_SECONDS``, which must be the same on every machine of the arena."""
