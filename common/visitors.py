"""Whom limits by address count as one visitor: the only place that says so."""

from __future__ import annotations

from ipaddress import ip_address

from allauth.core.internal.ratelimit import get_ip, truncate_ip
from django.http import HttpRequest


def visitor_of(request: HttpRequest) -> str:
    """Return whom a request is counted for: its address, of IPv6 its network (/64), as allauth counts sign-ins.

    The attack: a provider gives every customer a network, whose 2^64 addresses would each be another visitor.
    """
    return str(get_ip(request))


def visitor_at(address: str) -> str:
    """Return the same for the address of a connection; what is none stands for itself."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    return str(truncate_ip(str((parsed.version == 6 and parsed.ipv4_mapped) or parsed)))
