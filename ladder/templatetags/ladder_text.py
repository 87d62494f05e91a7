"""Filters for words on pages."""

from __future__ import annotations

from django import template

from ladder.leagues import league_name
from ladder.selectors.games import game_card
from ladder.text import printable

register = template.Library()

register.filter("printable", printable)
register.filter("league_name", league_name)


@register.filter
def game_title(name: str) -> str:
    """Return a game's title by its name; the name itself for a game that is no longer here."""
    card = game_card(name=name)
    return card.title if card else name
