"""Deletes tries after some days, and what users have in the workshop whose account is closed."""

from __future__ import annotations

from collections.abc import Collection
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
    """Delete some tries that began more than ``KEPT_DAYS`` ago, with their files; return how many."""
    with transaction.atomic():
        old = Try.objects.filter(created_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
        ended = old.exclude(state__in=Try.OPEN).order_by("created_at")
        rows = list(ended.values_list("pk", *_DIGESTS)[:_BATCH])
        Try.objects.filter(pk__in=[pk for pk, *_digests in rows]).delete()
    _files_delete([digests for _pk, *digests in rows])
    return len(rows)


def programs_delete(*, user: User, **_: Any) -> None:
    """Delete the drafts and tries of a user whose account is closed; a receiver of ``account_closed``."""
    Draft.objects.filter(owner=user).delete()
    tries = Try.objects.filter(owner=user)
    digests = list(tries.values_list(*_DIGESTS))
    tries.delete()
    transaction.on_commit(lambda: _files_delete(digests), robust=True)


def _files_delete(digests: Collection[Collection[str]]) -> None:
    """Delete the files of tries whose rows are gone, except those that other tries, versions or matches have.

    After the commit: a file without a row is useless, a row without a file is an error.

    Args:
        digests: of each try, those of ``_DIGESTS``.
    """
    for program in {program for program, *_files in digests}:
        with transaction.atomic():
            content_lock(digest=program)  # a try of the same program that begins holds it until its row is committed
            if not Try.objects.filter(bundle_digest=program).exists():
                uploads_delete(digests={program})
    files = {digest for _program, *stored in digests for digest in stored if digest}
    for field in ("replay_digest", "log_digest"):
        files -= set(Try.objects.filter(**{f"{field}__in": files}).values_list(field, flat=True))
    replays_delete(digests=files)
