"""Look-ups that several views share."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from contests.headers import page_contest_set
from ladder.models import Bot
from ladder.selectors.bots import bot_for_reader


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
