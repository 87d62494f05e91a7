"""Template filters for formats."""

from __future__ import annotations

from django import template

from formats.model import Stage
from formats.standings import tie_breaks_of
from tournaments.words import FORMAT_TITLES, TIE_BREAK_TITLES

register = template.Library()


@register.filter
def format_title(stage: Stage) -> str:
    """Return the name of a stage's format."""
    return str(FORMAT_TITLES[stage.format])


@register.filter
def tie_breaks_text(stage: Stage) -> str:
    """Return the tie-breaks that a stage uses, in their order; empty for knockouts."""
    return ", ".join(str(TIE_BREAK_TITLES[each]) for each in tie_breaks_of(stage))
