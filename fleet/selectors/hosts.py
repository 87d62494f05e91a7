"""Queries for hosts."""

from __future__ import annotations

from fleet.models import Host


def hosts_all() -> list[Host]:
    """Return all hosts by name (1 query)."""
    return list(Host.objects.all())


def host_by_id(*, pk: int) -> Host | None:
    """Return a host, or None (1 query)."""
    return Host.objects.filter(pk=pk).first()
