"""Takes uploads as new versions within each user's quotas, and lets failed or older versions be built again."""

from __future__ import annotations

import hashlib
from datetime import datetime

import structlog
from django.conf import settings
from django.core.files import File
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Max
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError
from common.queries.sql import content_lock, database_now
from common.words.messages import sentence_of
from core.text import printable
from jobs.files.storage import ARTIFACTS
from ladder.files.bundles import archive_is
from ladder.models import BotVersion, SentFile
from ladder.selectors.bots import LIVE_STATES
from ladder.services.bots import bot_for_upload, bots_lock
from ladder.services.builds import build_enqueue
from ladder.services.examining import upload_examine
from ladder.services.upload_checks import (
    check_bot_quota,
    check_is_own,
    check_language,
    check_may_enter,
    check_may_play_again,
    check_may_upload,
    check_plays_once,
    check_quotas,
    check_stored,
    owner_locked,
    participant_locked,
    sent_already,
    team_locked,
)
from ladder.services.versions import version_transition

State = BotVersion.State
log = structlog.get_logger(__name__)


def upload_receive(
    *, owner: User, contest: str, name: str, upload: File[bytes], language: str = "", received_at: datetime
) -> BotVersion:
    """Store an upload as it was sent as a new version, which a manager examines next (``upload_examine``).

    A new name creates a bot; the name of an own bot adds the next version to it. What needs the archive to be unpacked
    is not examined here, so that a rush before a deadline is taken in seconds. Without a language the builder decides
    by the file names. ``received_at`` is when the request reached the site (``common.arrivals``), which the deadline is
    compared with.

    Raises:
        InputError: the file is too large or of no kind that is taken, the name is invalid, a quota is used up, the
            contest takes no uploads, or none in the language, an administrator has stopped the owner's uploads, or the
            bot's newest version is the same file. No row is stored then.
    """
    if upload.size > settings.UPLOAD_MAX_BYTES:
        raise InputError(upload_too_large())
    upload_name, data = (upload.name or "").rsplit("/", 1)[-1], upload.read()
    archive_is(name=upload_name, data=data)
    with transaction.atomic():
        owner = owner_locked(owner.pk)
        check_may_upload(owner, contest, received_at)
        participant_locked(owner, contest, received_at)
        bot = bot_for_upload(owner=owner, contest=contest, name=name)
        check_language(bot, language)
        latest = bot.versions.order_by("-number").first()
        version = BotVersion(
            bot=bot,
            number=latest.number + 1 if latest else 1,
            state=State.RECEIVED,
            received_at=received_at,
            sent_digest=hashlib.sha256(data).hexdigest(),
            bundle_bytes=len(data),
            upload_name=printable(upload_name)[:120],
            language=language,
        )
        check_quotas(version, owner)
        _check_was_not_sent(latest, version.sent_digest)
        version.save()
        SentFile.objects.create(version=version, data=data, language_code=get_language() or settings.LANGUAGE_CODE)
    log.info("version_received", version=version.pk, bot=bot.pk, owner=owner.pk, bytes=len(data))
    return version


@transaction.atomic
def version_create(*, owner: User, contest: str, name: str, upload: File[bytes], language: str = "") -> BotVersion:
    """Receive and examine an upload in one transaction, for the bots that the arena brings itself (``upload_receive``).

    Raises:
        InputError: ``upload_receive`` or ``upload_examine`` refuses it. No row is stored then.
        StoreAway: the disk is full, or the bucket does not answer. No row is stored either.
    """
    version = upload_receive(
        owner=owner, contest=contest, name=name, upload=upload, language=language, received_at=database_now()
    )
    upload_examine(version_id=version.pk)
    version.refresh_from_db(fields=["state", "reason", "bundle_digest", "bundle_bytes"])
    if version.state == State.REJECTED:
        raise InputError(sentence_of(version.reason, version.bot.game))
    return version


def version_play_again(
    *, version: BotVersion, actor: User | None = None, received_at: datetime | None = None
) -> BotVersion:
    """Create the next version of a bot from the upload of an older one, put its build into the queue, and return it.

    The older one, which does not play any more, stays as it is. The actor is a member of the bot's team; None: the
    owner. ``received_at`` is when the request reached the site (``common.arrivals``); None: now.

    Raises:
        InputError: the version still plays or never played, an administrator has withdrawn it, the newest version is
            the same program, its upload is gone, or any upload would be refused (``version_create``).
        StoreAway: the bucket does not answer.
    """
    received_at = received_at or database_now()
    with transaction.atomic():
        bot = version.bot
        owner = owner_locked(actor.pk if actor else bot.owner_id)
        check_may_upload(owner, bot.contest_id, received_at)
        team_locked(bot.team_id)
        check_is_own(bot, owner)
        again = version.successor(bundle_bytes=_upload_bytes(version), received_at=received_at)
        check_quotas(again, owner)
        check_may_play_again(version, bot.versions.latest("number"), received_at)
        again.save()
        build_enqueue(version=again)
    log.info("version_plays_again", version=version.pk, again=again.pk, bot=bot.pk, owner=owner.pk)
    return again


def version_enter(
    *, version: BotVersion, contest: str, name: str, actor: User, received_at: datetime | None = None
) -> BotVersion:
    """Copy an accepted version to another contest of its game, where it plays at once, without a new build.

    It is the first version of a new bot of that name there, or the next version of an own bot, and is returned. The
    version that is copied belongs to a bot of the actor. ``received_at`` is when the request reached the site
    (``common.arrivals``); None: now.

    Raises:
        InputError: the version was never accepted or was disqualified, the contest is one of another game or does not
            take its language, or any upload there would be refused (``version_create``).
        StoreAway: the bucket does not answer.
    """
    received_at = received_at or database_now()
    with transaction.atomic():
        owner = owner_locked(actor.pk)
        check_is_own(version.bot, owner)
        check_may_upload(owner, contest, received_at)
        check_may_enter(version, contest)
        participant_locked(owner, contest, received_at)
        bot = bot_for_upload(owner=owner, contest=contest, name=name)
        latest = bot.versions.order_by("-number").first()
        entered = BotVersion(
            bot=bot,
            number=latest.number + 1 if latest else 1,
            received_at=received_at,
            bundle_digest=version.bundle_digest,
            bundle_bytes=_upload_bytes(version),  # so that it counts among the uploads of an hour
            upload_name=version.upload_name,
            language=version.language,
        )
        check_language(bot, version.language)
        check_quotas(entered, owner)
        check_plays_once(bot, latest, version.bundle_digest)
        _artifact_hold(version)
        entered.save()
        entered = version_transition(
            version=entered, to=State.ACTIVE, artifact_digest=version.artifact_digest, entry=version.entry
        )
    log.info("version_entered", version=version.pk, entered=entered.pk, bot=bot.pk, owner=owner.pk, contest=contest)
    return entered


def version_retry(*, version: BotVersion, actor: User | None = None) -> BotVersion:
    """Put a version whose build failed three times by the platform's fault into the queue again, and return it.

    The actor is a member of the bot's team; None: the owner.

    Raises:
        InputError: the version is not in the state FAILED, its contest takes no uploads, its owner's uploads are
            stopped, the quota of bots is used up, or another bot of the owner plays with the same program.
    """
    with transaction.atomic():
        owner = owner_locked(actor.pk if actor else version.bot.owner_id)
        check_may_upload(owner, version.bot.contest_id, version.received_at)
        team_locked(version.bot.team_id)
        check_is_own(version.bot, owner)
        check_bot_quota(version.bot, owner)
        check_plays_once(version.bot, None, version.bundle_digest)
        bots_lock(pks=[version.bot_id])  # no other transaction changes its state meanwhile
        # The attack: requests for a build that is already under way, again and again, would keep all builders busy.
        if not BotVersion.objects.filter(pk=version.pk, state=State.FAILED).exists():
            raise InputError(_("Only a version that we failed to build can be built again."))
        current = version_transition(version=version, to=State.UPLOADED, step="", verdict="", reason={}, log="")
        current.attempt = 0
        current.save(update_fields=["attempt"])
        build_enqueue(version=current)
    return current


def upload_too_large() -> str:
    """Return the sentence for an upload over the limit of size."""
    return _("The file is larger than %(max)d MiB. Please leave out what your bot does not need.") % {
        "max": settings.UPLOAD_MAX_BYTES // 1024**2
    }


def _artifact_hold(version: BotVersion) -> None:
    """Keep upload and built program of a version from being deleted until the transaction ends.

    Raises:
        InputError: the store has lost one of them.
        StoreAway: the bucket does not answer.
    """
    for digest in (version.bundle_digest, version.artifact_digest):
        content_lock(digest=digest, shared=True)
        check_stored(digest)


def _upload_bytes(version: BotVersion) -> int:
    """Return the size of a version's bundle, also for a rebuilt version, whose ``bundle_bytes`` is 0."""
    same = version.bot.versions.filter(bundle_digest=version.bundle_digest)
    return int(same.aggregate(bytes=Max("bundle_bytes"))["bytes"])


def _check_was_not_sent(latest: BotVersion | None, digest: str) -> None:
    """Refuse the file of the latest version again: a double click, a retry after a lost answer, or the wrong file.

    It is taken if the file store has lost that version, since this is how its owner gives it back.
    """
    if latest is None or latest.sent_digest != digest or latest.state not in LIVE_STATES:
        return
    try:
        if latest.bundle_digest and not storages[ARTIFACTS].exists(latest.bundle_digest):
            return
    except OSError:  # the examination finds out, once the store answers
        return
    raise InputError(sent_already(latest))
