"""Deletes bots that never came to anything: tries of which no version was ever accepted."""

from __future__ import annotations

import structlog
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Q

from ladder.errors import InputError
from ladder.files.storage import ARTIFACTS
from ladder.models import Bot, BotVersion, Notification, User
from ladder.selectors.uploads import bot_delete_problem
from ladder.services.versions import bots_lock

log = structlog.get_logger(__name__)


@transaction.atomic
def bot_delete(*, bot: Bot) -> None:
    """Delete a bot of which no version was ever accepted, with its versions, uploads, logs and notifications.

    Raises:
        InputError: a version was accepted, or waits for its check, or was uploaded within the last hour.
    """
    User.objects.select_for_update(no_key=True).get(pk=bot.owner_id)  # as an upload: no version comes in meanwhile
    bots_lock(pks=[bot.pk])
    if problem := bot_delete_problem(bot=bot):
        raise InputError(problem)
    pairs = bot.versions.values_list("bundle_digest", "artifact_digest")
    digests = {digest for pair in pairs for digest in pair if digest}
    Notification.objects.filter(values__bot=bot.pk).delete()
    bot.versions.all().delete()
    log.info("bot_deleted", bot=bot.pk, owner=bot.owner_id)
    Bot.objects.filter(pk=bot.pk).delete()
    transaction.on_commit(lambda: _files_delete(digests), robust=True)


def _files_delete(digests: set[str]) -> None:
    """Delete stored uploads, except those that other versions share: equal files are stored once."""
    for digest in digests:
        if not BotVersion.objects.filter(Q(bundle_digest=digest) | Q(artifact_digest=digest)).exists():
            storages[ARTIFACTS].delete(digest)
