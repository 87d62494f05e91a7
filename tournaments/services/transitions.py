"""The states of tournaments: which can follow which, and the lock under which they change."""

from __future__ import annotations

import structlog
from django.utils import timezone
from django.utils.translation import gettext as _

from common.errors import InputError
from common.queries.cached import cached_changed
from core.message import Message, stored
from tournaments.models import Tournament

log = structlog.get_logger(__name__)

State = Tournament.State
REASON_CHARS_MAX = 500

_NEXT: dict[str, set[str]] = {
    State.DRAFT: {State.OPEN},
    State.OPEN: {State.DRAWN},
    State.DRAWN: {State.OPEN, State.RUNNING},
    State.RUNNING: {State.OPEN, State.PAUSED, State.FINISHED},
    State.PAUSED: {State.OPEN, State.RUNNING},
    State.FINISHED: {State.RUNNING, State.RELEASED},
    State.RELEASED: set(),
}
_MOMENTS = {
    State.DRAWN: "drawn_at",
    State.RUNNING: "started_at",
    State.FINISHED: "finished_at",
    State.RELEASED: "released_at",
}


def tournament_locked(*, tournament: int) -> Tournament:
    """Lock a tournament until the transaction ends, and return it with its contest.

    Each service takes this lock before it locks anything else of a tournament or any match.

    Raises:
        InputError: there is no such tournament.
    """
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).select_related("contest")
    found = rows.filter(pk=tournament).first()
    if found is None:
        raise InputError(_("There is no such tournament any more."))
    return found


def tournament_transition(*, tournament: Tournament, to: State, reason: Message | None = None) -> None:
    """Move a tournament to another state, store the time and ``reason`` of that, and save the row.

    The caller has locked it (``tournament_locked``). No other code writes the state. A drawn tournament becomes OPEN
    when its draw is taken back. Everybody may read the reason; it is for PAUSED, and None elsewhere.

    Raises:
        InputError: the tournament cannot get from its state into this one.
    """
    if to not in _NEXT[State(tournament.state)]:
        raise InputError(
            _("A tournament that is %(state)s cannot become %(to)s.")
            % {"state": tournament.get_state_display(), "to": State(to).label}
        )
    log.info("tournament_moved", tournament=tournament.pk, before=tournament.state, to=to)
    tournament.state, tournament.reason = to, stored(reason)
    moment = _MOMENTS.get(to)
    if moment and getattr(tournament, moment) is None:  # resuming is no second start
        setattr(tournament, moment, timezone.now())
    if to == State.OPEN:
        tournament.drawn_at = tournament.started_at = None
    if to == State.RUNNING:
        tournament.finished_at = None
    tournament.save()
    cached_changed()


def reason_checked(reason: str) -> str:
    """Return a reason that somebody has typed, without spaces around it.

    Raises:
        InputError: the reason is empty, has more than ``REASON_CHARS_MAX`` characters, or has the character NUL.
    """
    reason = reason.strip()
    if not reason:
        raise InputError(_("Please give a reason: everybody may read it."))
    if len(reason) > REASON_CHARS_MAX:
        raise InputError(_("Please give the reason in at most %(max)d characters.") % {"max": REASON_CHARS_MAX})
    if "\0" in reason:
        raise InputError(_("Please leave out the character NUL."))
    return reason
