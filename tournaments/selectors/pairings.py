"""Reads tables of tournaments, and says why one cannot be decided by hand."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _

from matches.models import Match
from tournaments.models import Table, Tournament


def by_hand_problem(*, table: Table, tournament: Tournament) -> str:
    """Return why organisers cannot decide a table, in a sentence; empty if they can (1 query; none for most refusals).

    They can decide open tables of the newest round, and change decided ones until the next round is drawn; after the
    last round, until its results are public. ``table`` has its round and seats loaded, and is of ``tournament``.
    Whether somebody is an organiser is not checked here.
    """
    state = Tournament.State
    if tournament.state in (state.DRAWN, state.OPEN, state.DRAFT):
        return _("The tournament has not begun, so its tables have no results yet.")
    if tournament.state == state.RELEASED:
        return _("The tournament is over: nothing changes any more.")
    if len(table.seats.all()) == 1:
        return _("This bot has a bye: there is nothing to decide.")
    row = table.round
    later = Q(stage__gt=row.stage) | Q(stage=row.stage, number__gt=row.number)
    if tournament.rounds.filter(later).exists():
        return _(
            "This round is closed: the next one has been drawn from its results. Please decide tables of the newest"
            " round."
        )
    if tournament.state == state.FINISHED and row.released_at is not None:
        return _("The results of this round are public: nothing changes any more.")
    return ""


def table_of_match(*, match: Match) -> Table | None:
    """Return the table at which a match is played, with its round and tournament (1 query); None if there is none.

    The caller has checked that the reader may see ``match``: its table must stay secret as long as the match is hidden.
    """
    return Table.objects.select_related("round__tournament").filter(matches__match=match.pk).first()
