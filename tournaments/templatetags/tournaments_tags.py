"""Tags for pages that name tournaments."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from matches.models import Match
from tournaments.selectors.tables import table_of_match

register = template.Library()


@register.simple_tag
def match_table(match: Match) -> SafeString:
    """Say at which table of which tournament a match was made, with a link (1 query); empty for other matches.

    Args:
        match: a match that the reader may see; then the reader may know its tournament, too.
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
