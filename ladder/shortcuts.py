"""What several views begin with."""

from __future__ import annotations

from django.http import Http404
from django.utils.translation import gettext as _

from ladder.models import Bot
from ladder.selectors.bots import bot_page
from ladder.selectors.games import GameCard, game_card


def game_or_404(name: str) -> GameCard:
    """Return a game of this arena.

    Raises:
        Http404: there is none of this name.
    """
    card = game_card(name=name)
    if card is None:
        raise Http404(_("There is no such game."))
    return card


def bot_or_404(pk: int) -> Bot:
    """Return a bot as ``bot_page`` does.

    Raises:
        Http404: there is none of this number.
    """
    bot = bot_page(pk=pk)
    if bot is None:
        raise Http404(_("There is no such bot."))
    return bot
