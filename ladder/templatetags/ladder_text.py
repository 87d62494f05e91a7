"""Template filters and tags for texts, numbers, times and urls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from django import template
from django.template.defaultfilters import floatformat
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from accounts.access import Reader
from common.times import clocked, dated, moment, moment_exact, timed
from common.words.messages import game_title, sentence_of
from contests.selectors.contests import bot_limits, play_problem, takes_bots
from core.text import printable
from games.viewers import viewer_style
from ladder.graphs import sparkline
from ladder.leagues import league_name
from ladder.models import Bot, Rating
from ladder.selectors.boards import BoardRow
from ladder.selectors.bots import bot_is_own, own_among
from ladder.selectors.daily_ratings import daily_ratings_of
from ladder.selectors.ratings import rating_provisional

register = template.Library()

register.filter("clocked", clocked)
register.filter("dated", dated)
register.filter("moment", moment)
register.filter("moment_exact", moment_exact)
register.filter("printable", printable)
register.filter("timed", timed)
register.filter("game_title", game_title)
register.filter("takes_bots", lambda contest: takes_bots(contest=contest))
register.filter("limit", lambda contest, name: getattr(bot_limits(contest=contest), name))
register.filter("play_problem", lambda contest: play_problem(contest.state))
register.filter("sentence", sentence_of)


@register.filter("league_name")
def league_title(league: int | None) -> str:
    """Return the name of a league in the reader's language; empty for None, a bot in no league."""
    return gettext(league_name(league))


@register.filter
def milliseconds(number: float) -> str:
    """Return a number of milliseconds with its unit, as the reader's language writes it."""
    return gettext("%(number)s ms") % {"number": floatformat(number)}


@register.filter
def mebibytes(number: float) -> str:
    """Return a number of mebibytes with its unit, as the reader's language writes it."""
    return gettext("%(number)s MiB") % {"number": floatformat(number)}


@register.simple_tag
def game_style(game: str, rules: str = "") -> SafeString | str:
    """Link to the style sheet of a game, if it has one: the colours of its seats, and the pieces in its guide."""
    style = viewer_style(game, rules)
    return format_html('<link rel="stylesheet" href="{}">', static(style)) if style else ""


@register.simple_tag
def participant(bot: Bot) -> SafeString:
    """Link to who takes part with a bot: to the page of its team, or to the profile of its owner alone."""
    team, owner = bot.team_id, bot.owner.username
    url = url_of_team(bot.contest_place, team) if team else url_of(owner, "ladder:profile")
    return format_html('<a href="{}"><bdi>{}</bdi></a>', url, bot.participant)


@register.filter
def columns(rows: Sequence[BoardRow]) -> dict[str, bool]:
    """Return which columns of a board have something to show in these rows; boards leave out the others."""
    return {
        "rank": any(row.rank for row in rows),
        "league": any(row.league for row in rows),
        "last_match": any(row.rating.last_match_at for row in rows),
    }


@register.simple_tag
def unsure(rating: Rating | None) -> SafeString | str:
    """Return the mark that stands behind rank and rating while the rating is provisional; else an empty text."""
    return unsure_mark(is_unsure=rating_provisional(rating) if rating else False)


@register.simple_tag
def unsure_mark(*, is_unsure: bool) -> SafeString | str:
    """Return the mark of an uncertain rank or rating, or an empty text."""
    return _unsure_in(get_language()) if is_unsure else ""


@lru_cache(maxsize=100)  # a board has it in dozens of cells
def _unsure_in(_language: str | None) -> SafeString:
    return format_html('<abbr class="unsure" title="{}">?</abbr>', gettext("provisional"))


@register.filter
def own_bots(rows: Iterable[Any], reader: Reader) -> set[int]:
    """Return the keys of a reader's own bots among the rows of a table: of a board, or of opponents."""
    bots = [row.opponent if hasattr(row, "opponent") else row.version.bot for row in rows]
    return own_among(bots=bots, reader=reader)


# Filled here and not by a template: a board has thirty of them, and a template takes longer than the rest of the row.
_SPARK = (
    '<svg class="spark" viewBox="0 0 72 22" width="72" height="22" aria-hidden="true"><polyline points="{}"/>'
    '<circle cx="72" cy="{}" r="2"/></svg><span class="spark-change num{}">{}</span>'
)


@register.filter
def sparklines(rows: Sequence[BoardRow]) -> dict[int, SafeString]:
    """Return the last month of each row of a board as a line and a number, by the keys of their bots (1 query).

    Bots of which no earlier day is stored are left out.
    """
    ratings = {row.version.bot_id: row.rating.rating for row in rows}
    days = daily_ratings_of(bots=ratings)
    # The newest day that is stored, not today: a board that is over shows the month before it was frozen.
    today = max((each[-1][0] for each in days.values()), default=date.min)
    drawn = {}
    for bot, each in days.items():
        if line := sparkline(each, rating=ratings[bot], today=today):
            change = f"{line.change:+d}".replace("-", "−") if line.change else "±0"
            direction = " is-up" if line.change > 0 else " is-down" if line.change < 0 else ""
            drawn[bot] = format_html(_SPARK, line.points, line.end_at, direction, change)
    return drawn


@register.filter
def of(found: Mapping[int, SafeString], key: int) -> SafeString | str:
    """Return what a mapping has for a key, or an empty text."""
    return found.get(key, "")


@register.filter
def is_own(bot: Bot, reader: Reader) -> bool:
    """Return whether a bot is a reader's own, alone or in a team."""
    return bot_is_own(bot=bot, reader=reader)


@lru_cache(maxsize=10_000)
def url_of_team(place: str, pk: int) -> str:
    """Return the url of the page of a team, cached, since long tables have dozens of them."""
    return reverse("contests:team", args=[place, pk])


@register.filter
@lru_cache(maxsize=10_000)
def url_of(key: int | str, view: str) -> str:
    """Return the url of a view for a key, cached, since long tables have dozens of them."""
    return reverse(view, args=[key])
