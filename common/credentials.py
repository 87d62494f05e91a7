"""The header ``Authorization``: what a program shows to be let in."""

from __future__ import annotations


def credentials(*, header: str, scheme: str) -> str:
    """Return what follows a scheme in the header ``Authorization``; empty if it has another scheme.

    Upper and lower case are the same in a scheme, such as ``Bearer`` (RFC 9110, 11.1).
    """
    name, _space, rest = header.strip().partition(" ")
    return rest.strip() if name.lower() == scheme.lower() else ""
