"""Reads single versions for users who may change them, and says why an older version cannot play again."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.access import Reader, administrates
from contests.selectors.contests import upload_problem
from contests.selectors.visibility import seen_by
from ladder.models import BotVersion
from ladder.selectors.bots import own_condition

DISQUALIFIED, DISQUALIFIED_WHY = "version-withdrawn", "version-withdrawn-why"
"""Kinds of ``BotVersion.reason`` of a version that an administrator has withdrawn, without and with his reason."""
DISQUALIFIED_BY_ORGANISER = "version-disqualified-why"
"""The kind of the reason of a version that an organiser of its contest has disqualified."""


def version_of(*, pk: int, owner: Reader) -> BotVersion | None:
    """Return a version if its bot is this user's own, else None, so that others do not learn whether it exists.

    None also if the user may not see the version's contest, from which he may have been removed.
    """
    own = own_condition(reader=owner, prefix="bot__")
    return _versions().filter(own, seen_by(owner, at="bot__contest"), pk=pk).first()


def version_to_resume(*, pk: int, reader: Reader) -> BotVersion | None:
    """Return a version if this user may end its probation: its owners or an administrator (1 query); else None."""
    if administrates(reader):
        return _versions().filter(pk=pk).first()
    return version_of(pk=pk, owner=reader)


def _versions() -> QuerySet[BotVersion]:
    return BotVersion.objects.select_related("bot__owner", "bot__team", "bot__contest", "rating")


def version_disqualified(*, version: BotVersion) -> bool:
    """Return whether the program of a version was withdrawn by an organiser or administrator (1 query).

    The attack: a worker that builds a version reports a withdrawal as the reason of its rejection.
    """
    same = version.bot.versions.filter(bundle_digest=version.bundle_digest)
    kinds = [DISQUALIFIED, DISQUALIFIED_WHY, DISQUALIFIED_BY_ORGANISER]
    return same.filter(state=BotVersion.State.RETIRED, reason__kind__in=kinds).exists()


def play_again_problem(*, version: BotVersion, received_at: datetime | None = None) -> str:
    """Return why an older version cannot play again, in a sentence; empty if these checks pass (at most 2 queries).

    ``received_at`` is when the request to let it play reached the site (``common.arrivals``); None: now.
    """
    if version.state != BotVersion.State.RETIRED or version.activated_at is None:
        return _("Only a version that played and does not any more can play again.")
    if version_disqualified(version=version):
        return _("An administrator has withdrawn this program, so it cannot play again. Please change it first.")
    return upload_problem(contest=version.bot.contest_id, received_at=received_at)
