"""What becomes of memberships when an account is closed."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from contests.models import Contest, Invitation, Member
from contests.services.teams import teams_leave


def contests_over_locked() -> QuerySet[Contest]:
    """Return a query that reads and locks the frozen and archived contests: they stay so until the transaction ends.

    ``contest_transition`` takes the same locks: it opens a contest either before the query is read, or after the
    account is closed.
    """
    over = (Contest.State.FROZEN, Contest.State.ARCHIVED)
    return Contest.objects.select_for_update(no_key=True).filter(state__in=over).order_by("pk")


def contests_leave(*, user: User, **_signal: Any) -> None:
    """Take a user out of all contests and teams, which keep their bots; a receiver of ``account_closed``."""
    list(contests_over_locked())  # contests are locked before teams, and these before bots
    Member.objects.filter(user=user).delete()
    Invitation.objects.filter(created_by=user).delete()
    teams_leave(user=user)
