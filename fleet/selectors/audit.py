"""Queries for the audit log."""

from __future__ import annotations

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from accounts.models import AuditEntry

PAGE_ROWS = 50


def audit_entries() -> QuerySet[AuditEntry]:
    """Return all entries of the audit log, newest first."""
    return AuditEntry.objects.all()


def audit_page(*, number: str | None) -> Page[AuditEntry]:
    """Return a page of the audit log, newest first (2 queries); the nearest page for a number that does not exist."""
    return Paginator(audit_entries(), PAGE_ROWS).get_page(number)
