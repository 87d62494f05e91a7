"""Whom limits by address count as one visitor: the only place that says so."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from django.http import HttpRequest

NETWORK_BITS = 64
"""Of an address of IPv6: how many a provider gives to a customer. allauth counts sign-ins alike."""


def visitor_of(request: HttpRequest) -> str:
    """Return whom a request is counted for: its address, of IPv6 its network (/64).

    The attack: a provider gives every customer a network, whose 2^64 addresses would each be another visitor.
    """
    from allauth.account.adapter import get_adapter  # the web server imports this module before there are models

    return visitor_at(get_adapter().get_client_ip(request))


def visitor_at(address: str) -> str:
    """Return the same for the address of a connection; what is none stands for itself."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped:
        return str((parsed.version == 6 and parsed.ipv4_mapped) or parsed)
    return str(ip_network((parsed, NETWORK_BITS), strict=False).network_address)
