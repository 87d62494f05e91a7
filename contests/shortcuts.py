"""Look-ups and decorators of views about a contest, which answer 404 to those who may not see it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.access import two_factor_missing, two_factor_redirect
from contests.headers import page_contest_set
from contests.models import Contest
from contests.selectors.contests import contest_at
from contests.selectors.people import organises

DeskView = Callable[..., HttpResponseBase]
"""A view that gets the request, a contest and the further parts of the url."""


def contest_or_404(request: HttpRequest, place: str) -> Contest:
    """Return the contest that a part of a url names (``ContestConverter``).

    Raises:
        Http404: there is no such contest, or the reader may not see it.
    """
    contest = contest_at(place=place, reader=request.user)
    if contest is None:
        raise Http404(_("There is no such contest."))
    page_contest_set(request, contest)
    return contest


def organisers_only(view: DeskView) -> DeskView:
    """Decorate a view for organisers and administrators of a contest: it gets the contest instead of ``place``.

    Others get 404. Administrators who must set up two-factor authentication first are sent there. No answer is cached.
    """

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, place: str, **parts: Any) -> HttpResponseBase:
        contest = contest_or_404(request, place)
        if two_factor_missing(request.user):
            return two_factor_redirect(request)
        if not organises(reader=request.user, contest=contest):
            raise Http404(_("There is no such page."))
        return view(request, contest, **parts)

    return guarded
