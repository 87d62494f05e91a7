"""Deletes tries after some days, and what users have in the workshop whose account is closed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from common.queries.sql import content_lock
from ladder.services.bots import uploads_delete
from matches.services.replays import replays_delete
from workshop.models import Draft, Try

KEPT_DAYS = 2
_BATCH = 200
_DIGESTS = ("bundle_digest", "replay_digest", "log_digest")


def tries_forget() -> int:
    """Delete some ended tries that began more than ``KEPT_DAYS`` ago, with their files; return how many.

    The rows come last: when the store of files is away, the next call finds them again.
    """
    old = Try.objects.filter(created_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
    tries = list(old.exclude(state__in=Try.OPEN).order_by("created_at").only(*_DIGESTS)[:_BATCH])
    _files_delete(tries)
    Try.objects.filter(pk__in=[each.pk for each in tries]).delete()
    return len(tries)


def programs_delete(*, user: User, **_: Any) -> None:
    """Delete the drafts and tries of a user whose account is closed; a receiver of ``account_closed``."""
    Draft.objects.filter(owner=user).delete()
    tries = list(Try.objects.filter(owner=user).only(*_DIGESTS))
    Try.objects.filter(pk__in=[each.pk for each in tries]).delete()
    transaction.on_commit(lambda: _files_delete(tries), robust=True)


def _files_delete(tries: Sequence[Try]) -> None:
    """Delete the files of tries that are deleted, except those that other tries, versions or matches have."""
    others = Try.objects.exclude(pk__in=[each.pk for each in tries])
    for program in {each.bundle_digest for each in tries}:
        with transaction.atomic():
            content_lock(digest=program)  # a try of the same program that begins holds it until its row is committed
            if not others.filter(bundle_digest=program).exists():
                uploads_delete(digests={program})
    files = {digest for each in tries for digest in (each.replay_digest, each.log_digest) if digest}
    for field in ("replay_digest", "log_digest"):
        files -= set(others.filter(**{f"{field}__in": files}).values_list(field, flat=True))
    replays_delete(digests=files)
