"""Tags for pages that name winners: podiums, winners of contests, honours of profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context

from contests.models import Contest
from contests.selectors.pages import contests_in_front
from ladder.models import Bot
from ladder.selectors.honours import Won, contest_house_best, contest_podium, contest_winner, honours_of
from ladder.selectors.profiles import ProfileBot

register = template.Library()


@register.filter
def winner(contest: Contest) -> Bot | None:
    """Return the bot that has won a contest that is over; None without one (cached: seldom a query)."""
    return contest_winner(contest=contest)


@register.inclusion_tag("ladder/_podium.html")
def podium(rows: Sequence[Won]) -> dict[str, Any]:
    """Show the first places of a contest or tournament; nothing without any."""
    return {"rows": rows}


@register.inclusion_tag("ladder/_winners.html")
def winners(contest: Contest) -> dict[str, Any]:
    """Show the first places of a contest that is over, and apart from them its house bots, if it names them."""
    return {"rows": contest_podium(contest=contest), "house": contest_house_best(contest=contest)}


@register.inclusion_tag("ladder/_contests_front.html", takes_context=True)
def front_contests(context: Context) -> dict[str, Any]:
    """Show the contests that run; nothing if there are none."""
    return {"contests": contests_in_front(reader=context["user"])}


@register.inclusion_tag("ladder/_honours.html", takes_context=True)
def honours(context: Context, rows: Sequence[ProfileBot]) -> dict[str, Any]:
    """Show what the bots of a profile have won: first places in contests and tournaments, and their highest leagues.

    Nothing without any.
    """
    bots = [row.bot for row in rows]
    risen = [bot for bot in bots if bot.league_best and not bot.is_house]
    risen.sort(key=lambda bot: -bot.league_best)
    return {"won": honours_of(bots=bots, reader=context["user"]), "risen": risen}
