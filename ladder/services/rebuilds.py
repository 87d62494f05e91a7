"""What was built and cannot be used any more is built again, from the same uploads.

Either nobody trusts the worker that built it: one that somebody has taken over puts something else into what it builds,
and it plays in the name of bots of others long after the worker has gone. Or the store has lost it: each match of such
a version would fail three times and be given up, whoever its opponent is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog
from django.core.files.storage import storages
from django.db import transaction

from jobs.files.storage import ARTIFACTS
from ladder.models import BotVersion
from ladder.services.builds import build_enqueue
from ladder.services.versions import bots_lock

log = structlog.get_logger(__name__)

State = BotVersion.State


# English, as stored sentences are: `common.words.sentences` tells them in the reader's language.
_DISTRUSTED = "The worker that built this version is not trusted any more; it was built again as v{number}."
_LOST = "What was built of this version is missing from the store; it was built again as v{number}."


def versions_rebuild(*, worker: str, since: datetime) -> int:
    """Have what a worker has built since then, and what still stands for its bot, built once more.

    A version that has played is never changed: each is the next version of its bot, from the same upload, and takes the
    other's place when it is ready. Not where a newer upload is on its way, which does so anyhow.

    Args:
        worker: its name.
        since: what became active before that stays.

    Returns:
        How many are built again.
    """
    built = BotVersion.objects.filter(worker=worker, state__in=BotVersion.ON_BOARD, activated_at__gte=since)
    return sum(_rebuilt(pk, bot, _DISTRUSTED) for pk, bot in built.order_by("pk").values_list("pk", "bot"))


def versions_lost_rebuild(*, pks: Sequence[int]) -> int:
    """Have those of some versions built once more whose artifacts the store has lost; see ``versions_rebuild``.

    Once for each upload: if that comes to nothing, another try would, too. And never where the upload is gone as well:
    a store that has lost both has lost more than a file, and needs an administrator, whom the log tells.

    Args:
        pks: their keys, in whatever order.

    Returns:
        How many are built again.
    """
    versions = BotVersion.objects.filter(pk__in=pks, state__in=BotVersion.ON_BOARD)
    return sum(
        _rebuilt(version.pk, version.bot_id, _LOST) for version in versions.order_by("pk") if _is_mendable(version)
    )


def _is_mendable(version: BotVersion) -> bool:
    """Tell whether a version's artifact is gone and can be made again; log that it is gone."""
    store = storages[ARTIFACTS]
    try:
        if store.exists(version.artifact_digest):
            return False
        again = version.bot.versions.filter(number__gt=version.number, bundle_digest=version.bundle_digest)
        can_be_made = store.exists(version.bundle_digest) and not again.exists()
    except OSError as error:  # a store that is away has lost nothing
        log.warning("store_away", error=str(error))
        return False
    log.error("artifact_lost", version=version.pk, digest=version.artifact_digest, can_be_made=can_be_made)
    return can_be_made


@transaction.atomic
def _rebuilt(pk: int, bot: int, sentence: str) -> bool:
    bots_lock(pks=[bot])  # so none of its versions changes meanwhile
    version, versions = BotVersion.objects.get(pk=pk), BotVersion.objects.filter(bot=bot)
    # Not only the newest: behind it, which may have been rejected, an older one may still be on its way.
    newer = versions.filter(number__gt=version.number, state__in=(State.UPLOADED, State.BUILDING))
    if version.state not in BotVersion.ON_BOARD or newer.exists():
        return False
    again = version.again(bundle_bytes=0)  # it counts for no quota: nobody has asked for it
    version.sentence = sentence.format(number=again.number)
    version.save(update_fields=["sentence"])
    again.save()
    build_enqueue(version=again)
    log.warning("version_rebuilt", version=pk, worker=version.worker, again=again.pk)
    return True
