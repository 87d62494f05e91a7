"""Decides tables by hand."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from core.message import Message
from formats.pairings import decided_by_hand
from tournaments.models import Table
from tournaments.selectors.loading import table_of
from tournaments.selectors.pairings import by_hand_problem
from tournaments.services.playing import (
    places_set,
    round_next,
    table_matches_void,
    table_write,
    tournament_play,
)
from tournaments.services.transitions import State, reason_checked, tournament_locked, tournament_transition

BY_HAND = Message("tournament-match-by-hand")


@transaction.atomic
def table_decide_by_hand(*, table: int, points: Sequence[float], reason: str, actor: User | None) -> None:
    """Decide a table of the newest round, or decide it otherwise while the next round is not drawn.

    Its unfinished matches become void and are not played again.

    Args:
        table: primary key of the table.
        points: of each entrant, from 0 to 1, in the order of the table's seats; in knockouts the most points go on, of
            equal ones the better seed number.
        reason: everybody may read it once the results are told; at most 500 characters, not empty.
        actor: an organiser or administrator; None: the site itself.

    Raises:
        InputError: the table is gone, its round is closed, the tournament has not begun or is over, the table has one
            entrant, the points are not a number from 0 to 1 for each, or the reason is missing or too long.
    """
    found = Table.objects.filter(pk=table).select_related("round").first()
    if found is None:
        raise InputError(_("There is no such table any more."))
    tournament = tournament_locked(tournament=found.round.tournament_id)
    # The lock may have waited for a step that decided it, or for a draw that was taken back.
    found = Table.objects.select_related("round").prefetch_related("seats__entrant").filter(pk=table).first()
    if found is None:
        raise InputError(_("There is no such table any more."))
    if problem := by_hand_problem(table=found, tournament=tournament):
        raise InputError(problem)
    reason = reason_checked(reason)
    drawn = table_of(found.round, found)
    try:
        decided = decided_by_hand(stage=tournament.stages_read()[drawn.stage], pairing=drawn, points=points)
    except ValueError as error:
        sentence = _("Please give %(count)d numbers from 0 to 1: the points of each bot, in the order of the table.")
        raise InputError(sentence % {"count": len(drawn.entrants)}) from error
    table_matches_void(tables=[found], reason=BY_HAND)
    table_write(table=found, decided=decided, reason=reason)
    shares = "-".join(f"{each:g}" for each in points)
    target = f"{tournament.key}: stage {drawn.stage + 1}, round {drawn.round}, table {drawn.number}: {shares}"
    audit_write(actor=actor, act="table_decide_by_hand", target=target, reason=reason)
    if tournament.state == State.RUNNING:
        tournament_play(tournament=tournament)
    elif tournament.state == State.FINISHED and round_next(tournament=tournament) is None:
        places_set(tournament=tournament)
    elif tournament.state == State.FINISHED:  # the final of a double elimination: now one more table decides
        tournament.entrants.update(place=None)
        tournament_transition(tournament=tournament, to=State.RUNNING)
        tournament_play(tournament=tournament)
