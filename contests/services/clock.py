"""Opens and freezes contests at the moments that their organisers have chosen in advance."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from contests.models import Contest
from contests.services.contests import contest_transition

log = structlog.get_logger(__name__)

State = Contest.State
_OPENS = Q(state=State.DRAFT, opens_at__lte=Now())
_FREEZES = Q(state__in=(State.OPEN, State.PAUSED), frozen_at__lte=Now())


def contests_tick() -> None:
    """Open the drafts and freeze the contests whose moments have come, by the clock of the database.

    Each contest has a transaction of its own. When managing processes were away at that moment, it happens as soon as
    one is back.
    """
    due = Contest.objects.filter(_OPENS | _FREEZES, game__in=settings.GAMES)
    for contest in due.values_list("slug", flat=True):
        _contest_move(contest)


@transaction.atomic
def _contest_move(contest: str) -> None:
    """Move a contest if its moment has come; looked at under its lock, since its organiser may have postponed it."""
    found = Contest.objects.select_for_update().filter(_OPENS | _FREEZES, slug=contest).first()
    if found is None:
        return
    to = State.OPEN if found.state == State.DRAFT else State.FROZEN
    contest_transition(contest=contest, to=to, actor=None, reason="" if to == State.OPEN else found.reason)
    log.info("contest_moved_by_clock", contest=contest, to=to)
