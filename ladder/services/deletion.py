"""Deletes bots that never came to anything: tries of which no version was ever accepted."""

from __future__ import annotations

import structlog
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Q

from accounts.models import Notification, User
from common.errors import InputError
from common.queries.sql import content_lock
from common.signals import replays_released
from jobs.files.storage import ARTIFACTS
from ladder.models import Bot, BotVersion
from ladder.selectors.uploads import bot_delete_problem
from ladder.services.versions import bots_lock

log = structlog.get_logger(__name__)


@transaction.atomic
def bot_delete(*, bot: Bot) -> None:
    """Delete a bot of which no version was ever accepted, with its versions, uploads, replays, logs and notifications.

    Raises:
        InputError: a version was accepted, or waits for its check, or was uploaded within the last hour.
    """
    User.objects.select_for_update(no_key=True).get(pk=bot.owner_id)  # as an upload: no version comes in meanwhile
    bots_lock(pks=[bot.pk])
    if problem := bot_delete_problem(bot=bot):
        raise InputError(problem)
    uploads = _digests(bot, "bundle_digest", "artifact_digest")
    replays = _digests(bot, "check_replay_digest", "check_log_digest")
    Notification.objects.filter(reader=bot.owner_id, values__bot=bot.pk).delete()
    bot.versions.all().delete()
    log.info("bot_deleted", bot=bot.pk, owner=bot.owner_id)
    Bot.objects.filter(pk=bot.pk).delete()
    transaction.on_commit(lambda: _uploads_delete(uploads), robust=True)
    transaction.on_commit(lambda: _replays_release(replays), robust=True)


def _digests(bot: Bot, *fields: str) -> set[str]:
    rows = bot.versions.values_list(*fields)
    return {digest for row in rows for digest in row if digest}


def _uploads_delete(digests: set[str]) -> None:
    """Delete stored uploads, except those that other versions share: equal files are stored once."""
    for digest in digests:
        with transaction.atomic():
            content_lock(digest=digest)  # who is just uploading the same file has stored it, and we see no version yet
            if not BotVersion.objects.filter(Q(bundle_digest=digest) | Q(artifact_digest=digest)).exists():
                storages[ARTIFACTS].delete(digest)


def _replays_release(digests: set[str]) -> None:
    """Have the replays and logs of check matches deleted, except those that other versions share."""
    for field in ("check_replay_digest", "check_log_digest"):
        shared = BotVersion.objects.filter(**{f"{field}__in": digests})
        digests -= set(shared.values_list(field, flat=True))
    replays_released.send(sender=None, digests=digests)
