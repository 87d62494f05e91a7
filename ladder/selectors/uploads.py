"""Reads stored uploads, and says why a bot and its uploads cannot be deleted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from common.errors import InputError, StoreAway
from jobs.files.storage import ARTIFACTS, Damaged, file_read
from ladder.files.bundles import bundle_check, bundle_to_zip
from ladder.models import Bot, BotVersion, SentFile
from ladder.selectors.bots import LIVE_STATES
from ladder.selectors.quotas import QUOTA_PERIOD

log = structlog.get_logger(__name__)


def upload_zip(*, version: BotVersion) -> bytes:
    """Return the upload of a version as a zip. Raises InputError and StoreAway as ``upload_bundle``."""
    return bundle_to_zip(upload_bundle(version=version))


def upload_bundle(*, version: BotVersion) -> bytes:
    """Return the upload of a version as a canonical tar (``ladder.files.bundles``).

    Raises:
        InputError: the file store does not have the upload any more, or the examination refuses it or has refused it.
        StoreAway: the file store cannot be read now.
    """
    if not version.bundle_digest:
        sent = SentFile.objects.filter(version=version).first()
        if sent is None:
            raise InputError(upload_gone())
        return bundle_check(name=version.upload_name, data=bytes(sent.data)).data
    with store_asked():
        try:
            return file_read(store=ARTIFACTS, digest=version.bundle_digest)
        except (FileNotFoundError, Damaged) as error:
            raise InputError(upload_gone()) from error


@contextmanager
def store_asked() -> Iterator[None]:
    """Run a block that reads or writes the store of programs.

    Raises:
        StoreAway: the disk is full, or the bucket does not answer.
    """
    try:
        yield
    except OSError as error:
        log.exception("store_failed", store=ARTIFACTS)
        sentence = _("Bots cannot be stored or read just now. Please try again in a few minutes.")
        raise StoreAway(sentence) from error


def stopped_problem(*, owner: User) -> str:
    """Return why a user may not upload, in a sentence; empty if no administrator has stopped it (no query)."""
    if not owner.uploads_stopped:
        return ""
    return _(
        "The uploads of your account are stopped. Please write to the administrators. Their reason: %(reason)s"
    ) % {"reason": owner.uploads_stopped}


def bot_delete_problem(*, bot: Bot) -> str:
    """Return why the owner of a bot cannot delete it, in a sentence; empty if that is allowed (at most 2 queries)."""
    versions = bot.versions.order_by("-created_at").only("state", "activated_at", "created_at")
    if bot.is_house or any(version.activated_at for version in versions):
        return _("A bot that was once accepted stays: the ratings of others rest on its matches. You can withdraw it.")
    if any(version.state in LIVE_STATES for version in versions):
        return _("A version of this bot still waits for its check. Please withdraw it first, or wait for the answer.")
    # The attack: deleted versions leave the quota, so uploading and deleting in turns would keep all builders busy.
    age = timezone.now() - versions[0].created_at if versions else QUOTA_PERIOD
    if age < QUOTA_PERIOD:
        minutes = math.ceil((QUOTA_PERIOD - age).total_seconds() / 60)
        return ngettext(
            "You can delete this bot in %(minutes)d minute, an hour after its last upload.",
            "You can delete this bot in %(minutes)d minutes, an hour after its last upload.",
            minutes,
        ) % {"minutes": minutes}
    return ""


def upload_gone() -> str:
    """Return the sentence for an upload that the file store does not have any more."""
    return _("What you uploaded as this version is not stored here any more. Please upload your own copy of it.")
