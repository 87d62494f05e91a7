"""Which requests count as those of one visitor, for all limits by IP address."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from django.http import HttpRequest

NETWORK_BITS = 64
"""Length of the IPv6 prefix that a provider gives to one customer. allauth counts sign-ins by the same prefix."""


def visitor_of(request: HttpRequest) -> str:
    """Return the visitor of a request: its IPv4 address, or the network (/64) of its IPv6 address.

    The attack: a provider gives every customer a whole network, whose 2^64 addresses would each be another visitor.
    """
    from allauth.account.adapter import get_adapter  # the web server imports this module before there are models

    return visitor_at(get_adapter().get_client_ip(request))


def visitor_at(address: str) -> str:
    """Return the visitor of an IP address, as ``visitor_of``; a text that is no IP address is returned unchanged."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4 or parsed.ipv4_mapped:
        return str((parsed.version == 6 and parsed.ipv4_mapped) or parsed)
    return str(ip_network((parsed, NETWORK_BITS), strict=False).network_address)
