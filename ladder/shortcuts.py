"""What several views begin with."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, ParamSpec

from allauth.core.ratelimit import consume_or_429
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from common.errors import StoreAway
from ladder.models import Bot
from ladder.selectors.bots import bot_for_reader
from ladder.selectors.games import GameCard, game_card

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def store_awaited(view: View[P]) -> View[P]:
    """Have a view say in a sentence that the store is away, instead of that there is no such thing, or a mistake."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except StoreAway as error:
            return render(request, "503.html", {"sentence": error}, status=HTTPStatus.SERVICE_UNAVAILABLE)

    return answered


def limited(action: str, *, method: str = "POST") -> Callable[[View[P]], View[P]]:
    """Have a view answer 429 to whoever does something more often than ``ACCOUNT_RATE_LIMITS`` allows.

    Args:
        action: its name there.
        method: the one by which it is done; all others are free.
    """
    done_by = (method, "HEAD") if method == "GET" else (method,)  # HEAD costs as much

    def with_limit(view: View[P]) -> View[P]:
        @wraps(view)
        def counted(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method in done_by:
                # Of requests that only look allauth counts none unless told.
                too_often: HttpResponseBase | None = consume_or_429(request, action=action, limit_get=True)
                if too_often:
                    return too_often
            return view(request, *args, **kwargs)

        return counted

    return with_limit


def game_or_404(name: str) -> GameCard:
    """Return a game of this arena.

    Raises:
        Http404: there is none of this name.
    """
    card = game_card(name=name)
    if card is None:
        raise Http404(_("There is no such game."))
    return card


def bot_or_404(request: HttpRequest, pk: int) -> Bot:
    """Return a bot as ``bot_for_reader`` does.

    Raises:
        Http404: there is none of this number that the reader may see.
    """
    bot = bot_for_reader(pk=pk, reader=request.user)
    if bot is None:
        raise Http404(_("There is no such bot."))
    return bot
