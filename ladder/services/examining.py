"""Examines received uploads: unpacks them, and puts their builds into the queue or rejects them."""

from __future__ import annotations

import time

import structlog
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import InterfaceError, InternalError, OperationalError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from common.errors import IllegalTransition, InputError, StoreAway
from common.queries.sql import content_lock, examination_lock
from core.message import said, stored
from core.text import printable
from jobs.files.storage import ARTIFACTS
from ladder.files.bundles import Bundle, bundle_check
from ladder.models import BotVersion, SentFile
from ladder.selectors.bots import LIVE_STATES
from ladder.selectors.quotas import quota_of
from ladder.selectors.uploads import store_asked
from ladder.services.bots import bots_lock
from ladder.services.builds import build_enqueue
from ladder.services.upload_checks import bytes_used_up, owner_locked, program_problem, sent_already, team_locked
from ladder.services.versions import version_transition

State = BotVersion.State
log = structlog.get_logger(__name__)


def uploads_examine(*, for_seconds: float) -> int:
    """Examine uploads in the order of their arrival, and return their number.

    Several processes may do so at once: each leaves out what another one examines. While the file store is away,
    uploads wait to be examined; they are received all the same. After ``for_seconds`` no further one is begun, so that
    the process can do other work in between.
    """
    examined, until = 0, time.monotonic() + for_seconds
    for version in BotVersion.objects.filter(state=State.RECEIVED).order_by("received_at", "pk").values("pk"):
        try:
            with examination_lock(version=version["pk"]) as is_free:
                if not is_free:
                    continue
                examined += upload_examine(version_id=version["pk"])
        except StoreAway:  # `store_asked` has logged it
            break
        except (OperationalError, InternalError, InterfaceError):  # the database is away or read-only
            raise
        except Exception:
            # It stays received, and those behind it have their turn.
            log.exception("upload_not_examined", version=version["pk"])
        if time.monotonic() >= until:
            break
    return examined


def upload_examine(*, version_id: int) -> bool:
    """Examine a received upload: put its build into the queue, or reject it with the reason.

    Returns:
        Whether there was anything to examine: another process may have done it meanwhile.

    Raises:
        StoreAway: the disk is full, or the bucket does not answer. The upload stays RECEIVED.
    """
    sent = SentFile.objects.select_related("version__bot").filter(version=version_id).first()
    if sent is None:
        return False
    version = sent.version
    with override(sent.language_code):
        try:
            bundle = bundle_check(name=version.upload_name, data=bytes(sent.data))
        except InputError as refusal:
            _reject(version, str(refusal))
        except Exception:
            # Otherwise it would be examined again and again, before all others.
            log.exception("upload_not_examined", version=version_id)
            _reject(version, _("We could not read this file. Please pack your bot's files again, as a zip."))
        else:
            _accept(version, bundle)
    return True


@transaction.atomic
def _accept(version: BotVersion, bundle: Bundle) -> None:
    """Give a received version its checked bundle and enqueue its build, or reject it (``_bundle_problem``)."""
    owner = owner_locked(version.bot.owner_id)
    team_locked(version.bot.team_id)
    bots_lock(pks=[version.bot_id])  # no other transaction changes its state meanwhile
    current = BotVersion.objects.select_related("bot").get(pk=version.pk)
    if current.state != State.RECEIVED:
        return
    # Also if it is refused: the owner may have sent it again because the file store has lost it.
    bundle_store(bundle=bundle)
    if problem := _bundle_problem(current, bundle, owner):
        _reject(current, problem)
        return
    current.bundle_digest, current.bundle_bytes = bundle.digest, len(bundle.data)
    current.save(update_fields=["bundle_digest", "bundle_bytes"])
    build_enqueue(version=version_transition(version=current, to=State.UPLOADED))
    log.info("version_examined", version=current.pk, bot=current.bot_id, bytes=len(bundle.data))


def _bundle_problem(version: BotVersion, bundle: Bundle, owner: User) -> str:
    """Return why a bundle is not taken as a version, in a sentence; empty if it is."""
    before = version.bot.versions.filter(number__lt=version.number).order_by("-number").first()
    if before is not None and before.bundle_digest == bundle.digest and before.state in LIVE_STATES:
        return sent_already(before)
    quota = quota_of(owner=owner)
    if not version.bot.is_house and quota.bytes - version.bundle_bytes + len(bundle.data) > quota.bytes_max:
        return bytes_used_up(quota)
    return program_problem(version.bot, bundle.digest)


def _reject(version: BotVersion, sentence: str) -> None:
    """Reject a received upload with a sentence, which may name a file as the archive does.

    The attack: the name of a file holds NUL, which PostgreSQL refuses to store as JSON, and the examination begins with
    this upload every second, so that it never comes to those of others.
    """
    try:
        version_transition(version=version, to=State.REJECTED, reason=stored(said(printable(sentence))))
    except IllegalTransition:  # another process has examined it first, or it was withdrawn
        log.info("upload_examined_twice", version=version.pk)


def bundle_store(*, bundle: Bundle) -> None:
    """Store a bundle unless it is stored already.

    A shared lock keeps ``bot_delete`` from deleting it before the transaction ends and its version is visible.

    Raises:
        StoreAway: the disk is full, or the bucket does not answer.
    """
    content_lock(digest=bundle.digest, shared=True)
    with store_asked():
        storages[ARTIFACTS].save(bundle.digest, ContentFile(bundle.data))
