"""Opens and freezes contests at the moments that their organisers have chosen in advance."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from contests.models import Contest
from contests.services.contests import contest_transition

log = structlog.get_logger(__name__)

State = Contest.State


def contests_tick(*, at: datetime | None = None) -> None:
    """Open the drafts and freeze the contests whose moments have come, by the database's clock if no time is given.

    Each contest has a transaction of its own. When managing processes were away at that moment, it happens as soon as
    one is back.
    """
    contests = Contest.objects.filter(_moment_has_come(at), game__in=settings.GAMES)
    for contest in contests.values_list("slug", flat=True):
        _contest_move(contest, at)


def _moment_has_come(at: datetime | None) -> Q:
    now = at or Now()
    return Q(state=State.DRAFT, opens_at__lte=now) | Q(state__in=(State.OPEN, State.PAUSED), frozen_at__lte=now)


@transaction.atomic
def _contest_move(contest: str, at: datetime | None) -> None:
    """Move a contest if its moment has come; looked at under its lock, since its organiser may have postponed it."""
    found = Contest.objects.select_for_update().filter(_moment_has_come(at), slug=contest).first()
    if found is None:
        return
    to = State.OPEN if found.state == State.DRAFT else State.FROZEN
    contest_transition(contest=contest, to=to, actor=None, reason="" if to == State.OPEN else found.reason)
    log.info("contest_moved_by_clock", contest=contest, to=to)
