"""What owners have uploaded."""

from __future__ import annotations

import math

import structlog
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.errors import InputError, StoreAway
from jobs.files.storage import ARTIFACTS, Damaged, file_read
from ladder.files.bundles import bundle_to_zip
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import LIVE_STATES, QUOTA_PERIOD
from ladder.selectors.games import upload_problem

log = structlog.get_logger(__name__)

DISQUALIFIED = "An administrator has withdrawn this version."
"""How the sentence of a version begins that an administrator has withdrawn."""


def upload_zip(*, version: BotVersion) -> bytes:
    """Return what was uploaded as a version, as a zip.

    Raises:
        InputError: the store has lost it.
        StoreAway: nothing can be read just now.
    """
    try:
        return bundle_to_zip(file_read(store=ARTIFACTS, digest=version.bundle_digest))
    except (FileNotFoundError, Damaged) as error:
        raise InputError(upload_gone()) from error
    except OSError as error:
        log.exception("store_failed", store=ARTIFACTS)
        raise StoreAway(store_away()) from error


def play_again_problem(*, version: BotVersion) -> str:
    """Say in a sentence why an older version cannot play again; empty if nothing is known yet (at most 2 queries)."""
    if version.state != BotVersion.State.RETIRED or version.activated_at is None:
        return _("Only a version that played and does not any more can play again.")
    same = version.bot.versions.filter(bundle_digest=version.bundle_digest)
    if same.filter(sentence__startswith=DISQUALIFIED).exists():
        return _("An administrator has withdrawn this program, so it cannot play again. Please change it first.")
    return upload_problem(game=version.bot.game)


def bot_delete_problem(*, bot: Bot) -> str:
    """Say in a sentence why a bot cannot be deleted by its owner; empty if it can (at most 2 queries)."""
    versions = bot.versions.order_by("-created_at").only("state", "activated_at", "created_at")
    if bot.is_house or any(version.activated_at for version in versions):
        return _("A bot that was once accepted stays: the ratings of others rest on its matches. You can withdraw it.")
    if any(version.state in LIVE_STATES for version in versions):
        return _("A version of this bot still waits for its check. Please withdraw it first, or wait for the answer.")
    # The attack: an owner uploads, is rejected and deletes again, and keeps all builders busy whatever the quota says.
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
    """Return the sentence for an upload that the store has lost."""
    return _("What you uploaded as this version is not stored here any more. Please upload your own copy of it.")


def store_away() -> str:
    """Return the sentence for a store of bots that does not answer."""
    return _("Bots cannot be stored or read just now. Please try again in a few minutes.")
