"""The secrets of the seats that a browser plays, which its session keeps."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from exhibitions.selectors.seats import seat_of_secret
from exhibitions.services.opening import Opened
from matches.models import Match, RemoteSeat

_SESSION_KEY = "tables"
_SECRETS_MAX = 20
"""How many tables a session remembers; the oldest ones are forgotten first."""


def secrets_keep(request: HttpRequest, opened: Opened) -> None:
    """Put the secret of the player's only seat at a new table into his session."""
    (secret,) = opened.secrets.values()
    known = {**request.session.get(_SESSION_KEY, {}), str(opened.match.pk): secret}
    request.session[_SESSION_KEY] = dict(list(known.items())[-_SECRETS_MAX:])


def own_seat(request: HttpRequest, pk: int) -> RemoteSeat | None:
    """Return the seat that the session has at the table of match ``pk``, with the match; None if it has none there."""
    secret = request.session.get(_SESSION_KEY, {}).get(str(pk), "")
    return seat_of_secret(match=pk, secret=secret) if secret else None


def tables_open(request: HttpRequest) -> list[Match]:
    """Return the tables of the session that have not ended, with their contests (1 query)."""
    known = [int(pk) for pk in request.session.get(_SESSION_KEY, {})]
    if not known:
        return []
    states = (Match.State.QUEUED, Match.State.RUNNING)
    return list(Match.objects.select_related("contest").filter(pk__in=known, state__in=states))


def own_seat_or_404(request: HttpRequest, pk: int) -> RemoteSeat:
    """Return the seat that the session has at the table of match ``pk``, with the match.

    Raises:
        Http404: the session has no seat there.
    """
    seat = own_seat(request, pk)
    if seat is None:
        raise Http404(_("You have no seat at this table."))
    return seat
