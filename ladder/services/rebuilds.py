"""What a worker has built that is not trusted any more is built again by others, from the same uploads.

The attack: a worker that somebody has taken over puts something else into what it builds, and it plays in the name of
bots of others long after the worker has gone.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from ladder.models import BotVersion
from ladder.services.builds import build_enqueue
from ladder.services.versions import bots_lock

log = structlog.get_logger(__name__)

State = BotVersion.State


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
    return sum(_rebuilt(pk, bot) for pk, bot in built.order_by("pk").values_list("pk", "bot"))


@transaction.atomic
def _rebuilt(pk: int, bot: int) -> bool:
    bots_lock(pks=[bot])  # so none of its versions changes meanwhile
    version, versions = BotVersion.objects.get(pk=pk), BotVersion.objects.filter(bot=bot)
    # Not only the newest: behind it, which may have been rejected, an older one may still be on its way.
    newer = versions.filter(number__gt=version.number, state__in=(State.UPLOADED, State.BUILDING))
    if version.state not in BotVersion.ON_BOARD or newer.exists():
        return False
    number = versions.latest("number").number + 1
    # English, as stored sentences are: `ladder.words.sentences` tells it in the reader's language.
    version.sentence = f"The worker that built this version is not trusted any more; it was built again as v{number}."
    version.save(update_fields=["sentence"])
    again = BotVersion.objects.create(
        bot=version.bot,
        number=number,
        bundle_digest=version.bundle_digest,
        bundle_bytes=0,
        upload_name=version.upload_name,
        language=version.language,
    )
    build_enqueue(version=again)
    log.warning("version_rebuilt", version=pk, worker=version.worker, again=again.pk)
    return True
