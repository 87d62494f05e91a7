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
    """Open the drafts whose ``opens_at`` has come, and freeze the contests whose ``frozen_at`` has.

    ``at`` is the time with which they are compared; None: the database's clock. Each contest has a transaction of its
    own. If no process called this at that moment, the next call makes up for it.
    """
    contests = Contest.objects.filter(_moment_has_come(at), game__in=settings.GAMES)
    for contest in contests.values_list("slug", flat=True):
        _contest_move(contest, at)


def _moment_has_come(at: datetime | None) -> Q:
    now = at or Now()
    return Q(state=State.DRAFT, opens_at__lte=now) | Q(state__in=(State.OPEN, State.PAUSED), frozen_at__lte=now)


@transaction.atomic
def _contest_move(contest: str, at: datetime | None) -> None:
    """Lock a contest, and open or freeze it if its moment has come: its organiser may have postponed it just now."""
    found = Contest.objects.select_for_update().filter(_moment_has_come(at), slug=contest).first()
    if found is None:
        return
    to = State.OPEN if found.state == State.DRAFT else State.FROZEN
    contest_transition(contest=contest, to=to, actor=None, reason="" if to == State.OPEN else found.reason)
    log.info("contest_moved_by_clock", contest=contest, to=to)
