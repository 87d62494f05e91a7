"""Saves and deletes announcements, with an entry in the audit log."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from accounts.services.audit import audit_write
from common.queries.cached import cached_changed
from ladder.models import Announcement


@transaction.atomic
def announcement_save(*, announcement: Announcement, actor: User | None) -> None:
    """Save a validated announcement; every page shows it within ``common.queries.cached.SECONDS``."""
    announcement.save()
    audit_write(actor=actor, act="announcement_save", target=f"{announcement.pk}: {announcement}")
    cached_changed()


@transaction.atomic
def announcement_delete(*, announcement: Announcement, actor: User | None) -> None:
    """Delete an announcement."""
    audit_write(actor=actor, act="announcement_delete", target=f"{announcement.pk}: {announcement}")
    announcement.delete()
    cached_changed()
