"""Tags for pages that name tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from contests.models import Contest
from formats.model import Stage, TieBreak
from formats.standings import tie_breaks_of
from ladder.models import Bot
from matches.models import Match
from tournaments.models import Tournament
from tournaments.selectors.honours import contest_tournaments, front_tournaments, tournaments_of_bot
from tournaments.selectors.pairings import table_of_match
from tournaments.selectors.show import may_show
from tournaments.words import FORMAT_TITLES, TIE_BREAK_WORDS, TieBreakWords, points_words

register = template.Library()


@register.simple_tag
def match_table(match: Match) -> SafeString:
    """Return in a sentence at which table of which tournament a match is played, with a link; empty for other matches.

    The page has checked that the reader may see the match, which tells its tournament, too. 1 query.
    """
    table = table_of_match(match=match) if match.kind == Match.Kind.TOURNAMENT else None
    if table is None:
        return SafeString()
    tournament = table.round.tournament
    words = {
        "table": table.number,
        "round": table.round.number,
        "stage": table.round.stage + 1,
        "url": reverse("tournaments:tournament", args=[match.contest_place, tournament.slug]),
        "title": tournament.title,
    }
    if len(tournament.stages) > 1:
        return format_html(
            _('At table {table} of round {round} in stage {stage} of <a href="{url}"><bdi>{title}</bdi></a>.'), **words
        )
    return format_html(_('At table {table} of round {round} of <a href="{url}"><bdi>{title}</bdi></a>.'), **words)


@register.filter
def points(number: float | None) -> str:
    """Return points with at most two decimals; a dash for None."""
    return "–" if number is None else points_words(number)


@register.filter
def at(values: Sequence[float], index: int) -> float:
    """Return the value of a list at an index, from 0."""
    return values[index]


@register.filter
def tie_break_words(tie_break: TieBreak) -> TieBreakWords:
    """Return the words for a tie-break: its abbreviation, its name, and what it counts."""
    return TIE_BREAK_WORDS[tie_break]


@register.filter
def format_title(stage: Stage) -> str:
    """Return the name of a stage's format."""
    return str(FORMAT_TITLES[stage.format])


@register.filter
def tie_breaks_text(stage: Stage) -> str:
    """Return the tie-breaks that a stage uses, in their order; empty for knockouts."""
    return ", ".join(str(TIE_BREAK_WORDS[each].title) for each in tie_breaks_of(stage))


@register.inclusion_tag("tournaments/_contest.html")
def tournaments_of_contest(contest: Contest) -> dict[str, Any]:
    """Show the tournaments of a contest: running, coming, and past ones with their winners; nothing without any."""
    return {"contest": contest, "found": contest_tournaments(contest=contest)}


@register.inclusion_tag("tournaments/_bot.html")
def tournaments_of(bot: Bot) -> dict[str, Any]:
    """Show the tournaments that a bot plays or has played; nothing without any."""
    return {"bot": bot, "entrants": tournaments_of_bot(bot=bot)}


@register.inclusion_tag("tournaments/_front.html")
def tournaments_in_front() -> dict[str, Any]:
    """Show the public tournaments that are being played or come next; nothing without any."""
    return {"tournaments": front_tournaments()}


@register.simple_tag(takes_context=True)
def show_is_open(context: Context, tournament: Tournament) -> bool:
    """Return whether the reader may open the show of a tournament (2 queries at most)."""
    return may_show(tournament=tournament, reader=context["user"])
