"""Decorators and look-ups that several views share: 503 and 404 answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.access import two_factor_missing, two_factor_redirect
from common.errors import StoreAway
from common.limits import P, View
from contests.models import Contest
from contests.selectors.contests import contest_at
from contests.selectors.people import organises
from ladder.contest_headers import page_contest_set
from ladder.models import Bot
from ladder.selectors.bots import bot_for_reader

DeskView = Callable[..., HttpResponseBase]
"""A view that gets the request, a contest and the further parts of the url."""


def store_away_as_503(view: View[P]) -> View[P]:
    """Decorate a view to answer 503 with a page when it raises ``StoreAway``: the file store does not answer."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except StoreAway as error:
            return render(request, "503.html", {"sentence": error}, status=HTTPStatus.SERVICE_UNAVAILABLE)

    return answered


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


def bot_or_404(request: HttpRequest, pk: int) -> Bot:
    """Return the bot with this key, with what ``bot_for_reader`` prefetches.

    Raises:
        Http404: there is no such bot, or the reader may not see it.
    """
    bot = bot_for_reader(pk=pk, reader=request.user)
    if bot is None:
        raise Http404(_("There is no such bot."))
    page_contest_set(request, bot.contest)
    return bot


def organisers_only(view: DeskView) -> DeskView:
    """Return a view that takes a contest, for its organisers and administrators; others get 404.

    The view gets the request and the contest, and the further parts of the url.
    """

    @wraps(view)
    def guarded(request: HttpRequest, place: str, **parts: Any) -> HttpResponseBase:
        contest = contest_or_404(request, place)
        if two_factor_missing(request.user):
            return two_factor_redirect(request)
        if not organises(reader=request.user, contest=contest):
            raise Http404(_("There is no such page."))
        return view(request, contest, **parts)

    return guarded
