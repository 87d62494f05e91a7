"""Deletes tries after some days."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from ladder.services.bots import uploads_delete
from matches.services.replays import replays_delete
from workshop.models import Try

KEPT_DAYS = 2
_BATCH = 200


def tries_forget() -> int:
    """Delete some tries that began more than ``KEPT_DAYS`` ago, with their files; return how many."""
    with transaction.atomic():
        old = Try.objects.filter(created_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
        tries = list(old.exclude(state__in=Try.OPEN).order_by("created_at")[:_BATCH])
        Try.objects.filter(pk__in=[each.pk for each in tries]).delete()
    programs = {each.bundle_digest for each in tries}
    programs -= set(Try.objects.filter(bundle_digest__in=programs).values_list("bundle_digest", flat=True))
    files = {digest for each in tries for digest in (each.replay_digest, each.log_digest) if digest}
    for field in ("replay_digest", "log_digest"):
        files -= set(Try.objects.filter(**{f"{field}__in": files}).values_list(field, flat=True))
    # After the commit: a file without a row is useless, a row without a file is an error.
    uploads_delete(digests=programs)
    replays_delete(digests=files)
    return len(tries)
