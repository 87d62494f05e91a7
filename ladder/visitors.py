"""Whom limits by address count as one visitor: the only place that says so."""

from __future__ import annotations

from allauth.core.internal.ratelimit import get_ip
from django.http import HttpRequest


def visitor_of(request: HttpRequest) -> str:
    """Return whom a request is counted for: its address, of IPv6 its network (/64), as allauth counts sign-ins.

    The attack: a provider gives every customer a network, whose 2^64 addresses would each be another visitor.
    """
    return str(get_ip(request))
