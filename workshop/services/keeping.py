"""Deletes tries after some days, and what users have in the workshop whose account is closed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from ladder.services.bots import uploads_delete
from matches.services.replays import replays_delete
from workshop.models import Draft, Try

KEPT_DAYS = 2
_BATCH = 200


def tries_forget() -> int:
    """Delete some tries that began more than ``KEPT_DAYS`` ago, with their files; return how many."""
    with transaction.atomic():
        old = Try.objects.filter(created_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
        tries = list(old.exclude(state__in=Try.OPEN).order_by("created_at")[:_BATCH])
        Try.objects.filter(pk__in=[each.pk for each in tries]).delete()
    _files_delete(tries)
    return len(tries)


def programs_delete(*, user: User, **_: Any) -> None:
    """Delete the drafts and tries of a user whose account is closed; a receiver of ``account_closed``."""
    Draft.objects.filter(owner=user).delete()
    tries = list(Try.objects.filter(owner=user))
    Try.objects.filter(pk__in=[each.pk for each in tries]).delete()
    transaction.on_commit(lambda: _files_delete(tries), robust=True)


def _files_delete(tries: Sequence[Try]) -> None:
    """Delete the files of tries whose rows are gone, except those that other tries, versions or matches have.

    After the commit: a file without a row is useless, a row without a file is an error.
    """
    programs = {each.bundle_digest for each in tries}
    programs -= set(Try.objects.filter(bundle_digest__in=programs).values_list("bundle_digest", flat=True))
    files = {digest for each in tries for digest in (each.replay_digest, each.log_digest) if digest}
    for field in ("replay_digest", "log_digest"):
        files -= set(Try.objects.filter(**{f"{field}__in": files}).values_list(field, flat=True))
    uploads_delete(digests=programs)
    replays_delete(digests=files)
