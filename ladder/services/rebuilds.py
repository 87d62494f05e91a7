"""Builds versions again, from the same uploads, whose built programs cannot be used any more.

There are two causes. A worker is distrusted: an attacker on it could have put other programs into its builds, which
would play on under the names of other users' bots. Or the file store has lost the built program: each match of the
version would fail ``ATTEMPTS_MAX`` times and be given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog
from django.core.files.storage import storages
from django.db import transaction

from core.message import Message, stored
from jobs.files.storage import ARTIFACTS
from ladder.models import BotVersion
from ladder.services.bots import bots_lock
from ladder.services.builds import build_enqueue

log = structlog.get_logger(__name__)

State = BotVersion.State


_DISTRUSTED, _LOST = "version-rebuilt-distrusted", "version-rebuilt-lost"
"""Kinds of the message about a version that is built again."""


def versions_rebuild(*, worker: str, since: datetime) -> int:
    """Rebuild the versions on the board that a worker has built and that became active since a time; return how many.

    A version that has played is never changed. Each rebuild is the next version of its bot, from the same upload, and
    replaces the old one when it is ready. Bots with a newer upload in the queue are skipped: that one replaces it.
    """
    built = BotVersion.objects.filter(worker=worker, state__in=BotVersion.ON_BOARD, activated_at__gte=since)
    return sum(_rebuild(pk, bot, _DISTRUSTED) for pk, bot in built.order_by("pk").values_list("pk", "bot"))


def versions_lost_rebuild(*, pks: Sequence[int]) -> int:
    """Rebuild those of some versions whose artifacts the file store has lost, as ``versions_rebuild``; return how many.

    Each upload is rebuilt once, since a second try would fail as well. A version whose upload is lost, too, is only
    logged as an error: an administrator has to repair the store.
    """
    versions = BotVersion.objects.filter(pk__in=pks, state__in=BotVersion.ON_BOARD)
    return sum(
        _rebuild(version.pk, version.bot_id, _LOST) for version in versions.order_by("pk") if _can_be_rebuilt(version)
    )


def _can_be_rebuilt(version: BotVersion) -> bool:
    """Return whether a version's artifact is lost and can be built again; log an error if it is lost."""
    store = storages[ARTIFACTS]
    try:
        if store.exists(version.artifact_digest):
            return False
        again = version.bot.versions.filter(number__gt=version.number, bundle_digest=version.bundle_digest)
        can_be_made = store.exists(version.bundle_digest) and not again.exists()
    except OSError as error:  # a store that does not answer has not lost the file
        log.warning("store_away", error=str(error))
        return False
    log.error("artifact_lost", version=version.pk, digest=version.artifact_digest, can_be_made=can_be_made)
    return can_be_made


@transaction.atomic
def _rebuild(pk: int, bot: int, kind: str) -> bool:
    bots_lock(pks=[bot])  # none of its versions changes until the transaction ends
    version, versions = BotVersion.objects.get(pk=pk), BotVersion.objects.filter(bot=bot)
    # Any newer version, not only the newest: that may be rejected while one before it is still in the queue.
    newer = versions.filter(number__gt=version.number, state__in=(State.RECEIVED, State.UPLOADED, State.BUILDING))
    if version.state not in BotVersion.ON_BOARD or newer.exists():
        return False
    # The platform's rebuild must neither use up the owner's quota nor come too late for a deadline.
    again = version.successor(bundle_bytes=0, received_at=version.received_at)
    version.reason = stored(Message(kind, {"number": str(again.number)}))
    version.save(update_fields=["reason"])
    again.save()
    build_enqueue(version=again)
    log.warning("version_rebuilt", version=pk, worker=version.worker, again=again.pk)
    return True
