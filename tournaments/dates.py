"""The dates of a tournament in their order, for its page."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from contests.dates import ContestDate
from tournaments.models import Tournament

State = Tournament.State


def tournament_dates(*, tournament: Tournament) -> list[ContestDate]:
    """Return the dates of a tournament, past and coming ones, in their order (no query)."""
    state = tournament.state
    begun = tournament.started_at is not None
    played = state in (State.FINISHED, State.RELEASED)
    by_organisers = _("when its organisers say so")
    dates = []
    if tournament.entry == Tournament.Entry.SIGN_UP:
        until = tournament.entries_until
        closed = tournament.is_drawn or (until is not None and until <= timezone.now())
        title = _("Entries closed") if closed else _("Entries close")
        dates.append(ContestDate("entries", title, _earlier(until, tournament.drawn_at), _("with the draw"), closed))
    starts = tournament.started_at or tournament.starts_at
    dates.append(ContestDate("starts", _("Started") if begun else _("Starts"), starts, by_organisers, begun))
    title = _("Last match played") if played else _("Ends")
    dates.append(ContestDate("ends", title, tournament.finished_at, _("after its last match"), played))
    if tournament.results != Tournament.Results.AT_ONCE:
        over = state == State.RELEASED
        title = _("Results released") if over else _("Results are released")
        note = _("round by round") if tournament.results == Tournament.Results.BY_ROUND else by_organisers
        dates.append(ContestDate("released", title, tournament.released_at, note, over))
    return dates


def _earlier(until: datetime | None, drawn_at: datetime | None) -> datetime | None:
    """Return the earlier of two times, when entries close: a draw may come before ``until``; None: there is neither."""
    return min(filter(None, (until, drawn_at)), default=None)
