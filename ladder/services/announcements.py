"""Saves and deletes announcements, with an entry in the audit log."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from accounts.services.audit import audit_write
from common.queries.cached import cached_changed
from ladder.models import Announcement


@transaction.atomic
def announcement_save(*, announcement: Announcement, actor: User | None) -> None:
    """Save a validated announcement; pages show it within ``common.queries.cached.SECONDS``.

    ``actor`` is the user who saves it, for the audit log; None: the command line.
    """
    announcement.save()
    audit_write(actor=actor, act="announcement_save", target=f"{announcement.pk}: {announcement}")
    cached_changed()


@transaction.atomic
def announcement_delete(*, announcement: Announcement, actor: User | None) -> None:
    """Delete an announcement. ``actor`` is as in ``announcement_save``."""
    audit_write(actor=actor, act="announcement_delete", target=f"{announcement.pk}: {announcement}")
    announcement.delete()
    cached_changed()
