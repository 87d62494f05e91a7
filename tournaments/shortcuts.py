"""The look-up that all views of tournaments share."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from contests.models import Contest
from tournaments.models import Tournament
from tournaments.selectors.tournaments import tournament_seen


def tournament_or_404(request: HttpRequest, contest: Contest, slug: str) -> Tournament:
    """Return the tournament with this key in ``contest``, with the contest loaded; the reader may see the contest.

    Raises:
        Http404: there is no such tournament, or it is a draft and the reader does not organise the contest.
    """
    tournament = tournament_seen(contest=contest, slug=slug, reader=request.user)
    if tournament is None:
        raise Http404(_("There is no such tournament."))
    tournament.contest = contest  # so that no page reads it again
    return tournament
