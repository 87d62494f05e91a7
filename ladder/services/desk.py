"""What an organiser does to the bots of a contest."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from contests.services.contests import REASON_CHARS_MAX
from ladder.models import BotVersion
from ladder.services.versions import version_disqualify


@transaction.atomic
def desk_disqualify(*, version: BotVersion, actor: User, reason: str) -> None:
    """Withdraw a version for an organiser; its owner is notified with the reason, and the audit log holds it.

    Raises:
        InputError: there is no reason, it is too long or contains a NUL, or the version does not play any more.
    """
    if not 0 < len(reason) <= REASON_CHARS_MAX or "\0" in reason:  # PostgreSQL refuses a NUL
        raise InputError(_("Please give a reason of at most 500 characters: the owner of the bot reads it."))
    version_disqualify(version=version, reason=reason, by_organiser=True)
    target = f"{version.bot.contest_id}: {version}"
    audit_write(actor=actor, act="version_disqualify", target=target, reason=reason)
