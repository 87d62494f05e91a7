"""Plays tournaments on: collects results, decides tables, makes matches, draws the next round."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from common.errors import InputError
from common.queries.cached import cached_changed
from core.message import Message, said, stored
from tournaments.models import Tournament
from tournaments.selectors.tournaments import draw_preview
from tournaments.services.playing import tournament_play
from tournaments.services.tournaments import tournament_draw, tournament_start
from tournaments.services.transitions import State

log = structlog.get_logger(__name__)

_STARTS = Q(state__in=(State.OPEN, State.DRAWN), starts_at__lte=Now())


@transaction.atomic
def tournament_step(*, tournament: int) -> bool:
    """Take a tournament, given by its primary key, as far as the results of its matches allow, if it is running.

    Everything happens in one transaction under the lock of its row, and depends only on the database. So this may be
    called at any time, by several processes at once, and be killed anywhere: nothing is skipped or done twice. Returns
    whether anything was written; False also if another process holds the lock.
    """
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True, skip_locked=True).select_related("contest")
    found = rows.filter(pk=tournament, state=State.RUNNING).first()
    return found is not None and tournament_play(tournament=found)


def tournaments_tick() -> None:
    """Start the tournaments whose ``starts_at`` has come, by the database's clock, and step all that are running.

    Each tournament has a transaction of its own. If one fails, the others go on all the same; then the error is raised.
    """
    here = Tournament.objects.filter(contest__game__in=settings.GAMES)
    with ExitStack() as calls:
        for pk in here.filter(state=State.RUNNING).values_list("pk", flat=True):
            calls.callback(partial(tournament_step, tournament=pk))
        for pk in here.filter(_STARTS).values_list("pk", flat=True):
            calls.callback(partial(_start_by_clock, pk))


@transaction.atomic
def _start_by_clock(tournament: int) -> None:
    """Lock a tournament; if its time to start has come still, draw it if it is not drawn yet, and start it.

    If it cannot be drawn or started, such as with too few entrants, it stays as it is and loses its ``starts_at``, and
    its ``reason`` says why.
    """
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True, skip_locked=True).select_related("contest")
    found = rows.filter(_STARTS, pk=tournament).first()
    if found is None:
        return
    try:
        with transaction.atomic():
            if found.state == State.OPEN:
                tournament_draw(tournament=tournament, actor=None)
            tournament_start(tournament=tournament, actor=None)
    except InputError as error:
        problems = draw_preview(tournament=found).problems if found.state == State.OPEN else []
        why = problems[0] if problems else said(str(error))
        found.starts_at, found.reason = None, stored(Message("tournament-not-started", {"why": stored(why)}))
        found.save(update_fields=["starts_at", "reason"])
        cached_changed()
        log.warning("tournament_not_started", tournament=tournament, reason=str(error))
